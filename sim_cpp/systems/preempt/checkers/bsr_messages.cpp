// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_messages.hpp"

#include <fmt/format.h>

namespace muster::checkers {

using core::ChannelId;
using core::FlitEvent;
using preempt::BsrMessage;
using preempt::BsrType;

BsrMessages::BsrMessages(const Subject& subject, const std::vector<BsrGroup>& groups)
    : LinkChecker("bsr messages", subject), lines_(subject.layout.channels().size()) {
  for (const BsrGroup& planned : groups) {
    Group group{planned,
                std::vector<Member>(planned.members.size()),
                std::vector<std::uint32_t>(subject.graph.nodes(), kNone),
                {}};
    for (std::uint32_t m = 0; m < planned.members.size(); ++m)
      group.member_of[planned.members[m]] = m;
    groups_.push_back(std::move(group));
  }
}

void BsrMessages::flit(std::uint64_t cycle, const FlitEvent& event) {
  BsrLine& line = lines_[event.channel];
  std::string fault = line.fault(subject_, cycle, event.flit);
  require(fault.empty(), cycle, event.channel, [&] { return fault; });
  if (line.message()) message(cycle, event.channel, *line.message());
}

void BsrMessages::message(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
  require(m.gid < groups_.size(), cycle, channel,
          [&] { return fmt::format("a message of group {}, which does not exist", m.gid); });
  const fabric::Channel& at = subject_.layout.channels()[channel];
  if (at.from.node) {
    from_node(cycle, channel, m);
  } else if (at.to.node) {
    into_node(cycle, channel, m);
  } else {
    std::uint32_t ports = legal(subject_.routes, at.from.id, m);
    if (older_ != nullptr) ports |= legal(*older_, at.from.id, m);
    require(ports >> at.from.port & 1, cycle, channel, [&] {
      return fmt::format(
          "a message of type {} for destination {} leaves by port {}, legal are {:#x}",
          static_cast<int>(m.type), m.destination, at.from.port, ports);
    });
  }
}

std::uint32_t BsrMessages::legal(const topology::Routes& routes, topology::SwitchId s,
                                 const BsrMessage& m) {
  if (m.destination >= routes.destinations()) return 0;
  const std::uint32_t mask = routes.mask(s, m.destination);
  return m.type == BsrType::kFirst ? mask & -mask : mask;
}

BsrMessages::Member& BsrMessages::member(std::uint64_t cycle, ChannelId channel, std::uint32_t node,
                                         std::uint32_t gid, std::uint32_t& place) {
  place = groups_[gid].member_of[node];
  require(place != kNone, cycle, channel,
          [&] { return fmt::format("n{} is not a member of group {}", node, gid); });
  return groups_[gid].members[place];
}

/// An arrival.
void BsrMessages::from_node(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
  const fabric::Channel& at = subject_.layout.channels()[channel];
  std::uint32_t place = kNone;
  Member& who = member(cycle, channel, at.from.id, m.gid, place);
  const std::uint32_t nodes = subject_.graph.nodes(), own = nodes + at.to.id;
  Group& group = groups_[m.gid];
  const bool first = who.arrived == 0;
  const bool due =
      first ? m.type == BsrType::kFirst && m.bnt == preempt::Bnt::kSource && m.source == own &&
                  m.new_node == own && !m.refused &&
                  m.destination == nodes + group.group.center_switch
            : m.type == BsrType::kReduction && m.source == at.from.id && m.destination == own;
  require(due && who.arrived == who.released, cycle, channel, [&] {
    return fmt::format("n{} sends a message of type {} of group {} that is not due, barrier {}",
                       at.from.id, static_cast<int>(m.type), m.gid, who.arrived);
  });
  if (group.arrived.size() == who.arrived) group.arrived.push_back(0);
  ++group.arrived[who.arrived++];
}

/// A release, or the news that the group is refused.
void BsrMessages::into_node(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
  const std::uint32_t node = subject_.layout.channels()[channel].to.id;
  std::uint32_t place = kNone;
  const Member& who = member(cycle, channel, node, m.gid, place);
  if (m.type == BsrType::kFirst && m.refused) return;
  require(m.type == BsrType::kDistribution && who.released < who.arrived, cycle, channel, [&] {
    return fmt::format("a message of type {} of group {} that n{} does not wait for",
                       static_cast<int>(m.type), m.gid, node);
  });
  releases_.push_back({channel, m.gid, place});
}

void BsrMessages::end_cycle(std::uint64_t cycle) {
  for (const Release& release : releases_) {
    Group& group = groups_[release.group];
    Member& who = group.members[release.member];
    const std::uint32_t have = group.arrived[who.released];
    require(have == group.members.size(), cycle, release.channel, [&] {
      return fmt::format("released from barrier {} of group {} after {} of {} arrivals",
                         who.released, release.group, have, group.members.size());
    });
    ++who.released;
  }
  releases_.clear();
}

void BsrMessages::finish(std::uint64_t cycle, bool drained) {
  if (!drained || !subject_.pads) return;
  for (ChannelId c = 0; c < lines_.size(); ++c)
    require(lines_[c].idle(), cycle, c,
            [] { return std::string("half a message or a cut channel in an empty network"); });
  for (const Group& group : groups_)
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      const Member& who = group.members[m];
      const bool all = who.arrived == 0 || group.arrived[who.arrived - 1] == group.members.size();
      require(who.released == who.arrived || !all, cycle,
              subject_.layout.into_node(group.group.members[m]), [&] {
                return fmt::format("a release from barrier {} of group {} is owed", who.released,
                                   group.group.gid);
              });
    }
}

}  // namespace muster::checkers
