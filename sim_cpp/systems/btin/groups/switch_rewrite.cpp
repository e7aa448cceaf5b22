// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "systems/btin/groups/switch_setup.hpp"

namespace muster::btin {

namespace regs = fabric::registers;
using fabric::AccessStatus;

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
                 if (word != valid(image)) return find_from(image, r + 1, done);
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
  if (valid(before) == valid(after)) {
    if (before.child_mask == after.child_mask) return finish();
    return write(after, children, before.child_mask, after.child_mask, finish);
  }
  if (before.child_mask == after.child_mask)
    return write(after, control, valid(before), valid(after), finish);
  write(after, children, before.child_mask, 0, [=, this] {
    write(after, control, valid(before), valid(after),
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
    free(image, valid(image), done);
  });
}

}  // namespace muster::btin
