// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "muster/fabric/register_image.hpp"
#include "muster/run/deaths.hpp"
#include "muster/run/members.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Which groups have lost a member or a switch of their tree while they had barriers to do. Such a
/// group may never be done; it is waited for while its members are on their way and for a time
/// after its last event.
class HitGroups {
 public:
  /// `trees`: the registers of all groups, group g having identifier g (SchemePlan::waiting).
  HitGroups(const RunSpec& spec, std::span<const fabric::RegisterImage> trees,
            const Members& members);
  void lose(const Death& death);
  bool hit(std::uint32_t group) const { return hits_[group].has_value(); }
  /// Every group is done or has been hit and has had no event for `limit` cycles.
  bool all_given_up(std::uint64_t cycle, std::uint64_t limit) const;
  /// Fills in `groups_hit` and `untouched`. REQUIRES: `recovered` is.
  void fill(Casualties& casualties) const;

 private:
  bool has(std::uint32_t group, const Death& death) const;

  const std::vector<RunGroup>& groups_;
  const Members& members_;
  std::vector<std::vector<topology::SwitchId>> switches_;  ///< by group
  std::vector<std::optional<Death>> hits_;                 ///< by group: the first
};

/// "sw3", "n17"
std::string block_name(bool node, std::uint32_t id);

}  // namespace muster::run
