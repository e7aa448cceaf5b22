// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/btin_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/run/resolve.hpp"
#include "muster/topology/names.hpp"
#include "run/wait_bounds.hpp"
#include "systems/btin/check_spec.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/checkers/spill_channels.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/scheme/checked_group.hpp"
#include "systems/btin/scheme/retry_scheme.hpp"
#include "systems/btin/scheme/tree_wave_view.hpp"
#include "systems/btin/tree/register_image.hpp"
#include "systems/btin/tree/tree_text.hpp"

namespace muster::btin {

namespace {

constexpr std::size_t kNamedGroups = 3;  // of those that share a full switch, in a message

}  // namespace

BtinPlan::BtinPlan(const run::ResolvedRun& run)
    : spec_(run.spec),
      homes_(run.homes),
      choice_(run.spec.parts.get<Spec>()),
      many_(choice_.many || (spec_.config && spec_.config->groups != 0)) {
  constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
  if (choice_.in_band && spec_.graph->destinations() > kNames)
    throw InputError(
        fmt::format("--setup in-band: register packets can address {} nodes and switches, the "
                    "network has {}; use a smaller one",
                    kNames, spec_.graph->destinations()));
  for (const run::RunGroup& group : spec_.groups) {
    groups_.push_back({group.name, static_cast<std::uint32_t>(groups_.size()), choice_.reflect,
                       BarrierTree{}, choice_.op, choice_.root});
    plan_group(groups_.back(), *spec_.graph, group.members, choice_.in_band);
    if (!choice_.in_band) continue;
    // An announcement for each member; at each switch of the tree a request or answer and messages
    // of its representative or home node.
    const BarrierTree& tree = groups_.back().tree;
    packet_flits_ += tree.members.size() * (5 + (spec_.graph->nodes() + 15) / 16 + 1) +
                     tree.order.size() * 4 * fabric::kRequestFlits;
  }
}

void BtinPlan::require_registers(fabric::Requirement& need, std::uint32_t available) const {
  if (many_) return require_places(available);
  auto used = registers_needed(groups_);
  if (choice_.spill)
    for (std::size_t s = 0; s < used.size(); ++s)
      if (homes_.home_ports[s] != 0) used[s] = 0;  // any number will do
  const auto busiest = std::max_element(used.begin(), used.end());
  if (busiest == used.end()) return;
  need.regs = *busiest;
  if (*busiest <= available) return;
  const auto s = static_cast<topology::SwitchId>(busiest - used.begin());
  std::vector<std::string> names;
  for (const PlannedGroup& group : groups_) {
    const auto& order = group.tree.order;
    if (group.tree.alone() || std::find(order.begin(), order.end(), s) == order.end()) continue;
    names.push_back("'" + group.name + "'");
  }
  const std::size_t groups = names.size();
  if (groups > kNamedGroups) {
    names.resize(kNamedGroups);
    names.back() += fmt::format(" and {} more", groups - kNamedGroups);
  }
  throw InputError(
      fmt::format("{} is in the trees of {} groups, {}, but has {} barrier registers; use "
                  "fewer simultaneous groups{}",
                  topology::switch_text(*spec_.graph, s), groups, fmt::join(names, ", "), available,
                  choice_.spill ? "; the switch has no node to spill to" : ", or with --spill"));
}

void BtinPlan::require_places(std::uint32_t available) const {
  if (groups_.size() <= available) return;
  throw InputError(
      fmt::format("{} groups at once, but a switch with groups in block RAM has identifiers up to "
                  "{}; use fewer simultaneous groups",
                  groups_.size(), available - 1));
}

std::uint32_t BtinPlan::most_spilled(const fabric::SwitchConfig& config) const {
  if (!choice_.spill) return 0;
  // Trees and places change.
  if (changes_or_moves(spec_)) return static_cast<std::uint32_t>(groups_.size());
  std::uint32_t most = 0;
  for (const std::uint32_t groups : registers_needed(groups_))
    most = std::max(most, groups - std::min(groups, config.regs));
  return most;
}

run::PlanTimes BtinPlan::times(const fabric::SwitchConfig& config) const {
  // docs/systems/barrier-switch.md, The bound: a message and two flits of data for each other
  // group.
  const std::uint64_t latency = run::longest_latency(*spec_.graph);
  const std::uint64_t others = groups_.empty() ? 0 : groups_.size() - 1;
  const std::uint64_t pipe = spec_.profile.pipe;
  // Folding data takes a cycle more than there are ports of a switch at most.
  const std::uint64_t folding =
      (static_cast<unsigned>(choice_.op) & 3u) == 0 ? 0 : config.ports + 1;
  // A pipe is a link more, on which messages of the others go before too. There a message waits for
  // the headers of those and of two packets that an input takes before it.
  const std::uint64_t occupancy = spec_.profile.occupancy;
  const std::uint64_t pipes = pipe == 0 ? 0 : pipe + 1 + others + occupancy * (others + 2);
  // The one that leaves in the last of these cycles is owed no more.
  std::uint64_t owed = latency + 2 + 3 * others + folding + pipes;
  if (fabric::has_pockets(config)) {
    // A port takes one message in the time in which its credit comes back, and each message waits
    // for one of every other port.
    const std::uint64_t turns = config.ports, loop = 2 * latency + 3 + turns + occupancy;
    owed += turns + others * loop;
    // It is decided a cycle later, and may stand behind the first of the queue for one.
    if (config.groups != 0) owed += 2;
    // Those of spilled groups are two flits each, there and back, and take turns with registers'.
    const std::uint64_t spilled = most_spilled(config);
    const std::uint64_t hosts = spec_.profile.send + spec_.profile.receive;
    if (spilled != 0) owed += hosts + 2 * pipe + spilled * config.ports * 8 * (loop + 3 * others);
  }
  // Registers that repeat owe a message until it has come, which no bound covers.
  if (choice_.retry) return {.silence = choice_.retries.period * choice_.retries.age_period()};
  return {.packet_flits = packet_flits_, .owed_cycles = owed};
}

std::vector<fabric::RegisterImage> BtinPlan::waiting() const {
  std::vector<fabric::RegisterImage> images;
  for (const PlannedGroup& group : groups_) {
    const auto more = register_images(group.tree, group.gid, group.reflect);
    images.insert(images.end(), more.begin(), more.end());
  }
  return images;
}

core::Parts BtinPlan::checked() const {
  core::Parts parts;
  auto& groups = parts.make<std::vector<checkers::Group>>();
  for (const PlannedGroup& group : groups_) groups.push_back(checked_group(group));
  if (choice_.spill) parts.make<checkers::SpillPorts>().masks = homes_.home_ports;
  if (choice_.retry) parts.make<checkers::RepeatedMessages>();
  return parts;
}

std::string BtinPlan::describe() const {
  std::string text;
  for (const PlannedGroup& group : groups_) text += tree_text(*spec_.graph, group) + "\n";
  return text;
}

std::string BtinPlan::add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                                    const run::RunResult& result) const {
  return add_tree_rows(rows, {spec_, config, groups_, homes_}, result);
}

std::unique_ptr<run::Scheme> BtinPlan::start(const run::SchemeParts& parts) const {
  if (choice_.retry) return std::make_unique<RetryScheme>(groups_, parts);
  return std::make_unique<BtinScheme>(groups_, parts);
}

}  // namespace muster::btin
