// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "systems/btin/groups/role.hpp"
#include "systems/btin/groups/switch_setup.hpp"

namespace muster::btin {

/// The outcome for a group, as a member is told.
struct Verdict {
  enum class Kind : std::uint8_t { kAlive, kRefused, kGone } kind = Kind::kAlive;
  Outcome reason = Outcome::kDone;  ///< of a refusal
  SwitchId sw = 0;                  ///< where
};

/// What every member is told of its group.
struct Announcement {
  GroupOptions options;
  std::uint32_t version = 0;  ///< of the network that the tree is planned on
  NodeId creator = 0;
  std::uint32_t changes = 0;    ///< how often it has changed since its creation, 16 bits
  std::vector<NodeId> members;  ///< ascending
};

/// As words of a message in a network of `nodes`: options and version, creator, changes,
/// bitmap of members.
std::vector<std::uint32_t> announcement_words(const Announcement& a, std::uint32_t nodes);
Announcement announcement_at(const std::vector<std::uint32_t>& words, std::size_t place,
                             std::uint32_t nodes);

/// A group at a member.
struct MemberGroup : Announcement {
  Role role;
  Phase phase = Phase::kReserve;
  std::uint32_t awaited = 0;  ///< answers and reports of this phase
  std::uint32_t leaving = 0;  ///< leaves still to come: this node, children, locals
  bool alive = false;         ///< this member has been told
  Verdict verdict;            ///< what the phase will come to

  /// Leaves to come before this member leaves itself, all told.
  std::uint32_t all_leaves() const {
    return static_cast<std::uint32_t>(1 + role.children.size() + role.locals.size());
  }
};

}  // namespace muster::btin
