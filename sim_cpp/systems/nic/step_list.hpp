// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

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

/// The place in a member's step list of a program that walks it, barrier after barrier.
class ListWalk {
 public:
  explicit ListWalk(std::size_t steps) : received_(steps, false), early_(steps, false) {}

  bool walking() const { return walking_; }
  void begin() { walking_ = true; }
  /// The message that step `step` waits for has come, of the barrier that is `ahead` of this one's.
  /// False if it cannot be: it has come before, or its sender cannot be so far.
  bool come(std::uint32_t step, std::uint8_t ahead) {
    if (ahead > 1 || step >= received_.size()) return false;
    std::vector<bool>& bits = ahead == 0 ? received_ : early_;
    if (bits[step]) return false;
    bits[step] = true;
    return true;
  }
  /// Calls `send` for each step that sends, up to the next message that has not come. True if there
  /// is none: the list has been walked, and messages that come are those of the next barrier.
  /// REQUIRES: walking().
  template <typename Send>
  bool go_on(const std::vector<Step>& list, Send&& send) {
    for (; step_ < list.size(); ++step_)
      if (list[step_].send)
        send(list[step_]);
      else if (!received_[step_])
        return false;
    walking_ = false;
    step_ = 0;
    received_.swap(early_);
    early_.assign(list.size(), false);
    return true;
  }
  /// Where it stands, for a report.
  std::uint32_t step() const { return step_; }

 private:
  bool walking_ = false;
  std::uint32_t step_ = 0;
  std::vector<bool> received_, early_;
};

}  // namespace muster::nic
