// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/switch_setup.hpp"

#include <fmt/format.h>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"

namespace muster::btin {

namespace regs = fabric::registers;
using fabric::AccessStatus;

namespace {
std::uint32_t claimed(const RegisterImage& image) {
  return regs::kBarrierControlClaimed.mask() | image.gid;
}
}  // namespace

std::uint32_t SwitchSetup::valid(const RegisterImage& image) {
  return regs::control_word(image.gid, image.parent_port, image.reflect,
                            static_cast<std::uint32_t>(image.op));
}

void SwitchSetup::run(Phase phase, const RegisterImage& image, bool may_spill, Done done) {
  if (spilled_.erase(key(image)) != 0) {
    spill_(phase, image, std::move(done));
    return;
  }
  switch (phase) {
    case Phase::kReserve:
      return reserve(image, may_spill, done);
    case Phase::kCommit:
      return write(image, regs::control(registers_.at(key(image))), claimed(image), valid(image),
                   [done] { done(Outcome::kDone); });
    case Phase::kUndo:
      // A reservation that was refused has left nothing.
      if (registers_.count(key(image)) == 0) return done(Outcome::kDone);
      return free(image, claimed(image), done);
    case Phase::kRelease:
      return release(image, done);
  }
}

void SwitchSetup::reserve(const RegisterImage& image, bool may_spill, const Done& done) {
  registers_.erase(key(image));
  know_size(image.sw, [=, this] { claim(image, 0, may_spill, done); });
}

void SwitchSetup::no_register(const RegisterImage& image, bool may_spill, const Done& done) {
  if (may_spill && spill_(Phase::kReserve, image, done)) {
    spilled_.insert(key(image));
  } else {
    done(Outcome::kNoRegister);
  }
}

void SwitchSetup::claim(const RegisterImage& image, std::uint32_t r, bool may_spill,
                        const Done& done) {
  if (r == sizes_.at(image.sw)) return no_register(image, may_spill, done);
  client_.write(first_switch_ + image.sw, regs::control(r), 0, claimed(image),
                [=, this](AccessStatus status, std::uint32_t) {
                  switch (status) {
                    case AccessStatus::kDone:
                      registers_[key(image)] = r;
                      return write(image, regs::children(r), 0, image.child_mask,
                                   [done] { done(Outcome::kDone); });
                    case AccessStatus::kNoPermit:
                      return done(Outcome::kNoPermit);
                    default:
                      return claim(image, r + 1, may_spill, done);
                  }
                });
}

void SwitchSetup::free(const RegisterImage& image, std::uint32_t control, const Done& done) {
  const std::uint32_t r = registers_.at(key(image));
  write(image, regs::children(r), image.child_mask, 0, [=, this] {
    write(image, regs::control(r), control, 0, [=, this] {
      registers_.erase(key(image));
      done(Outcome::kDone);
    });
  });
}

/// A write to a register that is this group's: no other node changes it.
void SwitchSetup::write(const RegisterImage& image, std::uint32_t address, std::uint32_t old,
                        std::uint32_t value, const std::function<void()>& then) {
  client_.write(
      first_switch_ + image.sw, address, old, value,
      [=](AccessStatus status, std::uint32_t before) {
        if (status != AccessStatus::kDone) {
          throw InternalError(fmt::format(
              "switch {} register {:#05x} of group {}: write of {:#x} over {:#x} has "
              "status {}, the word is {:#x}",
              image.sw, address, image.gid, value, old, static_cast<int>(status), before));
        }
        then();
      });
}

}  // namespace muster::btin
