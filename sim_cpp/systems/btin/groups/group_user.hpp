// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "muster/systems/btin.hpp"
#include "systems/btin/groups/switch_setup.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

/// What a member is told at the end of a change.
enum class Membership : std::uint8_t { kStays, kJoins, kLeaves };

/// Those who have the barriers of the groups, seen from the software that changes live groups
/// between two barriers (docs/systems/groups.md). Barriers of a group count from 0.
class GroupUser {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  virtual ~GroupUser() = default;
  /// The first barrier without which no member can be released from it or a later one: that for
  /// which the root node has not sent its message (distribution; its arrival if the root switch
  /// reflects).
  virtual std::uint64_t next(std::uint32_t gid) const = 0;
  /// Barriers that a member has been released from.
  virtual std::uint64_t left(topology::NodeId node, std::uint32_t gid) const = 0;
  /// A member has arrived at a barrier that it has not been released from.
  virtual bool arrived(topology::NodeId node, std::uint32_t gid) const = 0;
  /// Cycles since the root node last arrived at a barrier or was released from one.
  virtual std::uint64_t idle(std::uint32_t gid) const = 0;
  /// How many barriers the group will have; kNever if unknown.
  virtual std::uint64_t barriers(std::uint32_t gid) const = 0;
  /// From now on this member arrives at no barrier from `barrier` on; of the root node that barrier
  /// and later ones are not distributed either. kNever: it is free again.
  virtual void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) = 0;

  /// The root node begins a change. If none of its requests is valid it ends here.
  virtual void deciding(std::uint32_t gid) = 0;
  /// The root node knows that all is confirmed, and has told no member; `tree` is the one from
  /// first_barrier on. Of a refusal: that all is undone; `tree` is empty. deciding() came before.
  virtual void changed(const ChangeRecord& record, const BarrierTree& tree) = 0;
  /// A node has been told.
  virtual void told(topology::NodeId node, std::uint32_t gid, Membership membership,
                    std::uint64_t first_barrier) = 0;
  /// A node has been told that its request cannot be fulfilled.
  virtual void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
                       topology::SwitchId sw) = 0;
};

}  // namespace muster::btin
