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

namespace {
constexpr const char* kNames[] = {"arrival", "release", "acknowledgement"};
}

PacketTrees::PacketTrees(const Subject& subject, const std::vector<PacketTree>& groups)
    : LinkChecker("packet trees", subject),
      packets_(subject),
      group_of_(std::size_t{1} << subject.formats.gid_width(), kNone) {
  for (const PacketTree& group : groups) {
    if (group.gid >= group_of_.size() || group_of_[group.gid] != kNone)
      throw InternalError(fmt::format("group identifier {} is too wide or used twice", group.gid));
    group_of_[group.gid] = static_cast<std::uint32_t>(groups_.size());
    State state;
    state.group = group;
    state.edges.resize(group.members.size());
    state.children.resize(group.members.size());
    state.member_of.assign(subject.graph.nodes(), kNone);
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      state.member_of[group.members[m]] = m;
      if (group.parent[m] != m) state.children[group.parent[m]].push_back(m);
    }
    groups_.push_back(std::move(state));
  }
}

void PacketTrees::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  const bool known =
      packets_.pass(event, [&](std::uint32_t node, bool leaves, const BarrierPacket& packet) {
        judge(cycle, event.channel, node, leaves, packet);
      });
  if (known) return;
  require(false, cycle, event.channel, [] { return std::string("a barrier packet of no length"); });
}

void PacketTrees::judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
                        const BarrierPacket& packet) {
  const std::uint32_t g = group_of_[packet.gid];
  require(g != kNone, cycle, channel,
          [&] { return fmt::format("packet of the unknown group {}", packet.gid); });
  State& state = groups_[g];
  const Phase phase = packet.opcode == fabric::kOpcodeArrival   ? kUp
                      : packet.opcode == fabric::kOpcodeRelease ? kDown
                                                                : kAck;
  const auto place = [&](std::uint32_t n) {
    return n < state.member_of.size() ? state.member_of[n] : kNone;
  };
  const std::uint32_t from = place(packet.source), to = place(packet.destination);
  const std::uint32_t child = phase == kDown ? to : from, parent = phase == kDown ? from : to;
  const bool of_tree = child != kNone && parent != kNone && child != parent &&
                       state.group.parent[child] == parent &&
                       node == (leaves ? packet.source : packet.destination);
  require(of_tree && packet.opcode != fabric::kOpcodeWorm, cycle, channel, [&] {
    return fmt::format("group {}: {} packet from n{} to n{}, which is not an edge of its tree",
                       packet.gid, kNames[phase], packet.source, packet.destination);
  });
  if (leaves && packets_.may_lose(packet.source, packet.destination)) state.bereft = true;
  Edge& edge = state.edges[child];
  std::uint32_t& count = (leaves ? edge.sent : edge.received)[phase];
  const auto text = [&](const char* what) {
    return fmt::format("group {}: {} packet from n{} to n{}, number {}, of barrier {}: {}",
                       packet.gid, kNames[phase], packet.source, packet.destination, packet.number,
                       count, what);
  };
  require(subject_.formats.barrier_near(count, packet.number) == count, cycle, channel,
          [&] { return text("another number is next"); });
  if (leaves) {
    require(may_send(state, from, phase, count, cycle), cycle, channel,
            [&] { return text("the message before it has not come"); });
  } else {
    require(count < edge.sent[phase], cycle, channel, [&] { return text("it was not sent"); });
    edge.since[phase] = cycle;
  }
  ++count;
}

/// A member may send its packet of a phase and barrier.
bool PacketTrees::may_send(const State& state, std::uint32_t who, Phase phase,
                           std::uint32_t barrier, std::uint64_t cycle) const {
  const auto has = [&](std::uint32_t child, Phase of, std::uint32_t count) {
    const Edge& edge = state.edges[child];
    return edge.received[of] > count || (edge.received[of] == count && edge.since[of] < cycle);
  };
  const auto all = [&](Phase of, std::uint32_t count) {
    return std::all_of(state.children[who].begin(), state.children[who].end(),
                       [&](std::uint32_t child) { return count == 0 || has(child, of, count); });
  };
  const bool root = state.group.parent[who] == who;
  if (phase == kUp) return all(kUp, barrier + 1) && state.edges[who].sent[kAck] >= barrier;
  if (phase == kAck) return has(who, kDown, barrier + 1) && all(kAck, barrier + 1);
  return root ? all(kUp, barrier + 1) && all(kAck, barrier) : has(who, kDown, barrier + 1);
}

void PacketTrees::lose(std::uint64_t, const Loss& loss) {
  packets_.lose(loss);
  for (State& state : groups_)
    for (std::uint32_t m = 0; m < state.group.members.size(); ++m)
      state.bereft |=
          packets_.may_lose(state.group.members[m], state.group.members[state.group.parent[m]]);
}

void PacketTrees::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_)
    for (std::uint32_t m = 0; m < state.edges.size() && !state.bereft; ++m) {
      const Edge& edge = state.edges[m];
      const std::uint32_t barriers = edge.sent[kUp];
      const bool even =
          std::all_of(std::begin(edge.sent), std::end(edge.sent),
                      [&](std::uint32_t n) { return n == barriers; }) &&
          std::equal(std::begin(edge.sent), std::end(edge.sent), std::begin(edge.received));
      require(even, cycle, subject_.layout.into_switch(state.group.members[m]), [&] {
        return fmt::format(
            "group {}: {}, {}, {} arrivals, releases, acknowledgements sent, {}, {}, {} received; "
            "the network is empty",
            state.group.gid, edge.sent[0], edge.sent[1], edge.sent[2], edge.received[0],
            edge.received[1], edge.received[2]);
      });
    }
}

}  // namespace muster::checkers
