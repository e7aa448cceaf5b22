// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/fabric/link_outputs.hpp"
#include "lockstep/lockstep_bank.hpp"

namespace muster::verif {

/// A switch has no outputs but those of its links.
class SwitchOutputs : public LinkOutputs<core::Bank> {
 protected:
  using Message = LinkMessage;

  explicit SwitchOutputs(const Side& device) : LinkOutputs(device.blocks(), device.ports()) {}

  static std::string name(std::uint32_t b) { return fmt::format("sw{}", b); }
  static std::string register_name(std::uint32_t address);
  static std::vector<StateWord> state(std::uint32_t b, Side& side) {
    return link_state(b, side, register_name);
  }
  static std::string text(std::uint32_t b, const Side& side) { return side.describe(b); }
  static std::vector<std::string> lines(std::uint32_t b, Side& side,
                                        const std::vector<Message>& messages);
};

using LockstepSwitchBank = LockstepBank<SwitchOutputs>;

}  // namespace muster::verif
