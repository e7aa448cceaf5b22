// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/deaths.hpp"
#include "muster/run/members.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Which groups have lost a member, or a switch or link that their messages use, while they had
/// barriers to do. Such a group may never be done; it is waited for while its members are on their
/// way and for a time after its last event.
class HitGroups {
 public:
  /// All outlive this.
  HitGroups(const RunSpec& spec, const SchemePlan& plan, const fabric::Layout& layout,
            const Members& members);
  /// `routes`: in force. Again when they have been rewritten: what is dead stays so.
  void lose(const Death& death, const topology::Routes& routes);
  /// It is a member of the group, or a part of its network that the group uses with these routes.
  bool has(std::uint32_t group, const Death& death, const topology::Routes& routes) const;
  bool hit(std::uint32_t group) const { return hits_[group].has_value(); }
  /// Every group is done or has been hit and has had no event for `limit` cycles.
  bool all_given_up(std::uint64_t cycle, std::uint64_t limit) const;
  /// Fills in `groups_hit` and `untouched`. REQUIRES: `recovered` is.
  void fill(Casualties& casualties) const;

 private:
  const topology::Graph& graph_;
  const std::vector<RunGroup>& groups_;
  const SchemePlan& plan_;
  const fabric::Layout& layout_;
  const Members& members_;
  std::vector<std::optional<Death>> hits_;  ///< by group: the first
};

/// "sw3", "n17"
std::string block_name(bool node, std::uint32_t id);
/// What has died: as above, or the link, "3:0-1:2" or "3:4-n17".
std::string name_of(const topology::Graph& graph, const Death& death);

}  // namespace muster::run
