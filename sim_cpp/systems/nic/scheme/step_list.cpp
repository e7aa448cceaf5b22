// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/step_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "muster/core/error.hpp"
#include "systems/nic/blocks/nic_registers.hpp"

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
      const auto peer_step = std::find_if(theirs.begin(), theirs.end(), [&](const Step& other) {
        return other.peer == i && other.send != step.send;
      });
      step.peer_step = static_cast<std::uint32_t>(peer_step - theirs.begin());
    }
  }
}

}  // namespace

Lists step_lists(StepAlgorithm algorithm, std::uint32_t members, std::uint32_t degree) {
  const bool dissemination_list = algorithm == StepAlgorithm::kDissemination;
  if (algorithm != StepAlgorithm::kPairwise && degree < (dissemination_list ? 2u : 1u))
    throw InputError(fmt::format(
        "--degree {}: {} must be at least {}", degree,
        dissemination_list ? "the radix of dissemination" : "the degree of gather-broadcast",
        dissemination_list ? 2 : 1));
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

std::uint32_t entry_of(std::uint32_t step, ListForm form, std::uint32_t entries) {
  return form == ListForm::kList || step == 0 ? step : entries - step;
}

std::vector<EntryImage> entry_images(std::span<const Step> steps,
                                     std::span<const topology::NodeId> nodes, ListForm form,
                                     std::uint32_t entries) {
  if (steps.size() > entries)
    throw InputError(fmt::format(
        "a list of {} steps does not fit a context of {} entries; choose another algorithm or "
        "a smaller degree",
        steps.size(), entries));
  std::vector<EntryImage> images;
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    const Step& step = steps[s];
    const bool last = s + 1 == steps.size();
    const std::uint32_t next = last ? 0 : entry_of(s + 1, form, entries);
    const std::uint32_t word =
        registers::kListsEntrySend.put(step.send) | registers::kListsEntryLast.put(last) |
        registers::kListsEntryNext.put(next) |
        registers::kListsEntrySlot.put(entry_of(step.peer_step, form, entries)) | nodes[step.peer];
    images.push_back({entry_of(s, form, entries), word});
  }
  return images;
}

}  // namespace muster::nic
