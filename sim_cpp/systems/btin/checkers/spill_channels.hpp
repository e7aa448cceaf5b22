// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

/// Where groups are spilled, among what checkers must know of a run.
struct SpillPorts {
  /// By switch, the mask of its spill port, 0 without; empty if no switch has one.
  std::vector<std::uint16_t> masks;
};

/// The channels between switches and the nodes at their spill ports
/// (docs/systems/barrier-switch.md, "Spill").
class SpillChannels {
 public:
  SpillChannels(const Subject& subject, SpillPorts ports);
  bool any() const { return any_; }  ///< some switch has a spill port
  /// The switch has one. REQUIRES: any().
  bool spills(topology::SwitchId sw) const { return ports_.masks[sw] != 0; }
  /// A place or data, of which a message of a spilled group consists there.
  bool carries(const core::FlitEvent& event) const {
    return any_ && spill_[event.channel] != 0 && event.flit.sync() &&
           formats_.barrier_message(event.flit).type > fabric::MessageType::kDistribution;
  }

 private:
  fabric::Formats formats_;
  SpillPorts ports_;
  bool any_ = false;
  std::vector<std::uint8_t> spill_;  ///< by channel: to or from a spill node
};

}  // namespace muster::checkers
