// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/fabric/network.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// What a group goes on with after a recovery (docs/systems/recovery.md, steps 4 and 5).
struct Regrouped {
  PlannedGroup planned;             ///< its tree, of those that are left
  std::vector<NodeId> lost;         ///< members that are no more, ascending
  std::vector<RegisterSlot> slots;  ///< registers of the new tree, root first
  std::string stopped;              ///< why it does not go on; empty if it does
};

/// A part of the group's tree does not answer: a switch, a member, or a link is down.
bool lacks_something(fabric::Network& network, const BarrierTree& tree);

/// Members of the group that answer and are connected by what is left: of
/// several parts the one with most of them, of equal ones that with the lowest switch. Ascending.
std::vector<NodeId> survivors_of(fabric::Network& network, const std::vector<NodeId>& members);

/// Plans group `index` of the run on what is left. `others`: registers in use by other groups; a
/// switch has `registers`.
Regrouped regroup(fabric::Network& network, const PlannedGroup& group, std::uint32_t index,
                  const std::vector<RegisterSlot>& others, std::uint32_t registers);

/// Calls write(switch, address, value) for the words of a register in the order in which they are
/// written: children before the control word, which begins the epoch.
template <class Write>
void for_words(const RegisterSlot& slot, std::uint8_t epoch, Write&& write) {
  namespace regs = fabric::registers;
  const RegisterImage& image = slot.image;
  write(image.sw, regs::children(slot.slot), std::uint32_t{image.child_mask});
  write(image.sw, regs::control(slot.slot),
        regs::control_word(image.gid, image.parent_port, image.reflect,
                           static_cast<std::uint32_t>(image.op)) |
            std::uint32_t{epoch} << regs::kBarrierControlEpoch.low);
}

}  // namespace muster::btin
