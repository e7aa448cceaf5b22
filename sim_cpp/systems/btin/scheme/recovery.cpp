// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "fabric/register_map.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/deaths/reroute.hpp"
#include "systems/btin/scheme/retry_scheme.hpp"

namespace muster::btin {
namespace {

namespace regs = fabric::registers;

constexpr std::uint64_t kLook = 32;  // cycles from one look at the interrupts to the next

std::string given_up(std::uint64_t max_wait) {
  return fmt::format("it was given up{}, while its recovery was under way; {} --max-wait",
                     max_wait == 0 ? "" : fmt::format(" after --max-wait {} cycles", max_wait),
                     max_wait == 0 ? "set a longer" : "raise");
}

/// The lowest register of the switch that is in none of `used`.
std::uint32_t lowest_free(const std::vector<RegisterSlot>& used, SwitchId sw) {
  std::uint32_t slot = 0;
  const auto taken = [&](const RegisterSlot& s) { return s.image.sw == sw && s.slot == slot; };
  while (std::any_of(used.begin(), used.end(), taken)) ++slot;
  return slot;
}

/// The root that was chosen by hand: the survivors reach it, and one is there if it has to answer.
bool can_stay(const Graph& rest, const std::vector<NodeId>& members, const PlannedGroup& group) {
  const std::vector<RootCandidate> roots =
      root_candidates(rest, members, group.reflect ? Roots::kAll : Roots::kMembers);
  return std::any_of(roots.begin(), roots.end(), [&](const RootCandidate& candidate) {
    return candidate.root_switch == *group.root;
  });
}

/// A part of the group's tree does not answer: a switch, a member, or a link is down.
bool lacks_something(fabric::Network& network, const BarrierTree& tree) {
  const Graph& graph = network.graph();
  const run::Survivors left = run::what_answers(network);
  const auto gone = [&](SwitchId s) { return !left.switches[s]; };
  if (std::any_of(tree.order.begin(), tree.order.end(), gone)) return true;
  for (const NodeId n : tree.members)
    if (!run::answers(network, n)) return true;
  for (std::size_t l = 0; l < graph.links().size(); ++l)
    for (const TreeEdge& edge : tree.edges)
      for (const topology::PortRef& end : {graph.links()[l].a, graph.links()[l].b})
        if (!left.links[l] && end.sw == edge.child && end.port == edge.child_port) return true;
  return false;
}

/// Members of the group that answer and are connected by what is left: of several parts the one
/// with most of them, of equal ones that with the lowest switch. Ascending.
std::vector<NodeId> survivors_of(fabric::Network& network, const std::vector<NodeId>& members) {
  const Graph& graph = network.graph();
  const run::Survivors left = run::what_answers(network);
  const Graph rest = run::rest_of(graph, left);
  std::vector<NodeId> most;
  std::vector<std::uint8_t> seen(graph.switches(), 0);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!left.switches[s] || seen[s] != 0) continue;
    const std::vector<std::uint32_t> levels = topology::bfs_levels(rest, s);
    std::vector<NodeId> part;
    for (SwitchId other = s; other < graph.switches(); ++other)
      seen[other] |= levels[other] != topology::kUnreachable;
    for (const NodeId n : members)
      if (run::answers(network, n) && levels[graph.node(n).at.sw] != topology::kUnreachable)
        part.push_back(n);
    if (part.size() > most.size()) most = std::move(part);
  }
  return most;
}

/// Plans group `index` of the run on what is left. `others`: registers in use by other groups; a
/// switch has `registers`.
Regrouped regroup(fabric::Network& network, const PlannedGroup& group, std::uint32_t index,
                  const std::vector<RegisterSlot>& others, std::uint32_t registers) {
  Regrouped next{group, {}, {}, {}};
  const std::vector<NodeId> members = survivors_of(network, group.tree.members);
  std::set_difference(group.tree.members.begin(), group.tree.members.end(), members.begin(),
                      members.end(), std::back_inserter(next.lost));
  if (members.empty()) {
    next.stopped = "no member answers";
    return next;
  }
  const run::Survivors left = run::what_answers(network);
  const Graph rest = run::rest_of(network.graph(), left);
  if (next.planned.root && !can_stay(rest, members, next.planned)) next.planned.root.reset();
  plan_group(next.planned, rest, members);
  for (const RegisterImage& image :
       register_images(next.planned.tree, group.gid, group.reflect, group.op)) {
    const std::uint32_t slot = lowest_free(others, image.sw);
    if (slot >= registers)
      next.stopped = fmt::format("{} has no free barrier register",
                                 topology::switch_text(network.graph(), image.sw));
    next.slots.push_back({slot, index, image, false});
  }
  return next;
}

}  // namespace

Recovery::Recovery(fabric::Network& network, std::vector<PlannedGroup>& groups,
                   RegisterPlan& registers, const RecoveryLimits& limits, RetryScheme& hosts)
    : network_(network),
      groups_(groups),
      registers_(registers),
      limits_(limits),
      hosts_(hosts),
      writes_(network),
      periods_(network),
      courses_(groups.size()) {}

/// Of the group, in switches that answer.
template <class F>
void Recovery::for_registers(std::uint32_t group, F&& f) const {
  for (const RegisterSlot& slot : registers_.slots)
    if (slot.group == group && network_.switch_alive(slot.image.sw)) f(slot.image.sw, slot.slot);
}

void Recovery::hold(bool held) {
  for (SwitchId s = 0; s < network_.graph().switches(); ++s) {
    periods_.forget(s);
    periods_.add(s, regs::kPeriods, held ? 0 : limits_.periods);
  }
}

void Recovery::step(std::uint64_t cycle) {
  if (periods_.write_some()) return;
  if (network_.endpoints().packets_held()) return;  // it is busy with tables or links
  writes_.write_some();
  if (cycle % kLook == 0) look(cycle);
  if (under_way_ == 0) return;
  for (std::uint32_t g = 0; g < courses_.size(); ++g) advance(cycle, g);
}

void Recovery::look(std::uint64_t cycle) {
  core::Bank& switches = network_.switches();
  std::vector<std::uint32_t> suspect;
  for (const RegisterSlot& slot : registers_.slots) {
    const SwitchId s = slot.image.sw;
    if (!network_.switch_alive(s) || !switches.irq(s)) continue;
    if ((switches.read_register(s, regs::state(slot.slot)) & regs::kBarrierStateSuspect.mask()) !=
        0)
      suspect.push_back(slot.group);
  }
  for (std::uint32_t g = 0; g < courses_.size(); ++g)
    if (hosts_.asks(cycle, g)) suspect.push_back(g);
  for (const std::uint32_t g : suspect) inquire(cycle, g);
}

void Recovery::inquire(std::uint64_t cycle, std::uint32_t group) {
  Course& course = courses_[group];
  if (course.step != Step::kNone || cycle < course.inquire) return;
  course.inquire = cycle + limits_.suspect;
  ++inquiries_;
  if (!lacks_something(network_, groups_[group].tree)) return;  // a member is late
  begin(cycle, group);
  for_registers(group, [&](SwitchId s, std::uint32_t r) {
    writes_.add(s, regs::command(r), regs::kBarrierCommandAborts.mask());
  });
  hosts_.aborting(group);
  course.until = cycle + limits_.abort;
}

void Recovery::begin(std::uint64_t cycle, std::uint32_t group) {
  Course& course = courses_[group];
  ++under_way_;
  course.step = Step::kAborting;
  course.until = cycle;
  course.epoch = (course.epoch + 1) & 3;
  course.result = results_.size();
  results_.push_back({.group = group, .suspect = cycle, .epoch = course.epoch});
}

void Recovery::reset(std::uint64_t cycle, SwitchId sw) {
  writes_.forget(sw);
  for (const RegisterSlot& slot : registers_.slots) {
    if (slot.image.sw != sw || hosts_.done(slot.group)) continue;
    Course& course = courses_[slot.group];
    if (course.step == Step::kNone) begin(cycle, slot.group);
    if (course.step == Step::kWriting) course.step = Step::kAborting;  // to be written once more
  }
}

void Recovery::advance(std::uint64_t cycle, std::uint32_t group) {
  Course& course = courses_[group];
  switch (course.step) {
    case Step::kAborting:
      if (cycle >= course.until) stop(group);
      break;
    case Step::kStopping:
      if (!writes_.done()) break;
      course.until = cycle + limits_.drain;
      course.step = Step::kDraining;
      break;
    case Step::kDraining:
      if (cycle >= course.until) plan(group);
      break;
    case Step::kWriting:
      if (writes_.done()) go_on(cycle, group);
      break;
    case Step::kNone:
    case Step::kOver:
      break;
  }
}

void Recovery::stop(std::uint32_t group) {
  hosts_.stop(group);
  for_registers(group, [&](SwitchId s, std::uint32_t r) { writes_.add(s, regs::control(r), 0); });
  courses_[group].step = Step::kStopping;
}

void Recovery::give_up(std::uint32_t group) {
  Course& course = courses_[group];
  if (course.step == Step::kOver) return;
  if (course.step != Step::kNone) {
    results_[course.result].stopped = given_up(limits_.max_wait);
    --under_way_;
  }
  stop(group);
  hosts_.give_up(group);
  std::erase_if(registers_.slots, [&](const RegisterSlot& slot) { return slot.group == group; });
  course.step = Step::kOver;
}

void Recovery::plan(std::uint32_t group) {
  Course& course = courses_[group];
  std::erase_if(registers_.slots, [&](const RegisterSlot& slot) { return slot.group == group; });
  course.next = regroup(network_, groups_[group], group, registers_.slots, limits_.registers);
  run::Casualties::Recovery& result = results_[course.result];
  result.lost = course.next.lost;
  result.stopped = course.next.stopped;
  if (!result.stopped.empty()) {
    hosts_.give_up(group);
    course.step = Step::kOver;
    --under_way_;
    return;
  }
  for (const RegisterSlot& slot : course.next.slots)
    write_words(
        slot.image, slot.slot,
        [&](SwitchId sw, std::uint32_t address, std::uint32_t value) {
          writes_.add(sw, address, value);
        },
        course.epoch);
  const auto behind = std::find_if(registers_.slots.begin(), registers_.slots.end(),
                                   [&](const RegisterSlot& slot) { return slot.group > group; });
  registers_.slots.insert(behind, course.next.slots.begin(), course.next.slots.end());
  course.step = Step::kWriting;
}

void Recovery::go_on(std::uint64_t cycle, std::uint32_t group) {
  Course& course = courses_[group];
  groups_[group] = course.next.planned;
  run::Casualties::Recovery& result = results_[course.result];
  result.failed_barrier = hosts_.go_on(cycle, group, course.next, course.epoch);
  result.recovered = cycle;
  course.inquire = cycle + limits_.suspect;
  course.step = Step::kNone;
  --under_way_;
}

}  // namespace muster::btin
