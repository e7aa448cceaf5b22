// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>

#include "muster/run/plan.hpp"
#include "run/deaths/reroute.hpp"
#include "run/waits.hpp"
#include "systems/btin/tree.hpp"

namespace muster::btin {

/// What a group goes on with after a recovery (docs/reliability.md, A recovery, steps 4 and 5).
struct Regrouped {
  PlannedGroup planned;             ///< its tree, of those that are left
  std::vector<NodeId> lost;         ///< members that are no more, ascending
  std::vector<RegisterSlot> slots;  ///< registers of the new tree, root first
  std::string stopped;              ///< why it does not go on; empty if it does
};

/// Members of the group that answer and are connected by what is left: of several parts the one
/// with most of them, of equal ones that with the lowest switch. Ascending.
inline std::vector<NodeId> survivors_of(fabric::Network& network,
                                        const std::vector<NodeId>& members) {
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

/// A part of the group's tree does not answer: a switch, a member, or a link is down.
inline bool lacks_something(fabric::Network& network, const BarrierTree& tree) {
  const Graph& graph = network.graph();
  const run::Survivors left = run::what_answers(network);
  const auto gone = [&](SwitchId s) { return !left.switches[s]; };
  if (std::ranges::any_of(tree.order, gone)) return true;
  for (const NodeId n : tree.members)
    if (!run::answers(network, n)) return true;
  for (std::size_t l = 0; l < graph.links().size(); ++l)
    for (const TreeEdge& edge : tree.edges)
      for (const topology::PortRef& end : {graph.links()[l].a, graph.links()[l].b})
        if (!left.links[l] && end.sw == edge.child && end.port == edge.child_port) return true;
  return false;
}

/// Plans group `index` of the run on what is left. `others`: registers in use by other groups; a
/// switch has `registers`.
inline Regrouped regroup(fabric::Network& network, const PlannedGroup& group, std::uint32_t index,
                         const std::vector<RegisterSlot>& others, std::uint32_t registers) {
  Regrouped next{group, {}, {}, {}};
  const std::vector<NodeId> members = survivors_of(network, group.tree.members);
  std::set_difference(group.tree.members.begin(), group.tree.members.end(), members.begin(),
                      members.end(), std::back_inserter(next.lost));
  if (members.empty()) {
    next.stopped = "no member answers";
    return next;
  }
  const Graph rest = run::rest_of(network.graph(), run::what_answers(network));
  // A root that was chosen by hand stays if the survivors reach it, and one is there if it has to
  // answer.
  if (std::optional<SwitchId>& root = next.planned.root)
    if (const auto roots =
            root_candidates(rest, members, group.reflect ? Roots::kAll : Roots::kMembers);
        std::ranges::find(roots, *root, &RootCandidate::root_switch) == roots.end())
      root.reset();
  plan_group(next.planned, rest, members);
  for (const RegisterImage& image : register_images(next.planned)) {
    std::uint32_t slot = 0;  // the lowest that is free
    const auto taken = [&](const RegisterSlot& s) {
      return s.image.sw == image.sw && s.slot == slot;
    };
    while (std::ranges::any_of(others, taken)) ++slot;
    if (slot >= registers)
      next.stopped = fmt::format("{} has no free barrier register",
                                 topology::switch_text(network.graph(), image.sw));
    next.slots.push_back({slot, index, image, false});
  }
  return next;
}

inline std::uint32_t periods_of(const RetrySpec& spec) {
  return fabric::registers::periods_word(spec.period,
                                         static_cast<std::uint32_t>(spec.age_period()));
}

/// The manager of the network, for the groups of a RetryScheme, which is its `Hosts`: it sees
/// suspect registers, asks who is missing, and lets the survivors go on (docs/reliability.md,
/// Recovery). It knows what registers and interrupts say, and whether a block answers.
template <class Hosts>
class Recovery {
 public:
  /// `groups` and `registers` are those in force and are kept so. All references outlive this. The
  /// times are those of docs/reliability.md, A recovery, steps 1 and 3.
  Recovery(const run::SchemeParts& parts, const RetrySpec& spec, std::vector<PlannedGroup>& groups,
           RegisterPlan& registers, Hosts& hosts)
      : network_(parts.network),
        groups_(groups),
        registers_(registers),
        hosts_(hosts),
        periods_word_(periods_of(spec)),
        registers_each_(parts.config.regs),
        suspect_(spec.suspect_cycles()),
        abort_(4 * spec.period + 100),
        drain_(network_.longest_hold() + run::longest_latency(*parts.spec.graph) +
               parts.spec.profile.send + parts.spec.profile.receive + 3 * parts.spec.groups.size() +
               4),
        max_wait_(parts.spec.max_wait),
        writes_(network_),
        periods_(network_),
        courses_(groups.size()) {}
  /// Packets are held, or go again: as long as they are, registers do not repeat, or a switch with
  /// one under way would never be quiescent.
  void hold(bool held) {
    for (SwitchId s = 0; s < network_.graph().switches(); ++s) {
      periods_.forget(s);
      periods_.add(s, fabric::registers::kPeriods, held ? 0 : periods_word_);
    }
  }
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    if (periods_.write_some()) return;
    if (network_.endpoints().packets_held()) return;  // it is busy with tables or links
    writes_.write_some();
    if (cycle % kLook == 0) look(cycle);
    for (std::uint32_t g = 0; g < courses_.size(); ++g) advance(cycle, g);
  }
  /// The switch has been reset in this cycle: registers there are lost.
  void reset(std::uint64_t cycle, SwitchId sw) {
    writes_.forget(sw);
    for (const RegisterSlot& slot : registers_) {
      if (slot.image.sw != sw || hosts_.done(slot.group)) continue;
      Course& course = courses_[slot.group];
      if (course.step == Step::kNone) begin(cycle, slot.group);
      if (course.step == Step::kWriting) course.step = Step::kAborting;  // to be written once more
    }
  }
  /// The group is waited for no more: its registers are cleared, and it stops for good.
  void give_up(std::uint32_t group) {
    Course& course = courses_[group];
    if (course.step == Step::kOver) return;
    if (course.step != Step::kNone) {
      results_[course.result].stopped =
          fmt::format("it was given up{}, while its recovery was under way; {} --max-wait",
                      max_wait_ == 0 ? "" : fmt::format(" after --max-wait {} cycles", max_wait_),
                      max_wait_ == 0 ? "set a longer" : "raise");
    }
    stop(group);
    hosts_.give_up(group);
    std::erase_if(registers_, [&](const RegisterSlot& slot) { return slot.group == group; });
    course.step = Step::kOver;
  }
  /// None is under way, and all words are written.
  bool idle() const {
    return writes_.done() && std::ranges::all_of(courses_, [](const Course& course) {
             return course.step == Step::kNone || course.step == Step::kOver;
           });
  }
  std::span<const run::Casualties::Recovery> results() const { return results_; }
  std::uint64_t inquiries() const { return inquiries_; }  ///< so far

 private:
  static constexpr std::uint64_t kLook = 32;  ///< cycles between two looks at the interrupts

  enum class Step : std::uint8_t { kNone, kAborting, kStopping, kDraining, kWriting, kOver };
  struct Course {
    Step step = Step::kNone;
    std::uint64_t until = 0;    ///< of the step
    std::uint64_t inquire = 0;  ///< not before this cycle
    std::uint8_t epoch = 0;
    Regrouped next = {};     ///< while kWriting
    std::size_t result = 0;  ///< of results_
  };
  void look(std::uint64_t cycle) {
    core::Bank& switches = network_.switches();
    std::vector<std::uint32_t> suspect;
    for (const RegisterSlot& slot : registers_) {
      const SwitchId s = slot.image.sw;
      if (!network_.switch_alive(s) || !switches.irq(s)) continue;
      if ((switches.read_register(s, fabric::registers::state(slot.slot)) &
           fabric::registers::kBarrierStateSuspect.mask()) != 0)
        suspect.push_back(slot.group);
    }
    for (std::uint32_t g = 0; g < courses_.size(); ++g)
      if (hosts_.asks(cycle, g)) suspect.push_back(g);
    for (const std::uint32_t g : suspect) inquire(cycle, g);
  }
  void inquire(std::uint64_t cycle, std::uint32_t group) {
    Course& course = courses_[group];
    if (course.step != Step::kNone || cycle < course.inquire) return;
    course.inquire = cycle + suspect_;
    ++inquiries_;
    if (!lacks_something(network_, groups_[group].tree)) return;  // a member is late
    begin(cycle, group);
    for_registers(group, [&](SwitchId s, std::uint32_t r) {
      writes_.add(s, fabric::registers::command(r),
                  fabric::registers::kBarrierCommandAborts.mask());
    });
    hosts_.aborting(group);
    course.until = cycle + abort_;
  }
  void begin(std::uint64_t cycle, std::uint32_t group) {
    Course& course = courses_[group];
    course.step = Step::kAborting;
    course.until = cycle;
    course.epoch = (course.epoch + 1) & 3;
    course.result = results_.size();
    results_.push_back({.group = group, .suspect = cycle, .epoch = course.epoch});
  }
  void stop(std::uint32_t group) {
    hosts_.stop(group);
    for_registers(group, [&](SwitchId s, std::uint32_t r) {
      writes_.add(s, fabric::registers::control(r), 0);
    });
    courses_[group].step = Step::kStopping;
  }
  void plan(std::uint32_t group) {
    Course& course = courses_[group];
    std::erase_if(registers_, [&](const RegisterSlot& slot) { return slot.group == group; });
    course.next = regroup(network_, groups_[group], group, registers_, registers_each_);
    run::Casualties::Recovery& result = results_[course.result];
    result.lost = course.next.lost;
    result.stopped = course.next.stopped;
    if (!result.stopped.empty()) {
      hosts_.give_up(group);
      course.step = Step::kOver;
      return;
    }
    const auto write = [&](SwitchId sw, std::uint32_t address, std::uint32_t value) {
      writes_.add(sw, address, value);
    };
    for (const RegisterSlot& slot : course.next.slots)
      write_words(slot.image, slot.slot, network_.graph().ports(slot.image.sw), write,
                  course.epoch);
    const auto behind = std::ranges::find_if(
        registers_, [&](const RegisterSlot& slot) { return slot.group > group; });
    registers_.insert(behind, course.next.slots.begin(), course.next.slots.end());
    course.step = Step::kWriting;
  }
  void go_on(std::uint64_t cycle, std::uint32_t group) {
    Course& course = courses_[group];
    groups_[group] = course.next.planned;
    run::Casualties::Recovery& result = results_[course.result];
    result.failed_barrier = hosts_.go_on(cycle, group, course.next, course.epoch);
    result.recovered = cycle;
    course.inquire = cycle + suspect_;
    course.step = Step::kNone;
  }
  void advance(std::uint64_t cycle, std::uint32_t group) {
    Course& course = courses_[group];
    switch (course.step) {
      case Step::kAborting:
        if (cycle >= course.until) stop(group);
        break;
      case Step::kStopping:
        if (!writes_.done()) break;
        course.until = cycle + drain_;
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
  /// Of the group, in switches that answer.
  template <class F>
  void for_registers(std::uint32_t group, F&& f) const {
    for (const RegisterSlot& slot : registers_)
      if (slot.group == group && network_.switch_alive(slot.image.sw)) f(slot.image.sw, slot.slot);
  }

  fabric::Network& network_;
  std::vector<PlannedGroup>& groups_;
  RegisterPlan& registers_;
  Hosts& hosts_;
  std::uint32_t periods_word_;          ///< at 0x011
  std::uint32_t registers_each_;        ///< of a switch
  std::uint64_t suspect_;               ///< cycles between inquiries after a group
  std::uint64_t abort_;                 ///< cycles until members know of a failure
  std::uint64_t drain_;                 ///< cycles until no message of a stopped group is left
  std::uint64_t max_wait_;              ///< --max-wait of the run; 0 if not given
  run::SwitchWrites writes_, periods_;  ///< these go first
  std::vector<Course> courses_;         ///< by group
  std::uint64_t inquiries_ = 0;
  std::vector<run::Casualties::Recovery> results_;
};

}  // namespace muster::btin
