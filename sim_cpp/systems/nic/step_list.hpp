// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "muster/systems/nic.hpp"
#include "muster/topology/graph.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

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

using Lists = std::vector<std::vector<Step>>;  ///< by rank

inline void gather_broadcast(Lists& lists, std::uint32_t i, std::uint32_t degree) {
  const std::uint64_t first = std::uint64_t{degree} * i + 1;
  const std::uint64_t end = std::min<std::uint64_t>(first + degree, lists.size());
  std::vector<Step>& list = lists[i];
  for (std::uint64_t child = first; child < end; ++child)
    list.push_back({false, static_cast<std::uint32_t>(child)});
  if (i != 0) {
    const std::uint32_t parent = (i - 1) / degree;
    list.push_back({true, parent});
    list.push_back({false, parent});
  }
  for (std::uint64_t child = first; child < end; ++child)
    list.push_back({true, static_cast<std::uint32_t>(child)});
}

inline void pairwise(Lists& lists, std::uint32_t i) {
  const auto members = static_cast<std::uint32_t>(lists.size());
  const std::uint32_t power = std::bit_floor(members);
  std::vector<Step>& list = lists[i];
  if (i >= power) {
    list = {{true, i - power}, {false, i - power}};
    return;
  }
  const bool folded = i + power < members;
  if (folded) list.push_back({false, i + power});
  for (std::uint32_t distance = 1; distance < power; distance *= 2) {
    list.push_back({true, i ^ distance});
    list.push_back({false, i ^ distance});
  }
  if (folded) list.push_back({true, i + power});
}

inline void dissemination(Lists& lists, std::uint32_t i, std::uint32_t radix) {
  const std::uint64_t members = lists.size();
  for (std::uint64_t span = 1; span < members; span *= radix) {
    for (const bool send : {true, false}) {
      for (std::uint64_t j = 1; j < radix && j * span < members; ++j) {
        const std::uint64_t to = send ? i + j * span : i + members - j * span;
        lists[i].push_back({send, static_cast<std::uint32_t>(to % members)});
      }
    }
  }
}

/// In each direction two members have at most one step with each other, so that the peer's step is
/// found by its direction.
inline void find_peer_steps(Lists& lists) {
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    for (Step& step : lists[i]) {
      const std::vector<Step>& theirs = lists[step.peer];
      const auto peer_step = std::ranges::find_if(
          theirs, [&](const Step& other) { return other.peer == i && other.send != step.send; });
      step.peer_step = static_cast<std::uint32_t>(peer_step - theirs.begin());
    }
  }
}

/// The steps of each rank, in order, of a group of `members` (at least 1). `degree`: of the tree of
/// gather-broadcast (at least 1), the radix of dissemination (at least 2); pairwise exchange has
/// none. A group of one has no steps. Throws InputError for a degree out of range.
inline Lists step_lists(StepAlgorithm algorithm, std::uint32_t members, std::uint32_t degree) {
  const bool dissemination_list = algorithm == StepAlgorithm::kDissemination;
  if (algorithm != StepAlgorithm::kPairwise && degree < (dissemination_list ? 2u : 1u))
    throw InputError(
        "--degree {}: {} must be at least {}", degree,
        dissemination_list ? "the radix of dissemination" : "the degree of gather-broadcast",
        dissemination_list ? 2 : 1);
  Lists lists(members);
  for (std::uint32_t i = 0; i < members; ++i) {
    if (algorithm == StepAlgorithm::kGatherBroadcast) gather_broadcast(lists, i, degree);
    if (algorithm == StepAlgorithm::kPairwise) pairwise(lists, i);
    if (dissemination_list) dissemination(lists, i, degree);
  }
  find_peer_steps(lists);
  return lists;
}

/// Messages of one barrier: sends of all ranks.
inline std::uint64_t messages(std::span<const std::vector<Step>> lists) {
  std::uint64_t sends = 0;
  for (const std::vector<Step>& list : lists)
    for (const Step& step : list) sends += step.send;
  return sends;
}

/// An entry and the word written there.
struct EntryImage {
  std::uint32_t entry = 0, word = 0;
  friend bool operator==(const EntryImage&, const EntryImage&) = default;
};

/// By which number messages name step `step` of a list: its entry; in chained form its event, which
/// is of all waits up to the next send, and of that send.
inline std::uint32_t slot_of(std::span<const Step> list, std::uint32_t step, ListForm form) {
  if (form == ListForm::kList) return step;
  return static_cast<std::uint32_t>(std::ranges::count(list.first(step), true, &Step::send));
}

/// Entries or events that a list needs.
inline std::uint32_t entries_of(std::span<const Step> list, ListForm form) {
  if (list.empty()) return 0;
  return slot_of(list, static_cast<std::uint32_t>(list.size()) - 1, form) + 1;
}

/// What an entry says of the peer's step that belongs to `step`. The peer is not cut to 11 bits:
/// golden engines have addresses of up to 16.
inline std::uint32_t peer_word(std::span<const std::vector<Step>> lists, const Step& step,
                               std::span<const topology::NodeId> nodes, ListForm form) {
  const std::uint32_t slot = slot_of(lists[step.peer], step.peer_step, form);
  if (form == ListForm::kChained)
    return event_registers::kEventsWordSlot.put(slot) | nodes[step.peer]
                                                            << event_registers::kEventsWordPeer.low;
  return registers::kListsEntrySlot.put(slot) | nodes[step.peer] << registers::kListsEntryPeer.low;
}

inline std::vector<EntryImage> step_images(std::span<const std::vector<Step>> lists,
                                           std::uint32_t rank,
                                           std::span<const topology::NodeId> nodes) {
  const std::vector<Step>& steps = lists[rank];
  std::vector<EntryImage> images;
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    const bool last = s + 1 == steps.size();
    const std::uint32_t word = registers::kListsEntrySend.put(steps[s].send) |
                               registers::kListsEntryLast.put(last) |
                               registers::kListsEntryNext.put(last ? 0 : s + 1);
    images.push_back({s, word | peer_word(lists, steps[s], nodes, ListForm::kList)});
  }
  return images;
}

/// Each event has one count of the doorbell or the chain, and one of each wait.
inline std::vector<EntryImage> event_images(std::span<const std::vector<Step>> lists,
                                            std::uint32_t rank,
                                            std::span<const topology::NodeId> nodes) {
  constexpr std::uint32_t kMostCounts = 1u << kNicCountWidth;
  const std::vector<Step>& steps = lists[rank];
  std::vector<EntryImage> images;
  std::uint32_t counts = 1;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const bool last = s + 1 == steps.size(), send = steps[s].send;
    if (!send) ++counts;
    if (counts > kMostCounts)
      throw InputError(
          "--chained: {} waits in a row are more than an event counts, {}; choose a smaller "
          "--degree",
          counts - 1, kMostCounts - 1);
    if (!send && !last) continue;
    const auto event = static_cast<std::uint32_t>(images.size());
    const std::uint32_t word = event_registers::kEventsWordWrite.put(send) |
                               event_registers::kEventsWordLast.put(last) |
                               event_registers::kEventsWordNeed.put(counts % kMostCounts) |
                               event_registers::kEventsWordNext.put(last ? 0 : event + 1);
    images.push_back(
        {event, send ? word | peer_word(lists, steps[s], nodes, ListForm::kChained) : word});
    counts = 1;
  }
  return images;
}

/// The list of rank `rank` in a context of `entries` entries or events; `nodes` are those of all
/// ranks, ascending. All members must use the same form. Throws InputError if the list is too long,
/// or in chained form has too many waits in a row.
inline std::vector<EntryImage> entry_images(std::span<const std::vector<Step>> lists,
                                            std::uint32_t rank,
                                            std::span<const topology::NodeId> nodes, ListForm form,
                                            std::uint32_t entries) {
  if (const std::uint32_t needs = entries_of(lists[rank], form); needs > entries)
    throw InputError(
        "a list of {} {} does not fit a context of {}; choose another algorithm or a smaller "
        "degree",
        needs, form == ListForm::kList ? "entries" : "events", entries);
  return form == ListForm::kList ? step_images(lists, rank, nodes)
                                 : event_images(lists, rank, nodes);
}

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
