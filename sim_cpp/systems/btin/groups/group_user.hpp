// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "systems/btin/groups/switch_setup.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

/// What one change of a live group has been, as its root node knows it. Cycles and messages are
/// filled in by GroupManager.
struct ChangeRecord {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> joined, left;
  bool link = false;                 ///< because a link of its tree is dead
  Outcome outcome = Outcome::kDone;  ///< else nothing has changed, for this reason
  topology::SwitchId sw = 0;         ///< of a refusal
  std::uint64_t first_barrier = 0;   ///< the first with the new members on the new tree
  std::uint32_t added = 0, rewritten = 0, freed = 0, kept = 0;  ///< registers
  std::uint64_t decided = 0;   ///< cycle in which the root node began
  std::uint64_t finished = 0;  ///< cycle in which it knew that all was confirmed
  std::uint64_t messages = 0;  ///< between nodes
  std::uint64_t requests = 0;  ///< to switches in this time, of all groups
};

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
  /// How many barriers the group will have; kNever if nobody knows.
  virtual std::uint64_t barriers(std::uint32_t gid) const = 0;
  /// From now on this member arrives at no barrier from `barrier` on; of the root node that barrier
  /// and later ones are not distributed either. kNever: it is free again.
  virtual void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) = 0;

  /// The root node begins a change. If none of its requests makes sense nothing more comes of it.
  virtual void deciding(std::uint32_t gid) = 0;
  /// The root node knows that all is confirmed, and has told nobody; `tree` is the one from
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
