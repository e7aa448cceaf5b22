// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/worms.hpp"

#include <fmt/format.h>

#include <memory>

namespace muster::checkers {

using core::ChannelId;
using fabric::Formats;

Worms::Worms(const Subject& subject, std::uint64_t bound)
    : LinkChecker("worms", subject),
      bound_(bound),
      passing_(subject.layout.channels().size()),
      inside_(subject.graph.switches()) {}

void Worms::flit(std::uint64_t cycle, const core::FlitEvent& event) {
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

void Worms::address(std::uint64_t cycle, const core::FlitEvent& event) {
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

void Worms::inject(std::uint64_t cycle, ChannelId channel, const Passing& worm,
                   std::uint32_t node) {
  require(Formats::source(worm.payload[0]) == node, cycle, channel,
          "worm names source n{}, sent by n{}", Formats::source(worm.payload[0]), node);
  for (const std::uint32_t destination : worm.addresses) {
    under_way_[{node, destination}].push_back({worm.payload[0].lo, worm.payload[1].lo, cycle});
    injected_.insert(cycle);
  }
}

void Worms::eject(std::uint64_t cycle, ChannelId channel, const Passing& worm, std::uint32_t node) {
  require(worm.addresses.size() == 1 && worm.addresses[0] == node, cycle, channel,
          "n{} gets a worm of {} addresses, the first n{}", node, worm.addresses.size(),
          worm.addresses[0]);
  const std::uint32_t source = Formats::source(worm.payload[0]);
  const auto flow = under_way_.find({source, node});
  require(flow != under_way_.end() && !flow->second.empty(), cycle, channel,
          "worm of n{} to n{} is not in flight: duplicated or invented", source, node);
  const Copy copy = flow->second.front();
  require(copy.source_and_stream == worm.payload[0].lo && copy.barrier == worm.payload[1].lo, cycle,
          channel, "worm of n{} to n{} out of order or changed", source, node);
  flow->second.pop_front();
  injected_.erase(injected_.find(copy.injected));
}

void Worms::end_cycle(std::uint64_t cycle) {
  for (const auto& [sw, destination] : entered_) inside_[sw].insert(destination);
  entered_.clear();
  if (injected_.empty()) return;
  const std::uint64_t age = cycle - *injected_.begin();
  require(age <= bound_, cycle, 0, "worm in flight for {} cycles, at most {}", age, bound_);
}

void Worms::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const auto& [flow, copies] : under_way_) {
    require(copies.empty(), cycle, subject_.layout.into_node(flow.second),
            "{} worms of n{} to n{} have not reached it; the network is empty", copies.size(),
            flow.first, flow.second);
  }
}

}  // namespace muster::checkers

namespace muster::packets {

void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) {
  using checkers::Concern, checkers::PacketKind;
  const auto* const own = core::as<const Checked>(&groups);
  // Before the checkers of barriers, which rely on whole worms.
  list.add(std::make_unique<checkers::Worms>(list.subject(), list.bounds().packet),
           Concern::kOtherPackets);
  const auto add = [&](PacketKind kind, bool applies) {
    const bool here = own != nullptr && own->kind == kind;
    list.add(std::make_unique<checkers::PacketBarriers>(
                 list.subject(), kind, here ? own->groups : std::vector<checkers::PacketTree>{},
                 list.bounds().packet),
             Concern::kBarrierPackets, applies);
  };
  const bool trees = own != nullptr && own->kind == PacketKind::kTrees;
  add(PacketKind::kStars, !trees);
  if (list.subject().units) add(PacketKind::kUnits, true);
  add(PacketKind::kTrees, trees);
}

}  // namespace muster::packets
