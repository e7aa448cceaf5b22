// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/checker_list.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/step_list.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// A group whose members' NICs pass step lists (docs/systems/nic-engine.md), or chain remote writes
/// by them (there, Event unit). Its identifier is its number.
struct NicGroup {
  std::vector<topology::NodeId> members;      ///< ascending
  std::vector<std::vector<nic::Step>> lists;  ///< by member
  nic::ListForm form = nic::ListForm::kList;
  bool point_to_point = false;  ///< steps are DATA, not STEP
};

/// The meaning of NIC barriers, seen on the channels of the nodes, and what the run tells of its
/// members: a member arrives and is released once per barrier, in turn, and is released only after
/// all have arrived. On the channels, for each group:
/// - packets are whole, with a good CRC (faults come behind the channels; after a loss link ends
///   may have cut short what comes to a node), from the node whose channel it is, between members;
/// - a step that a node sends is in its list and of a barrier that it has arrived at, and for each
///   wait before it in the list the peer's step of that barrier has come to the node before, at
///   least once, undamaged or not;
/// - it names the entry, or the event, that the peer's wait belongs to; of events, a node sends
///   each step once in a barrier, and each comes once;
/// - a member is released only when that holds for all its waits.
/// "Before" and "after" mean in an earlier and a later cycle, or, for what the run tells, not later
/// and not earlier. Numbers of barriers are told apart as far as they are at most 127 apart.
class NicBarriers : public LinkChecker {
  using ChannelId = core::ChannelId;
  using NicMessage = nic::NicMessage;
  using Step = nic::Step;

 public:
  NicBarriers(const Subject& subject, const std::vector<NicGroup>& groups)
      : LinkChecker("nic barriers", subject),
        first_node_channel_(subject.layout.into_switch(0)),
        passing_(std::size_t{2} * subject.graph.nodes() * subject.vcs) {
    for (const NicGroup& group : groups) {
      State state{group, {}, topology::Places(group.members)};
      for (const std::vector<Step>& list : group.lists)
        state.members.push_back({.come = std::vector<std::uint64_t>(list.size(), 0),
                                 .early = std::vector<bool>(list.size(), false),
                                 .gone = std::vector<std::uint64_t>(list.size(), 0)});
      groups_.push_back(std::move(state));
    }
  }

  Sees sees() const override {
    const bool any = !groups_.empty();
    return {.heads = any, .bodies = any, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (!groups_.empty() && event.channel >= first_node_channel_ && !event.flit.sync())
      pass(cycle, event);
  }
  void lose(std::uint64_t, const Loss& loss) override {
    losses_ = true;
    // What the block was sending has no more flits.
    const auto& channels = subject_.layout.channels();
    for (std::size_t i = 0; i < passing_.size(); ++i)
      if (loss.is(channels[first_node_channel_ + i / subject_.vcs].from)) passing_[i].clear();
  }
  /// From the run, `member` being a place in the group's list.
  void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t m) {
    State& state = groups_[group];
    Member& member = state.members[m];
    const ChannelId channel = subject_.layout.into_switch(state.group.members[m]);
    require(member.begun == member.left, cycle, channel, "group {}: second arrival at a barrier",
            group);
    ++member.begun;
    state.slowest = member.begun;
    for (const Member& other : state.members) state.slowest = std::min(state.slowest, other.begun);
  }
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t m) {
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

 private:
  static constexpr std::uint32_t kNone = topology::Places::kNone;
  struct Member {
    std::uint64_t begun = 0, left = 0;  ///< barriers
    std::vector<std::uint64_t> come;    ///< by step: barriers whose step has come, at a wait
    std::vector<bool> early;            ///< by step: that of the next barrier has come as well
    std::vector<std::uint64_t> gone;    ///< by step: barriers whose step has been sent
  };
  struct State {
    NicGroup group;
    std::vector<Member> members;
    topology::Places places;
    std::uint64_t slowest = 0;  ///< barriers that all have arrived at
  };
  void pass(std::uint64_t cycle, const core::FlitEvent& event) {
    const std::uint32_t place = event.channel - first_node_channel_;
    const auto flits = passing_[place * subject_.vcs + event.flit.vc].add(event.flit);
    if (!flits) return;
    const auto message = nic::nic_message(*flits);
    const bool comes = place % 2 != 0;
    if (losses_ && comes && !message) return;
    require(message.has_value(), cycle, event.channel, "a NIC packet of {} flits is malformed",
            flits->size());
    judge(cycle, event.channel, place / 2, place % 2 == 0, *message);
  }
  void judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
             const NicMessage& m) {
    require(m.group < groups_.size(), cycle, channel, "a NIC packet of the unknown group {}",
            m.group);
    State& state = groups_[m.group];
    require(state.places[m.source] != kNone && state.places[m.destination] != kNone &&
                node == (leaves ? m.source : m.destination),
            cycle, channel, "group {}: a NIC's packet from n{} to n{} is not between members",
            m.group, m.source, m.destination);
    if (m.type != (state.group.point_to_point ? nic::NicType::kData : nic::NicType::kStep)) return;
    if (leaves)
      sent(cycle, channel, state, m);
    else
      come(cycle, channel, state, m);
  }
  void sent(std::uint64_t cycle, ChannelId channel, State& state, const NicMessage& m) {
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
        return what() +
               fmt::format("before that of n{} has come", state.group.members[list[s].peer]);
      });
    const std::uint64_t before = std::exchange(member.gone[step], barrier + 1);
    if (state.group.form == nic::ListForm::kChained)
      require(before == barrier, cycle, channel,
              [&] { return what() + "is not sent once in each barrier"; });
  }
  void come(std::uint64_t cycle, ChannelId channel, State& state, const NicMessage& m) {
    const std::uint32_t rank = state.places[m.destination];
    Member& to = state.members[rank];
    const std::uint32_t step = step_with(state, rank, m.source, false);
    if (step == kNone) return;  // its sender has been reported
    const std::uint64_t barrier = nic::nearest_barrier(to.left, m.barrier);
    const bool first =
        barrier == to.come[step] || (barrier == to.come[step] + 1 && !to.early[step]);
    if (state.group.form == nic::ListForm::kChained)
      require(first, cycle, channel, "group {}, barrier {}: the step of n{} comes twice", m.group,
              barrier, m.source);
    // The one before may have been lost and come later, again.
    if (barrier == to.come[step] + 1) to.early[step] = true;
    if (barrier != to.come[step]) return;
    to.come[step] += to.early[step] ? 2 : 1;
    to.early[step] = false;
  }
  /// The step of a member with this peer in this direction; there is one at most.
  static std::uint32_t step_with(const State& state, std::uint32_t member, topology::NodeId peer,
                                 bool send) {
    const std::vector<Step>& list = state.group.lists[member];
    for (std::uint32_t s = 0; s < list.size(); ++s)
      if (list[s].send == send && state.group.members[list[s].peer] == peer) return s;
    return kNone;
  }

  ChannelId first_node_channel_;
  std::vector<nic::NicAssembly> passing_;  ///< by node channel and virtual channel
  std::vector<State> groups_;
  bool losses_ = false;  ///< there have been some
};

/// What checkers know of the groups of a run with NIC barriers.
struct NicGroups : run::CheckedGroups {
  std::vector<NicGroup> groups;
};

}  // namespace muster::checkers
