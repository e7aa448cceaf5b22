// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "muster/fabric/checkers/checker.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

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

/// Between a switch and the node at its spill port (docs/systems/barrier-switch.md, "Spill"), as
/// seen on the links: nothing is lost, duplicated, changed or invented.
/// - Places and data alternate in each direction, and are seen nowhere else.
/// - What a switch hands over came in before at the port that is named, is the oldest of its port
///   and group that has not been handed over, and is unchanged.
/// - What a spilled group sends through a port of the switch the node has said before, unchanged,
///   in order, once.
/// - In an empty network all that the node has said has been sent, and of a spilled group all that
///   has come in has been handed over.
/// A group counts as spilled at a switch from the first message of it that is handed over, until
/// one leaves that the node has not said: then it has a register, which must have taken something.
/// "Before" means in an earlier cycle.
class SpillMessages : public LinkChecker {
 public:
  SpillMessages(const Subject& subject, const SpillPorts& ports);

  Sees sees() const override {
    const bool any = spill_.any();
    return {.sync = any, .cycles = any};
  }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (spill_.any() && event.flit.sync()) messages_.push_back(event);
  }
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  using Queue = std::deque<fabric::BarrierMessage>;
  /// A group at a switch.
  struct Group {
    bool spilled = false;
    std::map<std::uint32_t, Queue> in;   ///< by port: came in, not handed over
    std::map<std::uint32_t, Queue> out;  ///< by port: said by the node, not sent
  };
  using Key = std::pair<topology::SwitchId, std::uint32_t>;  ///< switch, group

  void judge(std::uint64_t cycle);
  void leaves(std::uint64_t cycle, const core::FlitEvent& event,
              const fabric::BarrierMessage& message);
  void comes(const core::FlitEvent& event, const fabric::BarrierMessage& message);
  std::optional<std::pair<std::uint32_t, fabric::BarrierMessage>> whole(
      std::uint64_t cycle, const core::FlitEvent& event, const fabric::BarrierMessage& half);
  void handed_over(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t port,
                   const fabric::BarrierMessage& message);

  SpillChannels spill_;
  std::vector<std::optional<fabric::BarrierMessage>> place_;  ///< by channel
  std::map<Key, Group> groups_;
  std::vector<core::FlitEvent> messages_;  ///< of this cycle
};

}  // namespace muster::checkers
