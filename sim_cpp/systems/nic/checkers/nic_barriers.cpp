// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/checkers/nic_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::checkers {

using core::ChannelId;
using nic::NicMessage;
using nic::NicType;
using nic::Step;

NicBarriers::NicBarriers(const Subject& subject, const std::vector<NicGroup>& groups)
    : LinkChecker("nic barriers", subject),
      first_node_channel_(subject.layout.into_switch(0)),
      passing_(std::size_t{2} * subject.graph.nodes() * subject.vcs) {
  for (const NicGroup& group : groups) {
    if (group.gid != groups_.size())
      throw InternalError(fmt::format("NIC group {} at place {}", group.gid, groups_.size()));
    State state{group, {}, topology::Places(group.members)};
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      state.members.push_back({.come = std::vector<std::uint64_t>(group.lists[m].size(), 0),
                               .early = std::vector<bool>(group.lists[m].size(), false),
                               .gone = std::vector<std::uint64_t>(group.lists[m].size(), 0)});
    }
    groups_.push_back(std::move(state));
  }
}

void NicBarriers::pass(std::uint64_t cycle, const core::FlitEvent& event) {
  const std::uint32_t place = event.channel - first_node_channel_;
  const auto flits = passing_[place * subject_.vcs + event.flit.vc].add(event.flit);
  if (!flits) return;
  const auto message = nic::nic_message(*flits);
  const bool comes = place % 2 != 0;
  if (losses_ && comes && !message) return;
  require(message.has_value(), cycle, event.channel,
          [&] { return fmt::format("a NIC packet of {} flits is malformed", flits->size()); });
  judge(cycle, event.channel, place / 2, place % 2 == 0, *message);
}

void NicBarriers::lose(std::uint64_t, const Loss& loss) {
  losses_ = true;
  // What the block was sending has no more flits.
  const auto& channels = subject_.layout.channels();
  for (std::size_t i = 0; i < passing_.size(); ++i)
    if (loss.is(channels[first_node_channel_ + i / subject_.vcs].from)) passing_[i].clear();
}

/// The step of a member with this peer in this direction; there is one at most.
std::uint32_t NicBarriers::step_with(const State& state, std::uint32_t member,
                                     topology::NodeId peer, bool send) {
  const std::vector<Step>& list = state.group.lists[member];
  for (std::uint32_t s = 0; s < list.size(); ++s)
    if (list[s].send == send && state.group.members[list[s].peer] == peer) return s;
  return kNone;
}

void NicBarriers::judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
                        const NicMessage& m) {
  require(m.group < groups_.size(), cycle, channel,
          [&] { return fmt::format("a NIC packet of the unknown group {}", m.group); });
  State& state = groups_[m.group];
  require(state.places[m.source] != kNone && state.places[m.destination] != kNone &&
              node == (leaves ? m.source : m.destination),
          cycle, channel, [&] {
            return fmt::format("group {}: a NIC's packet from n{} to n{} is not between members",
                               m.group, m.source, m.destination);
          });
  if (m.type != (state.group.point_to_point ? NicType::kData : NicType::kStep)) return;
  if (leaves)
    sent(cycle, channel, state, m);
  else
    come(cycle, channel, state, m);
}

void NicBarriers::come(std::uint64_t cycle, ChannelId channel, State& state, const NicMessage& m) {
  const std::uint32_t rank = state.places[m.destination];
  Member& to = state.members[rank];
  const std::uint32_t step = step_with(state, rank, m.source, false);
  if (step == kNone) return;  // its sender has been reported
  const std::uint64_t barrier = nic::nearest_barrier(to.left, m.barrier);
  const bool first = barrier == to.come[step] || (barrier == to.come[step] + 1 && !to.early[step]);
  if (state.group.form == nic::ListForm::kChained)
    require(first, cycle, channel, [&] {
      return fmt::format("group {}, barrier {}: the step of n{} comes twice", m.group, barrier,
                         m.source);
    });
  // The one before may have been lost and come later, again.
  if (barrier == to.come[step] + 1) to.early[step] = true;
  if (barrier != to.come[step]) return;
  to.come[step] += to.early[step] ? 2 : 1;
  to.early[step] = false;
}

void NicBarriers::sent(std::uint64_t cycle, ChannelId channel, State& state, const NicMessage& m) {
  const std::uint32_t from = state.places[m.source];
  Member& member = state.members[from];
  const std::vector<Step>& list = state.group.lists[from];
  const std::uint64_t barrier = nic::nearest_barrier(member.left, m.barrier);
  const std::uint32_t step = step_with(state, from, m.destination, true);
  const auto what = [&] {
    return fmt::format("group {}, barrier {}: step to n{}, entry {} ", m.group, barrier,
                       m.destination, m.slot);
  };
  require(step != kNone && nic::slot_of(state.group.lists[list[step].peer], list[step].peer_step,
                                        state.group.form) == m.slot,
          cycle, channel, [&] { return what() + "is in no list"; });
  require(barrier < member.begun, cycle, channel,
          [&] { return what() + fmt::format("before n{} has arrived", m.source); });
  for (std::uint32_t s = 0; s < step; ++s)
    require(list[s].send || member.come[s] > barrier, cycle, channel, [&] {
      return what() + fmt::format("before that of n{} has come", state.group.members[list[s].peer]);
    });
  const std::uint64_t before = std::exchange(member.gone[step], barrier + 1);
  if (state.group.form == nic::ListForm::kChained)
    require(before == barrier, cycle, channel,
            [&] { return what() + "is not sent once in each barrier"; });
}

void NicBarriers::arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t m) {
  State& state = groups_[group];
  Member& member = state.members[m];
  const ChannelId channel = subject_.layout.into_switch(state.group.members[m]);
  require(member.begun == member.left, cycle, channel,
          [&] { return fmt::format("group {}: second arrival at a barrier", group); });
  ++member.begun;
  state.slowest = member.begun;
  for (const Member& other : state.members) state.slowest = std::min(state.slowest, other.begun);
}

void NicBarriers::released(std::uint64_t cycle, std::uint32_t group, std::uint32_t m) {
  State& state = groups_[group];
  Member& member = state.members[m];
  const ChannelId channel = subject_.layout.into_switch(state.group.members[m]);
  const auto what = [&] {
    return fmt::format("group {}, barrier {}: released ", group, member.left);
  };
  require(member.begun == member.left + 1, cycle, channel,
          [&] { return what() + "without having arrived"; });
  require(state.slowest > member.left, cycle, channel,
          [&] { return what() + "before all have arrived"; });
  const std::vector<Step>& list = state.group.lists[m];
  for (std::size_t s = 0; s < list.size(); ++s)
    require(list[s].send || member.come[s] > member.left, cycle, channel, [&] {
      return what() +
             fmt::format("before the step of n{} has come", state.group.members[list[s].peer]);
    });
  ++member.left;
}

}  // namespace muster::checkers

namespace muster::nic {

void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) {
  const auto* const own = core::as<const Checked>(&groups);
  list.add(std::make_unique<checkers::NicBarriers>(
               list.subject(), own == nullptr ? std::vector<checkers::NicGroup>{} : own->groups),
           checkers::Concern::kBarrierPackets);
}

}  // namespace muster::nic
