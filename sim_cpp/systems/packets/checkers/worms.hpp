// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <set>

#include "muster/run/own.hpp"
#include "systems/packets/checkers/packet_barriers.hpp"

namespace muster::checkers {

/// Multidestination worms (docs/systems/baselines.md), all of them in the worm channel:
/// - a worm has 1 to kWormAddresses address flits, then two flits of payload;
/// - each address flit that leaves a switch has come into it, and leaves once, by the deterministic
///   port of its destination;
/// - every node that a worm names gets its own address and the payload as it was sent, once, and in
///   order for each source; no node gets anything else; nothing is missing from an empty network;
/// - no copy is under way for longer than a bound.
class Worms : public LinkChecker {
  using ChannelId = core::ChannelId;
  using Formats = fabric::Formats;

 public:
  /// `bound`: cycles from the tail's injection to the ejection of the last copy.
  Worms(const Subject& subject, std::uint64_t bound)
      : LinkChecker("worms", subject),
        bound_(bound),
        passing_(subject.layout.channels().size()),
        inside_(subject.graph.switches()) {}

  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kWorms,
            .cycles = true};
  }
  /// REQUIRES: a flit of the worm channel.
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    Passing& worm = passing_[event.channel];
    if (event.flit.head()) worm = {};
    const bool begun = !worm.payload.empty();
    if (event.flit.head() || (!begun && Formats::opcode(event.flit) == fabric::kOpcodeWorm)) {
      worm.addresses.push_back(Formats::destination(event.flit));
      require(worm.addresses.size() <= fabric::kWormAddresses, cycle, event.channel,
              "worm of more than {} addresses", fabric::kWormAddresses);
      address(cycle, event);
      return;
    }
    worm.payload.push_back(event.flit);
    require(event.flit.tail() == (worm.payload.size() == 2), cycle, event.channel,
            "flit {} of a worm's payload is{} its tail", worm.payload.size(),
            event.flit.tail() ? "" : " not");
    if (!event.flit.tail()) return;
    const fabric::Channel& channel = subject_.layout.channels()[event.channel];
    if (channel.from.node) inject(cycle, event.channel, worm, channel.from.id);
    if (channel.to.node) eject(cycle, event.channel, worm, channel.to.id);
  }
  /// After all flits of the cycle: what came in it can not leave in it.
  void end_cycle(std::uint64_t cycle) override {
    for (const auto& [sw, destination] : entered_) inside_[sw].insert(destination);
    entered_.clear();
    if (injected_.empty()) return;
    const std::uint64_t age = cycle - *injected_.begin();
    require(age <= bound_, cycle, 0, "worm in flight for {} cycles, at most {}", age, bound_);
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (const auto& [flow, copies] : under_way_)
      require(copies.empty(), cycle, subject_.layout.into_node(flow.second),
              "{} worms of n{} to n{} have not reached it; the network is empty", copies.size(),
              flow.first, flow.second);
  }

 private:
  /// A worm, or what is left of it, passing over a channel.
  struct Passing {
    std::vector<std::uint32_t> addresses;
    std::vector<core::Flit> payload;
  };
  /// A copy of a payload on its way to a node.
  struct Copy {
    std::uint64_t source_and_stream, barrier;  ///< the two flits
    std::uint64_t injected;
  };
  using Flow = std::pair<std::uint32_t, std::uint32_t>;  ///< source, destination

  void address(std::uint64_t cycle, const core::FlitEvent& event) {
    const fabric::Channel& channel = subject_.layout.channels()[event.channel];
    const std::uint32_t destination = Formats::destination(event.flit);
    require(
        Formats::opcode(event.flit) == fabric::kOpcodeWorm && destination < subject_.graph.nodes(),
        cycle, event.channel, "worm for destination {}, which is not a node", destination);
    if (!channel.to.node) entered_.emplace_back(channel.to.id, destination);
    if (channel.from.node) return;
    auto& inside = inside_[channel.from.id];
    const auto found = inside.find(destination);
    require(found != inside.end(), cycle, event.channel,
            "worm address n{} leaves without having come in, or leaves again", destination);
    inside.erase(found);
    const std::uint32_t port = subject_.routes.next_port(channel.from.id, destination);
    require(channel.from.port == port, cycle, event.channel,
            "worm address n{} leaves by port {}, its route is {}", destination, channel.from.port,
            port);
  }
  void inject(std::uint64_t cycle, ChannelId channel, const Passing& worm, std::uint32_t node) {
    require(Formats::source(worm.payload[0]) == node, cycle, channel,
            "worm names source n{}, sent by n{}", Formats::source(worm.payload[0]), node);
    for (const std::uint32_t destination : worm.addresses) {
      under_way_[{node, destination}].push_back({worm.payload[0].lo, worm.payload[1].lo, cycle});
      injected_.insert(cycle);
    }
  }
  void eject(std::uint64_t cycle, ChannelId channel, const Passing& worm, std::uint32_t node) {
    require(worm.addresses.size() == 1 && worm.addresses[0] == node, cycle, channel,
            "n{} gets a worm of {} addresses, the first n{}", node, worm.addresses.size(),
            worm.addresses[0]);
    const std::uint32_t source = Formats::source(worm.payload[0]);
    const auto flow = under_way_.find({source, node});
    require(flow != under_way_.end() && !flow->second.empty(), cycle, channel,
            "worm of n{} to n{} is not in flight: duplicated or invented", source, node);
    const Copy copy = flow->second.front();
    require(copy.source_and_stream == worm.payload[0].lo && copy.barrier == worm.payload[1].lo,
            cycle, channel, "worm of n{} to n{} out of order or changed", source, node);
    flow->second.pop_front();
    injected_.erase(injected_.find(copy.injected));
  }

  std::uint64_t bound_;
  std::vector<Passing> passing_;                                       ///< by channel
  std::vector<std::multiset<std::uint32_t>> inside_;                   ///< by switch: destinations
  std::vector<std::pair<topology::SwitchId, std::uint32_t>> entered_;  ///< in this cycle
  std::map<Flow, std::deque<Copy>> under_way_;
  std::multiset<std::uint64_t> injected_;  ///< cycles of all that are under way
};

/// What checkers know of the groups of a run with barriers by packets.
struct PacketTrees : run::CheckedGroups {
  PacketKind kind = PacketKind::kStars;  ///< of all groups
  std::vector<PacketTree> groups;
};

}  // namespace muster::checkers
