// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/systems/nic.hpp"
#include "muster/topology/graph.hpp"

namespace muster::nic {

/// The barrier algorithms of the NIC paper, section 5.1. They differ in their step lists only.
enum class StepAlgorithm : std::uint8_t { kGatherBroadcast, kPairwise, kDissemination };

/// A step of a member: a message to another, or the wait for one from it.
struct Step {
  bool send = false;
  std::uint32_t peer = 0;       ///< rank: place in the ascending list of members
  std::uint32_t peer_step = 0;  ///< the peer's step that belongs to it
  friend bool operator==(const Step&, const Step&) = default;
};

/// The steps of each rank, in order, of a group of `members` (at least 1). `degree`: of the tree of
/// gather-broadcast (at least 1), the radix of dissemination (at least 2); pairwise exchange has
/// none. A group of one has no steps. Throws InputError for a degree out of range.
std::vector<std::vector<Step>> step_lists(StepAlgorithm algorithm, std::uint32_t members,
                                          std::uint32_t degree);

/// Messages of one barrier: sends of all ranks.
std::uint64_t messages(std::span<const std::vector<Step>> lists);

/// An entry and the word written there.
struct EntryImage {
  std::uint32_t entry = 0, word = 0;
  friend bool operator==(const EntryImage&, const EntryImage&) = default;
};

/// The entry that step `step` of a list lies in.
std::uint32_t entry_of(std::uint32_t step, ListForm form, std::uint32_t entries);

/// One member's list in a context of `entries` entries; `nodes` are those of all ranks, ascending.
/// All members must use the same form and size. Throws InputError if the list is too long.
std::vector<EntryImage> entry_images(std::span<const Step> steps,
                                     std::span<const topology::NodeId> nodes, ListForm form,
                                     std::uint32_t entries);

}  // namespace muster::nic
