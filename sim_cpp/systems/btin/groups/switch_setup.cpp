// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/switch_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"

namespace muster::btin {

using fabric::AccessStatus;

void RegisterClient::read(std::uint32_t destination, std::uint32_t address, Done done) {
  pending_.push_back({{destination, node_, 0, false, address, 0, 0}, std::move(done)});
}

void RegisterClient::write(std::uint32_t destination, std::uint32_t address, std::uint32_t old,
                           std::uint32_t value, Done done) {
  pending_.push_back({{destination, node_, 0, true, address, old, value}, std::move(done)});
}

void RegisterClient::receive(const fabric::RegisterAnswer& answer) {
  if (!sent_ || answer.tag != tag_ || answer.by != pending_.front().access.destination) return;
  if (answer.status == AccessStatus::kBusy) return;  // repeated as if there were none
  const Pending done = std::move(pending_.front());
  pending_.pop_front();
  sent_ = false;
  // No other node writes this value: an earlier repetition has.
  const bool earlier = done.access.write && answer.status == AccessStatus::kDiffers &&
                       answer.before == done.access.value;
  done.done(earlier ? AccessStatus::kDone : answer.status, answer.before);
}

void RegisterClient::clock(std::uint64_t cycle) {
  if (pending_.empty()) return;
  if (!sent_) {
    retry_after_ = kFirstRetry;
    repeat(cycle);
  } else if (cycle >= due_) {
    ++repetitions_;
    retry_after_ = std::min(2 * retry_after_, kLongestRetry);
    repeat(cycle);
  }
}

void RegisterClient::repeat(std::uint64_t cycle) {
  tag_ = (tag_ + 1) % 32;
  pending_.front().access.tag = tag_;
  sent_ = true;
  ++requests_;
  due_ = cycle + retry_after_;
  send_(fabric::register_request(pending_.front().access, kVc));
}

namespace regs = fabric::registers;

namespace {
std::uint32_t claimed(const RegisterImage& image) {
  return regs::kBarrierControlClaimed.mask() | image.gid;
}
}  // namespace

void SwitchSetup::run(Phase phase, const RegisterImage& image, bool may_spill, Done done) {
  if (spilled_.erase(key(image)) != 0) {
    spill_(phase, image, std::move(done));
    return;
  }
  switch (phase) {
    case Phase::kReserve:
      registers_.erase(key(image));
      return know_size(image.sw, [=, this] { claim(image, 0, may_spill, done); });
    case Phase::kCommit:
      return write(image, regs::control(registers_.at(key(image))), claimed(image),
                   control_word(image), [done] { done(Outcome::kDone); });
    case Phase::kUndo:
      // A reservation that was refused has left nothing.
      if (registers_.count(key(image)) == 0) return done(Outcome::kDone);
      return free(image, claimed(image), done);
    case Phase::kRelease:
      return release(image, done);
  }
}

void SwitchSetup::claim(const RegisterImage& image, std::uint32_t r, bool may_spill,
                        const Done& done) {
  if (r == sizes_.at(image.sw)) {
    if (!may_spill || !spill_(Phase::kReserve, image, done)) return done(Outcome::kNoRegister);
    spilled_.insert(key(image));
    return;
  }
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

void SwitchSetup::know_size(topology::SwitchId sw, const std::function<void()>& then) {
  if (sizes_.count(sw) != 0) return then();
  client_.read(first_switch_ + sw, regs::kSizes, [=, this](AccessStatus, std::uint32_t sizes) {
    sizes_[sw] = regs::kSizesRegs.of(sizes);
    then();
  });
}

void SwitchSetup::find(const RegisterImage& image, const Done& done) {
  know_size(image.sw, [=, this] { find_from(image, 0, done); });
}

void SwitchSetup::find_from(const RegisterImage& image, std::uint32_t r, const Done& done) {
  if (r == sizes_.at(image.sw)) return done(Outcome::kNotHere);
  client_.read(first_switch_ + image.sw, regs::control(r),
               [=, this](AccessStatus, std::uint32_t word) {
                 if (word != control_word(image)) return find_from(image, r + 1, done);
                 registers_[key(image)] = r;
                 done(Outcome::kDone);
               });
}

/// Where parent and children change, the child mask is 0 in between: the old parent may be a new
/// child, and a register never has its parent in its mask.
void SwitchSetup::rewrite(const RegisterImage& before, const RegisterImage& after,
                          const Done& done) {
  const std::uint32_t r = registers_.at(key(before));
  const std::uint32_t control = regs::control(r), children = regs::children(r);
  const auto finish = [done] { done(Outcome::kDone); };
  if (control_word(before) == control_word(after)) {
    if (before.child_mask == after.child_mask) return finish();
    return write(after, children, before.child_mask, after.child_mask, finish);
  }
  if (before.child_mask == after.child_mask)
    return write(after, control, control_word(before), control_word(after), finish);
  write(after, children, before.child_mask, 0, [=, this] {
    write(after, control, control_word(before), control_word(after),
          [=, this] { write(after, children, 0, after.child_mask, finish); });
  });
}

void SwitchSetup::release(const RegisterImage& image, const Done& done) {
  find(image, [=, this](Outcome outcome) {
    // No register has it: it is spilled.
    if (outcome != Outcome::kDone && spill_(Phase::kRelease, image, done)) return;
    if (outcome != Outcome::kDone) {
      throw InternalError(
          fmt::format("switch {} has no register of group {} to free", image.sw, image.gid));
    }
    free(image, control_word(image), done);
  });
}

}  // namespace muster::btin
