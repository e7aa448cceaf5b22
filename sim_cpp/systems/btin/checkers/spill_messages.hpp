// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// Where groups are spilled: by switch, the mask of its spill port, 0 without; empty if no switch
/// has one.
using SpillPorts = std::vector<core::PortMask>;

/// The channels between switches and the nodes at their spill ports
/// (docs/systems/barrier-switch.md, "Spill").
class SpillChannels {
 public:
  SpillChannels(const Subject& subject, SpillPorts ports)
      : formats_(subject.formats),
        ports_(std::move(ports)),
        spill_(subject.layout.channels().size(), 0) {
    for (std::size_t c = 0; c < spill_.size(); ++c) {
      const fabric::Channel& channel = subject.layout.channels()[c];
      if (ports_.empty() || channel.from.node == channel.to.node) continue;
      const fabric::End& sw = channel.from.node ? channel.to : channel.from;
      spill_[c] = ports_[sw.id] >> sw.port & 1;
      any_ = any_ || spill_[c] != 0;
    }
  }
  bool any() const { return any_; }  ///< some switch has a spill port
  /// The switch has one. REQUIRES: any().
  bool spills(topology::SwitchId sw) const { return ports_[sw] != 0; }
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
  using FlitEvent = core::FlitEvent;
  using BarrierMessage = fabric::BarrierMessage;

 public:
  SpillMessages(const Subject& subject, const SpillPorts& ports)
      : LinkChecker("spill", subject),
        spill_(subject, ports),
        place_(subject.layout.channels().size()) {}

  Sees sees() const override {
    const bool any = spill_.any();
    return {.sync = any, .cycles = any};
  }
  void flit(std::uint64_t, const FlitEvent& event) override {
    if (spill_.any() && event.flit.sync()) messages_.push_back(event);
  }
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (const auto& [key, group] : groups_) {
      for (const auto& [port, said] : group.out)
        require_at(said.empty(), cycle, key.first, [&said = said, port = port] {
          return fmt::format("{} of the spill node for port {} was not sent, the network is empty",
                             text(said.front()), port);
        });
      for (const auto& [port, in] : group.in)
        require_at(!group.spilled || in.empty(), cycle, key.first, [&in = in, port = port] {
          return fmt::format(
              "{} that came in at port {} was not passed to the spill node, the network is empty",
              text(in.front()), port);
        });
    }
  }

 private:
  static std::string text(const BarrierMessage& m) {
    return fmt::format("message of type {} of group {} with data {:x}:{:016x}",
                       static_cast<int>(m.type), m.gid, m.data.hi, m.data.lo);
  }
  using Queue = std::deque<BarrierMessage>;
  /// A group at a switch.
  struct Group {
    bool spilled = false;
    std::map<std::uint32_t, Queue> in;   ///< by port: came in, not handed over
    std::map<std::uint32_t, Queue> out;  ///< by port: said by the node, not sent
  };
  using Key = std::pair<topology::SwitchId, std::uint32_t>;  ///< switch, group

  void judge(std::uint64_t cycle) {
    // What leaves switches first: its cause is in an earlier cycle.
    for (const FlitEvent& event : messages_)
      if (!subject_.layout.channels()[event.channel].from.node)
        leaves(cycle, event, subject_.formats.barrier_message(event.flit));
    for (const FlitEvent& event : messages_) {
      if (subject_.layout.channels()[event.channel].to.node) continue;
      const BarrierMessage message = subject_.formats.barrier_message(event.flit);
      if (!spill_.carries(event)) {
        comes(event, message);
      } else if (const auto said = whole(cycle, event, message)) {
        const topology::SwitchId sw = subject_.layout.channels()[event.channel].to.id;
        groups_[{sw, message.gid}].out[said->first].push_back(said->second);
      }
    }
    messages_.clear();
  }
  void leaves(std::uint64_t cycle, const FlitEvent& event, const BarrierMessage& message) {
    if (spill_.carries(event)) {
      if (const auto m = whole(cycle, event, message))
        handed_over(cycle, event, m->first, m->second);
      return;
    }
    const fabric::End& from = subject_.layout.channels()[event.channel].from;
    const auto found = groups_.find({from.id, message.gid});
    if (found == groups_.end()) return;  // nothing has come in: the barrier checker's business
    Group& group = found->second;
    auto& said = group.out[from.port];
    if (!said.empty()) {
      require(said.front() == message, cycle, event.channel,
              [&] { return text(message) + ", the spill node has said a " + text(said.front()); });
      said.pop_front();
      return;
    }
    bool taken = false;
    for (const auto& [port, queue] : group.in) taken = taken || !queue.empty();
    require(!group.spilled || taken, cycle, event.channel,
            [&] { return text(message) + ", which the spill node has not said"; });
    group.spilled = false;
    group.in.clear();
  }
  void comes(const FlitEvent& event, const BarrierMessage& message) {
    const fabric::End& to = subject_.layout.channels()[event.channel].to;
    if (spill_.spills(to.id)) groups_[{to.id, message.gid}].in[to.port].push_back(message);
  }
  /// Port and message if `half` completes one.
  std::optional<std::pair<std::uint32_t, BarrierMessage>> whole(std::uint64_t cycle,
                                                                const FlitEvent& event,
                                                                const BarrierMessage& half) {
    std::optional<BarrierMessage>& place = place_[event.channel];
    const bool is_place = half.type == fabric::MessageType::kSpillPlace;
    require(is_place != place.has_value(), cycle, event.channel, "spill {} of group {} {}",
            is_place ? "place" : "data", half.gid,
            is_place ? "before the data of the last" : "without a place");
    if (is_place) {
      require(half.data.lo < 32 && half.data.hi == 0, cycle, event.channel,
              "spill place with data {:#x}", half.data.lo);
      place = half;
      return std::nullopt;
    }
    require(place->gid == half.gid, cycle, event.channel,
            "spill data of group {} after the place of group {}", half.gid, place->gid);
    const fabric::SpillPlace at = fabric::spill_place(*place);
    place.reset();
    return std::pair{at.port, BarrierMessage{at.type, half.gid, half.data}};
  }
  void handed_over(std::uint64_t cycle, const FlitEvent& event, std::uint32_t port,
                   const BarrierMessage& message) {
    Group& group = groups_[{subject_.layout.channels()[event.channel].from.id, message.gid}];
    auto& in = group.in[port];
    require(!in.empty(), cycle, event.channel, [&] {
      return fmt::format("{} passed to the spill node that has not come in at port {}",
                         text(message), port);
    });
    require(in.front() == message, cycle, event.channel, [&] {
      return fmt::format("{} passed to the spill node; at port {} came a {}", text(message), port,
                         text(in.front()));
    });
    in.pop_front();
    group.spilled = true;
  }

  SpillChannels spill_;
  std::vector<std::optional<BarrierMessage>> place_;  ///< by channel
  std::map<Key, Group> groups_;
  std::vector<FlitEvent> messages_;  ///< of this cycle
};

}  // namespace muster::checkers
