// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/register_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "muster/core/error.hpp"

namespace muster::btin {
namespace {

void check_identifiers(std::span<const PlannedGroup> groups, std::uint32_t max_gid) {
  std::map<std::uint32_t, const PlannedGroup*> owner;
  for (const PlannedGroup& group : groups) {
    if (group.gid > max_gid)
      throw InputError(
          fmt::format("group '{}' has identifier {}, but this configuration supports up to {}; "
                      "choose a smaller one or a wider group identifier",
                      group.name, group.gid, max_gid));
    const auto [place, is_new] = owner.emplace(group.gid, &group);
    if (!is_new)
      throw InputError(
          fmt::format("groups '{}' and '{}' both have identifier {}; give each its own",
                      place->second->name, group.name, group.gid));
  }
}

}  // namespace

void plan_group(PlannedGroup& group, const Graph& graph, std::span<const NodeId> members,
                bool organized) {
  const Roots roots = group.reflect && !organized ? Roots::kAll : Roots::kMembers;
  try {
    group.tree = plan_tree(graph, members, roots, group.root);
  } catch (const InputError& error) {
    if (!group.root) throw;
    throw InputError(fmt::format("--root, group '{}': {}", group.name, error.what()));
  }
}

std::vector<std::uint32_t> registers_needed(std::span<const PlannedGroup> groups) {
  std::vector<std::uint32_t> needed;
  for (const PlannedGroup& group : groups) {
    needed.resize(std::max(needed.size(), group.tree.switches.size()));
    if (group.tree.alone()) continue;
    for (const SwitchId s : group.tree.order) ++needed[s];
  }
  return needed;
}

RegisterPlan plan_registers(std::span<const PlannedGroup> groups, std::uint32_t registers,
                            std::uint32_t max_gid, std::span<const std::uint16_t> spill_ports) {
  check_identifiers(groups, max_gid);
  const std::vector<std::uint32_t> needed = registers_needed(groups);
  RegisterPlan plan;
  plan.used.assign(needed.size(), 0);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const PlannedGroup& group = groups[g];
    for (const RegisterImage& image :
         register_images(group.tree, group.gid, group.reflect, group.op)) {
      std::uint32_t& used = plan.used[image.sw];
      if (used == registers && !spill_ports.empty() && spill_ports[image.sw] != 0) {
        plan.slots.push_back({0, g, image, true});
        continue;
      }
      if (used == registers)
        throw InputError(fmt::format(
            "group '{}' finds no free barrier register on switch {}: it has {} and all groups need "
            "{}; use fewer simultaneous groups or a configuration with more registers",
            group.name, image.sw, registers, needed[image.sw]));
      plan.slots.push_back({used++, g, image, false});
    }
  }
  return plan;
}

RegisterPlan plan_places(std::span<const PlannedGroup> groups, std::uint32_t places) {
  check_identifiers(groups, places - 1);
  RegisterPlan plan;
  plan.used = registers_needed(groups);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const PlannedGroup& group = groups[g];
    for (const RegisterImage& image :
         register_images(group.tree, group.gid, group.reflect, group.op))
      plan.slots.push_back({group.gid, g, image, false});
  }
  return plan;
}

}  // namespace muster::btin
