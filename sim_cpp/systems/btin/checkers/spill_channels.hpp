// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

/// The channels between switches and the nodes at their spill ports
/// (docs/systems/barrier-switch.md, "Spill").
class SpillChannels {
 public:
  explicit SpillChannels(const Subject& subject);
  bool any() const { return any_; }  ///< some switch has a spill port
  /// A place or data, of which a message of a spilled group consists there.
  bool carries(const core::FlitEvent& event) const {
    return any_ && spill_[event.channel] != 0 && event.flit.sync() &&
           formats_.barrier_message(event.flit).type > fabric::MessageType::kDistribution;
  }

 private:
  fabric::Formats formats_;
  bool any_ = false;
  std::vector<std::uint8_t> spill_;  ///< by channel: to or from a spill node
};

}  // namespace muster::checkers
