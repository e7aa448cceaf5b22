// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/step_list.hpp"

#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::nic {
namespace {

using Lists = std::vector<std::vector<Step>>;

void gather_broadcast(Lists& lists, std::uint32_t i, std::uint32_t degree) {
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

void pairwise(Lists& lists, std::uint32_t i) {
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

void dissemination(Lists& lists, std::uint32_t i, std::uint32_t radix) {
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
void join(Lists& lists) {
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    for (Step& step : lists[i]) {
      const std::vector<Step>& theirs = lists[step.peer];
      const auto peer_step = std::ranges::find_if(
          theirs, [&](const Step& other) { return other.peer == i && other.send != step.send; });
      step.peer_step = static_cast<std::uint32_t>(peer_step - theirs.begin());
    }
  }
}

/// What an entry says of the peer's step that belongs to `step`. The peer is not cut to 11 bits:
/// golden engines have addresses of up to 16.
std::uint32_t peer_word(std::span<const std::vector<Step>> lists, const Step& step,
                        std::span<const topology::NodeId> nodes, ListForm form) {
  const std::uint32_t slot = slot_of(lists[step.peer], step.peer_step, form);
  if (form == ListForm::kChained)
    return event_registers::kEventsWordSlot.put(slot) | nodes[step.peer]
                                                            << event_registers::kEventsWordPeer.low;
  return registers::kListsEntrySlot.put(slot) | nodes[step.peer] << registers::kListsEntryPeer.low;
}

std::vector<EntryImage> step_images(std::span<const std::vector<Step>> lists, std::uint32_t rank,
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
std::vector<EntryImage> event_images(std::span<const std::vector<Step>> lists, std::uint32_t rank,
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

}  // namespace

Lists step_lists(StepAlgorithm algorithm, std::uint32_t members, std::uint32_t degree) {
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
  join(lists);
  return lists;
}

std::uint64_t messages(std::span<const std::vector<Step>> lists) {
  std::uint64_t sends = 0;
  for (const std::vector<Step>& list : lists)
    for (const Step& step : list) sends += step.send;
  return sends;
}

std::uint32_t slot_of(std::span<const Step> list, std::uint32_t step, ListForm form) {
  if (form == ListForm::kList) return step;
  return static_cast<std::uint32_t>(std::ranges::count(list.first(step), true, &Step::send));
}

std::uint32_t entries_of(std::span<const Step> list, ListForm form) {
  if (list.empty()) return 0;
  return slot_of(list, static_cast<std::uint32_t>(list.size()) - 1, form) + 1;
}

std::vector<EntryImage> entry_images(std::span<const std::vector<Step>> lists, std::uint32_t rank,
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

}  // namespace muster::nic
