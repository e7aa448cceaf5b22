// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/packet_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::checkers {

using core::ChannelId;
using fabric::BarrierPacket;

PacketBarriers::PacketBarriers(const Subject& subject, const std::vector<PacketGroup>& groups)
    : LinkChecker("packet barriers", subject),
      packets_(subject),
      group_of_(std::size_t{1} << subject.formats.gid_width(), kNone) {
  for (const PacketGroup& group : groups) {
    if (group.gid >= group_of_.size() || group_of_[group.gid] != kNone)
      throw InternalError(fmt::format("group identifier {} is too wide or used twice", group.gid));
    group_of_[group.gid] = static_cast<std::uint32_t>(groups_.size());
    State state;
    state.group = group;
    state.members.resize(group.members.size());
    state.member_of.assign(subject.graph.nodes(), kNone);
    for (std::uint32_t m = 0; m < group.members.size(); ++m) state.member_of[group.members[m]] = m;
    if (state.member_of[group.root_node] == kNone)
      throw InternalError(
          fmt::format("group {}: the root node n{} is not a member", group.gid, group.root_node));
    groups_.push_back(std::move(state));
  }
}

void PacketBarriers::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  const bool known =
      packets_.pass(event, [&](std::uint32_t node, bool leaves, const BarrierPacket& packet) {
        judge(cycle, event.channel, node, leaves, packet);
      });
  if (known) return;
  require(false, cycle, event.channel, [] { return std::string("a barrier packet of no length"); });
}

void PacketBarriers::judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
                           const BarrierPacket& packet) {
  const std::uint32_t g = group_of_[packet.gid];
  require(g != kNone, cycle, channel,
          [&] { return fmt::format("packet of the unknown group {}", packet.gid); });
  State& state = groups_[g];
  const bool up = packet.opcode == fabric::kOpcodeArrival;
  const std::uint32_t other = up ? packet.source : packet.destination;
  const std::uint32_t root = up ? packet.destination : packet.source;
  const std::uint32_t m = other < state.member_of.size() ? state.member_of[other] : kNone;
  require(root == state.group.root_node && other != root && m != kNone &&
              node == (leaves ? packet.source : packet.destination),
          cycle, channel, [&] {
            return fmt::format("group {}: {} packet from n{} to n{}, its root node is n{}",
                               packet.gid, up ? "arrival" : "release", packet.source,
                               packet.destination, state.group.root_node);
          });
  if (leaves && packets_.may_lose(packet.source, packet.destination)) state.bereft = true;
  Member& member = state.members[m];
  const std::uint64_t barrier =
      up ? (leaves ? member.arrived : member.announced) : (leaves ? member.sent : member.released);
  require(subject_.formats.barrier_near(barrier, packet.number) == barrier, cycle, channel, [&] {
    return fmt::format("group {}: {} packet of n{} has number {}, the next barrier is {}",
                       packet.gid, up ? "arrival" : "release", other, packet.number, barrier);
  });
  if (up)
    arrival(cycle, channel, leaves, state, member);
  else
    release(cycle, channel, leaves, state, member);
}

void PacketBarriers::arrival(std::uint64_t cycle, ChannelId channel, bool leaves, State& state,
                             Member& member) {
  const auto place = [&] { return fmt::format("group {}: ", state.group.gid); };
  if (leaves) {
    require(member.arrived == member.released, cycle, channel,
            [&] { return place() + fmt::format("second arrival at barrier {}", member.released); });
    ++member.arrived;
    state.arrivals.add(cycle, state.others());
  } else {
    require(member.announced < member.arrived, cycle, channel,
            [&] { return place() + "an arrival that was not sent"; });
    ++member.announced;
    state.announcements.add(cycle, state.others());
  }
}

void PacketBarriers::release(std::uint64_t cycle, ChannelId channel, bool leaves, State& state,
                             Member& member) {
  const std::uint64_t barrier = leaves ? member.sent : member.released;
  const auto place = [&] {
    return fmt::format("group {}, barrier {}: ", state.group.gid, barrier);
  };
  if (leaves) {
    require(state.announcements.before(cycle, barrier), cycle, channel, [&] {
      return place() + fmt::format(
                           "release sent after {} arrivals of all barriers were received, "
                           "{} are one barrier",
                           state.announcements.packets, state.others());
    });
    ++member.sent;
  } else {
    require(state.arrivals.before(cycle, barrier), cycle, channel,
            [&] { return place() + "released before all have arrived"; });
    require(member.released < member.sent, cycle, channel,
            [&] { return place() + "a release that the root node did not send"; });
    ++member.released;
  }
}

void PacketBarriers::lose(std::uint64_t, const Loss& loss) {
  packets_.lose(loss);
  for (State& state : groups_)
    state.bereft |= std::any_of(
        state.group.members.begin(), state.group.members.end(),
        [&](topology::NodeId n) { return packets_.may_lose(n, state.group.root_node); });
}

void PacketBarriers::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_) {
    if (state.bereft) continue;
    const auto root = static_cast<std::uint32_t>(state.member_of[state.group.root_node]);
    const std::uint64_t sent = state.members[root == 0 && state.members.size() > 1 ? 1 : 0].sent;
    for (std::uint32_t m = 0; m < state.members.size(); ++m) {
      const Member& member = state.members[m];
      if (m == root) continue;
      require(member.arrived == member.announced && member.sent == member.released &&
                  member.sent == sent,
              cycle, subject_.layout.into_switch(state.group.members[m]), [&] {
                return fmt::format(
                    "group {}: {} arrivals sent, {} received, {} releases sent, {} received, {} "
                    "sent to others; the network is empty",
                    state.group.gid, member.arrived, member.announced, member.sent, member.released,
                    sent);
              });
    }
  }
}

}  // namespace muster::checkers
