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

/// By which number messages name step `step` of a list: its entry; in chained form its event, which
/// is of all waits up to the next send, and of that send.
std::uint32_t slot_of(std::span<const Step> list, std::uint32_t step, ListForm form);

/// Entries or events that a list needs.
std::uint32_t entries_of(std::span<const Step> list, ListForm form);

/// The list of rank `rank` in a context of `entries` entries or events; `nodes` are those of all
/// ranks, ascending. All members must use the same form. Throws InputError if the list is too long,
/// or in chained form has too many waits in a row.
std::vector<EntryImage> entry_images(std::span<const std::vector<Step>> lists, std::uint32_t rank,
                                     std::span<const topology::NodeId> nodes, ListForm form,
                                     std::uint32_t entries);

}  // namespace muster::nic
