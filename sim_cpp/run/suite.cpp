// SPDX-License-Identifier: Apache-2.0
#include "run/suite.hpp"

namespace muster::checkers {

Group group_of(const btin::PlannedGroup& planned) {
  Group group{planned.gid, planned.tree.members, planned.tree.root_node, planned.turn, {}};
  for (const btin::TreeEdge& edge : planned.tree.edges)
    group.uplinks.push_back({edge.child, edge.child_port});
  group.op = planned.op;
  return group;
}

CheckerSuite::CheckerSuite(const Subject& subject, const Groups& groups, const Bounds& bounds)
    : packets_(subject),
      credits_(subject),
      routes_(subject),
      conservation_(subject),
      delivery_(subject),
      barriers_(subject, groups.trees),
      spill_(subject),
      bsr_(subject, groups.bsr),
      bsr_bound_(subject, groups.bsr, bounds.hop),
      packet_barriers_(subject, groups.packets),
      nic_barriers_(subject, groups.nics),
      packet_trees_(subject, groups.packet_trees),
      register_packets_(subject),
      fairness_(subject),
      waits_(subject, bounds, delivery_, barriers_),
      worms_(subject, bounds.packet),
      pipe_credits_(subject),
      channels_(static_cast<core::ChannelId>(subject.layout.channels().size())),
      pipes_(subject.pipe != 0),
      preempts_(subject.preempts),
      trees_(!groups.packet_trees.empty()),
      worm_channel_(subject.worm_channel) {}

void CheckerSuite::before_pipe(std::uint64_t cycle, const core::FlitEvent& event) {
  packets_.flit(cycle, event);
  credits_.flit(cycle, event);
  if (is_worm(event)) {
    worms_.flit(cycle, event);
    packet_barriers_.flit(cycle, event);
    return;
  }
  routes_.flit(cycle, event);
  conservation_.flit(cycle, event);
  delivery_.flit(cycle, event);
  if (preempts_) {
    bsr_.flit(cycle, event);
    bsr_bound_.flit(cycle, event);
  } else {
    spill_.flit(cycle, event);
    if (!spill_.takes(event)) barriers_.flit(cycle, event);
  }
  if (trees_)
    packet_trees_.flit(cycle, event);
  else
    packet_barriers_.flit(cycle, event);
  nic_barriers_.flit(cycle, event);
  register_packets_.flit(cycle, event);
}

void CheckerSuite::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                           std::span<const core::CreditEvent> credits) {
  for (const core::FlitEvent& event : flits) {
    if (event.channel < channels_) {
      before_pipe(cycle, event);
      if (is_worm(event)) continue;
      if (pipes_)
        fairness_.out_of_switch(cycle, event);
      else
        fairness_.flit(cycle, event);
    } else {
      const core::FlitEvent behind{event.channel - channels_, event.flit};
      pipe_credits_.flit(cycle, behind);
      if (!is_worm(event)) fairness_.into_switch(cycle, behind);
    }
  }
  for (const core::CreditEvent& event : credits) {
    if (event.channel < channels_) {
      credits_.credit(cycle, event);
      if (preempts_) bsr_bound_.credit(cycle, event);
      if (!pipes_) fairness_.credit(cycle, without_worms(event));
    } else {
      const core::CreditEvent behind{event.channel - channels_, event.credits};
      pipe_credits_.credit(cycle, behind);
      fairness_.credit(cycle, without_worms(behind));
    }
  }
  routes_.end_cycle();
  conservation_.end_cycle(cycle);
  barriers_.end_cycle(cycle);
  spill_.end_cycle(cycle);
  bsr_.end_cycle(cycle);
  waits_.end_cycle(cycle);
  worms_.end_cycle(cycle);
}

void CheckerSuite::finish(std::uint64_t cycle, bool drained) {
  packets_.finish(cycle, drained);
  credits_.finish(cycle, drained);
  pipe_credits_.finish(cycle, drained);
  conservation_.finish(cycle, drained);
  delivery_.finish(cycle, drained);
  barriers_.finish(cycle, drained);
  spill_.finish(cycle, drained);
  bsr_.finish(cycle, drained);
  packet_barriers_.finish(cycle, drained);
  packet_trees_.finish(cycle, drained);
  worms_.finish(cycle, drained);
}

std::vector<CheckerSuite::Total> CheckerSuite::totals() const {
  std::vector<Total> totals;
  for (const Checker* checker : std::initializer_list<const Checker*>{
           &packets_, &credits_, &routes_, &conservation_, &delivery_, &barriers_, &spill_, &bsr_,
           &bsr_bound_, &packet_barriers_, &packet_trees_, &nic_barriers_, &register_packets_,
           &worms_, &fairness_, &waits_})
    totals.push_back({checker->name(), checker->checks()});
  return totals;
}

std::uint64_t CheckerSuite::checks() const {
  std::uint64_t sum = 0;
  for (const Total& total : totals()) sum += total.checks;
  return sum;
}

}  // namespace muster::checkers
