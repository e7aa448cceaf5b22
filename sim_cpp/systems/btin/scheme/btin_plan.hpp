// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/ranges.h>

#include "muster/run/run.hpp"
#include "run/waits.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/system.hpp"

namespace muster::btin {

/// What the checkers must know of a planned group.
inline checkers::Group checked_group(const PlannedGroup& planned) {
  const BarrierTree& tree = planned.tree;
  checkers::Group group{tree.members, tree.root_node,   planned.reflect,
                        {},           tree.root_switch, planned.op};
  for (const TreeEdge& edge : tree.edges) group.uplinks.push_back({edge.child, edge.child_port});
  return group;
}

/// Adds rows for each group: its members' links at their switches, for each switch of its tree the
/// barrier register, or the spill node's link and latches, and the links of the tree, with barrier
/// messages decoded; of groups set up in band also what the in-band register access units of the
/// switches write. Only switches that are in the waveform. Returns the translation file of links.
std::string add_tree_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                          const fabric::SwitchConfig& config, const fabric::HomeNodes& homes,
                          std::span<const PlannedGroup> groups, const run::RunResult& result);

/// A tree for each group, held in the barrier registers of its switches (BTIN section 3.1).
class BtinPlan : public run::SchemePlan {
 public:
  /// Throws InputError for members that no path joins.
  explicit BtinPlan(const run::ResolvedRun& run)
      : spec_(run.spec),
        homes_(run.homes),
        choice_(run::own<Spec>(run.spec)),
        many_(choice_.many || (spec_.config && variant(*spec_.config).groups != 0)),
        labels_(spec_.config && variant(*spec_.config).labels) {
    if (spec_.config) require_operation(*spec_.config, choice_);
    if (labels_ && choice_.in_band)
      throw InputError(
          "--setup in-band: packets cannot write the labels of switch configuration '{}'; use "
          "--setup host",
          spec_.config->name);
    constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
    if (choice_.in_band && spec_.graph->destinations() > kNames)
      throw InputError(
          "--setup in-band: register packets can address {} nodes and switches, the "
          "network has {}; use a smaller one",
          kNames, spec_.graph->destinations());
    constexpr std::uint32_t kMaskBits = 16;  // of a word of a group message
    if (choice_.in_band && spec_.graph->max_ports() > kMaskBits)
      throw InputError(
          "--setup in-band: group messages have masks of {} ports, a switch of the network has {}; "
          "use --setup host",
          kMaskBits, spec_.graph->max_ports());
    for (const run::RunGroup& group : spec_.groups) {
      groups_.push_back(
          {group.name, static_cast<std::uint32_t>(groups_.size()), choice_.reflect, BarrierTree{},
           choice_.ops.empty() ? choice_.op : choice_.ops.at(groups_.size()), choice_.root});
      plan_group(groups_.back(), *spec_.graph, group.members, choice_.in_band);
      if (!choice_.in_band) continue;
      // An announcement for each member; at each switch of the tree a request or answer and
      // messages of its representative or home node.
      const BarrierTree& tree = groups_.back().tree;
      packet_flits_ += tree.members.size() * (5 + (spec_.graph->nodes() + 15) / 16 + 1) +
                       tree.order.size() * 4 * fabric::kRequestFlits;
    }
  }

  const fabric::SwitchKind& switch_kind() const override { return kBarrierSwitch; }
  void require(fabric::Requirement& need, const run::Available& available) const override {
    Variant wanted{.serial = choice_.serial,
                   .spill = choice_.spill,
                   .retry = choice_.retry,
                   .queued = choice_.queued};
    if (many_) wanted.groups = std::max(static_cast<std::uint32_t>(groups_.size()), 1u);
    need.variant = values(wanted);
    if (choice_.data_bits)
      need.data_w = *choice_.data_bits + (choice_.retry ? fabric::kRetryWidth : 0);
    const std::uint32_t most = available(need);
    if (!many_)
      need.regs = registers(most);
    else if (groups_.size() > most)
      throw InputError(
          "{} groups at once, but a switch with groups in block RAM has identifiers up to "
          "{}; use fewer simultaneous groups",
          groups_.size(), most - 1);
  }
  std::uint32_t hops(std::uint32_t group) const override { return btin::hops(groups_[group].tree); }
  std::uint32_t hop_cycles(const fabric::SwitchConfig& config) const override {
    if (variant(config).queued) return 5;
    return variant(config).groups != 0 ? 3 : 2;
  }
  run::PlanTimes times(const fabric::SwitchConfig& config) const override {
    // docs/systems/barrier-switch.md, The bound: a message and two flits of data for each other
    // group.
    const std::uint64_t latency = run::longest_latency(*spec_.graph);
    const std::uint64_t others = groups_.empty() ? 0 : groups_.size() - 1;
    const std::uint64_t pipe = spec_.profile.pipe;
    // Folding data takes a cycle more than there are ports of a switch at most.
    const bool at_once = choice_.ops.empty() && (static_cast<unsigned>(choice_.op) & 3u) == 0;
    const std::uint64_t folding = at_once ? 0 : config.ports + 1;
    // A pipe is a link more, on which messages of the others go before too. There a message waits
    // for the headers of those and of two packets that an input takes before it.
    const std::uint64_t occupancy = spec_.profile.occupancy;
    const std::uint64_t pipes = pipe == 0 ? 0 : pipe + 1 + others + occupancy * (others + 2);
    // A message may leave in the last of these cycles.
    std::uint64_t owed = latency + 2 + 3 * others + folding + pipes;
    if (fabric::has_pockets(config)) {
      // A port takes one message in the time in which its credit comes back, and each message waits
      // for one of every other port.
      const std::uint64_t turns = config.ports, loop = 2 * latency + 3 + turns + occupancy;
      owed += turns + others * loop;
      // It is decided a cycle later, and may stand behind the first of the queue for one.
      if (variant(config).groups != 0) owed += 2;
      // Those of spilled groups are two flits each, there and back, and take turns with registers'.
      const std::uint64_t spilled = most_spilled(config);
      const std::uint64_t hosts = spec_.profile.send + spec_.profile.receive;
      if (spilled != 0) owed += hosts + 2 * pipe + spilled * config.ports * 8 * (loop + 3 * others);
    }
    // Registers that repeat owe a message until it has come, which no bound covers.
    if (choice_.retry) return {.silence = choice_.retries.period * choice_.retries.age_period()};
    return {
        .packet_flits = packet_flits_, .owed_cycles = owed, .queued = variant(config).queued != 0};
  }
  std::vector<fabric::RegisterImage> waiting() const override { return register_images(groups_); }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<checkers::BarrierTrees>();
    for (const PlannedGroup& group : groups_) checked->groups.push_back(checked_group(group));
    if (labels_)
      for (const RegisterSlot& slot : plan_registers(groups_, spec_.config->regs))
        checked->groups[slot.group].registers[slot.image.sw] = slot.slot;
    if (choice_.spill) checked->spill = homes_.home_ports;
    checked->repeated = choice_.retry;
    return checked;
  }
  std::string describe() const override {
    constexpr std::size_t kMostLines = 40;
    std::string text;
    for (const PlannedGroup& group : groups_)
      text += tree_text(*spec_.graph, group, kMostLines) + "\n";
    return text;
  }
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override {
    return add_tree_rows(rows, spec_, config, homes_, groups_, result);
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    if (choice_.retry) return retry_scheme(groups_, parts);
    if (choice_.in_band) return in_band_scheme(groups_, parts);
    return std::make_unique<BtinScheme>(groups_, parts);
  }

  std::span<const PlannedGroup> groups() const { return groups_; }

 protected:
  const run::RunSpec& spec_;

 private:
  /// The switches that the user names have the operation, and data if it is to have some.
  static void require_operation(const fabric::SwitchConfig& config, const Spec& choice) {
    const std::uint32_t ops = variant(config).ops;
    const auto simple = [](fabric::ReduceOp op) { return (static_cast<unsigned>(op) & 3u) == 0; };
    const bool at_once = simple(choice.op) && std::ranges::all_of(choice.ops, simple);
    if (ops == 0 || (ops == 1 && at_once) ||
        (choice.op == fabric::ReduceOp::kOr && at_once && !choice.data_bits))
      return;
    throw InputError(
        "switch configuration '{}' has Ops = {}, {}; use a configuration "
        "with Ops = 0",
        config.name, ops,
        ops == 1 ? "so --op may be `or` and `and`"
                 : "no data: this run needs --op and --data-bits");
  }
  /// Registers of the busiest switch, of which one has so many at most.
  std::uint32_t registers(std::uint32_t available) const {
    constexpr std::size_t kNamedGroups = 3;  // of those that share a full switch, in the message
    auto used = registers_needed(groups_);
    if (choice_.spill)
      for (std::size_t s = 0; s < used.size(); ++s)
        if (homes_.home_ports[s] != 0) used[s] = 0;  // any number will do
    const auto busiest = std::ranges::max_element(used);
    if (busiest == used.end()) return 0;
    if (*busiest <= available) return *busiest;
    const auto s = static_cast<topology::SwitchId>(busiest - used.begin());
    std::vector<std::string> names;
    for (const PlannedGroup& group : groups_) {
      const auto& order = group.tree.order;
      if (group.tree.alone() || std::ranges::find(order, s) == order.end()) continue;
      names.push_back("'" + group.name + "'");
    }
    const std::size_t groups = names.size();
    if (groups > kNamedGroups) {
      names.resize(kNamedGroups);
      names.back() += fmt::format(" and {} more", groups - kNamedGroups);
    }
    throw InputError(
        "{} is in the trees of {} groups, {}, but has {} barrier registers; use "
        "fewer simultaneous groups{}",
        topology::switch_text(*spec_.graph, s), groups, fmt::join(names, ", "), available,
        choice_.spill ? "; the switch has no node to spill to" : ", or with --spill");
  }
  /// Groups that find no register at the switch with most of them.
  std::uint32_t most_spilled(const fabric::SwitchConfig& config) const {
    if (!choice_.spill) return 0;
    // Trees and places change.
    if (changes_or_moves(spec_)) return static_cast<std::uint32_t>(groups_.size());
    std::uint32_t most = 0;
    for (const std::uint32_t groups : registers_needed(groups_))
      most = std::max(most, groups - std::min(groups, config.regs));
    return most;
  }

  const fabric::HomeNodes& homes_;
  Spec choice_;
  bool many_;    ///< groups in block RAM, each at the place of its identifier
  bool labels_;  ///< switches with labels
  std::vector<PlannedGroup> groups_;
  std::uint64_t packet_flits_ = 0;
};

}  // namespace muster::btin
