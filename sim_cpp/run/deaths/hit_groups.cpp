// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/hit_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::run {

HitGroups::HitGroups(const RunSpec& spec, std::span<const fabric::RegisterImage> trees,
                     const Members& members)
    : groups_(spec.groups),
      members_(members),
      switches_(spec.groups.size()),
      hits_(spec.groups.size()) {
  for (const fabric::RegisterImage& image : trees) switches_.at(image.gid).push_back(image.sw);
}

bool HitGroups::has(std::uint32_t group, const Death& death) const {
  const auto in = [&](const std::vector<std::uint32_t>& list) {
    return std::find(list.begin(), list.end(), death.id) != list.end();
  };
  return death.node ? in(groups_[group].members) : in(switches_[group]);
}

void HitGroups::lose(const Death& death) {
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    if (!hits_[g] && !members_.done(g) && has(g, death)) hits_[g] = death;
}

bool HitGroups::all_given_up(std::uint64_t cycle, std::uint64_t limit) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (members_.done(g)) continue;
    if (!hits_[g] || members_.scheduled(g) != 0) return false;
    if (cycle - std::max(members_.last_event(g), hits_[g]->cycle) <= limit) return false;
  }
  return true;
}

void HitGroups::fill(Casualties& casualties) const {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (!hits_[g]) {
      casualties.untouched.push_back(groups_[g].name);
      continue;
    }
    const bool recovered =
        std::any_of(casualties.recovered.begin(), casualties.recovered.end(),
                    [&](const Casualties::Recovery& r) { return r.group == g && r.recovered; });
    casualties.groups_hit.push_back({.group = g,
                                     .culprit = block_name(hits_[g]->node, hits_[g]->id),
                                     .cycle = hits_[g]->cycle,
                                     .barriers = members_.current(g),
                                     .last = members_.last_event(g),
                                     .complete = members_.done(g),
                                     .recovered = recovered});
  }
}

std::string block_name(bool node, std::uint32_t id) {
  return fmt::format("{}{}", node ? "n" : "sw", id);
}

}  // namespace muster::run
