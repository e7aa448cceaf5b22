// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/step_list.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <numeric>

#include "muster/core/error.hpp"

namespace muster::nic {
namespace {

using Lists = std::vector<std::vector<Step>>;

struct Case {
  StepAlgorithm algorithm;
  std::uint32_t degree;
};
constexpr Case kCases[] = {
    {StepAlgorithm::kGatherBroadcast, 1}, {StepAlgorithm::kGatherBroadcast, 2},
    {StepAlgorithm::kGatherBroadcast, 3}, {StepAlgorithm::kGatherBroadcast, 8},
    {StepAlgorithm::kPairwise, 0},        {StepAlgorithm::kDissemination, 2},
    {StepAlgorithm::kDissemination, 3},   {StepAlgorithm::kDissemination, 4},
    {StepAlgorithm::kDissemination, 7}};

/// The ranks that get through their lists on a perfect network if rank `absent` never begins.
std::uint32_t finishers(const Lists& lists, std::uint32_t absent) {
  const auto n = static_cast<std::uint32_t>(lists.size());
  std::vector<std::size_t> at(n, 0);
  std::vector<std::vector<bool>> got(n);
  for (std::uint32_t i = 0; i < n; ++i) got[i].assign(lists[i].size(), false);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i == absent) continue;
      for (; at[i] < lists[i].size(); ++at[i], moved = true) {
        const Step& step = lists[i][at[i]];
        if (!step.send && !got[i][at[i]]) break;
        if (step.send) got[step.peer][step.peer_step] = true;
      }
    }
  }
  std::uint32_t done = 0;
  for (std::uint32_t i = 0; i < n; ++i) done += i != absent && at[i] == lists[i].size();
  return done;
}

TEST_CASE("nobody leaves a step list before all have begun, and then all do", "[nic][step_list]") {
  for (const Case& c : kCases) {
    for (std::uint32_t n = 2; n <= 64; ++n) {
      const Lists lists = step_lists(c.algorithm, n, c.degree);
      CAPTURE(static_cast<int>(c.algorithm), c.degree, n);
      REQUIRE(finishers(lists, n) == n);
      for (std::uint32_t absent = 0; absent < n; ++absent) REQUIRE(finishers(lists, absent) == 0);
    }
  }
}

TEST_CASE("steps of two members name each other", "[nic][step_list]") {
  for (const Case& c : kCases) {
    for (std::uint32_t n = 1; n <= 64; ++n) {
      const Lists lists = step_lists(c.algorithm, n, c.degree);
      for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t s = 0; s < lists[i].size(); ++s) {
          const Step& step = lists[i][s];
          const Step& theirs = lists.at(step.peer).at(step.peer_step);
          REQUIRE(theirs == Step{!step.send, i, s});
          REQUIRE(step.peer != i);
        }
      }
    }
  }
}

/// Length of the longest chain of messages.
std::uint32_t depth(const Lists& lists) {
  std::vector<std::size_t> at(lists.size(), 0);
  std::vector<std::uint32_t> time(lists.size(), 0);
  std::vector<std::vector<std::uint32_t>> arrival(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) arrival[i].assign(lists[i].size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (; at[i] < lists[i].size(); ++at[i], moved = true) {
        const Step& step = lists[i][at[i]];
        if (step.send) {
          arrival[step.peer][step.peer_step] = time[i] + 1;
        } else if (arrival[i][at[i]] == 0) {
          break;
        } else {
          time[i] = std::max(time[i], arrival[i][at[i]]);
        }
      }
    }
  }
  return *std::max_element(time.begin(), time.end());
}

TEST_CASE("barriers take the steps that the paper counts", "[nic][step_list]") {
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const auto floor = static_cast<std::uint32_t>(std::bit_width(n) - 1);
    const auto ceil = static_cast<std::uint32_t>(std::bit_width(n - 1));
    CAPTURE(n);
    CHECK(depth(step_lists(StepAlgorithm::kDissemination, n, 2)) == ceil);
    // The two further steps of pairwise exchange overlap with the first exchange of those who are
    // not folded, if there are enough of them.
    const std::uint32_t further = std::has_single_bit(n)           ? 0
                                  : 2 * n <= 3 * std::bit_floor(n) ? 1
                                                                   : 2;
    CHECK(depth(step_lists(StepAlgorithm::kPairwise, n, 0)) == floor + further);
    CHECK(depth(step_lists(StepAlgorithm::kGatherBroadcast, n, n)) == 2);
    CHECK(messages(step_lists(StepAlgorithm::kDissemination, n, 2)) == n * ceil);
    CHECK(messages(step_lists(StepAlgorithm::kGatherBroadcast, n, 2)) == 2 * (n - 1));
  }
}

TEST_CASE("entries say in either form what the list says", "[nic][step_list]") {
  const Lists lists = step_lists(StepAlgorithm::kDissemination, 3, 2);
  const std::vector<topology::NodeId> nodes{4, 9, 300};
  // Rank 0: send 1, wait 2, send 2, wait 1.
  CHECK(
      entry_images(lists[0], nodes, ListForm::kList, 16) ==
      std::vector<EntryImage>{{0, 0x81010009}, {1, 0x0200012C}, {2, 0x8303012C}, {3, 0x40020009}});
  CHECK(entry_images(lists[0], nodes, ListForm::kChained, 16) ==
        std::vector<EntryImage>{
            {0, 0x8F0F0009}, {15, 0x0E00012C}, {14, 0x8D0D012C}, {13, 0x400E0009}});
}

TEST_CASE("lists that cannot be are refused", "[nic][step_list]") {
  CHECK_THROWS_AS(step_lists(StepAlgorithm::kGatherBroadcast, 4, 0), InputError);
  CHECK_THROWS_AS(step_lists(StepAlgorithm::kDissemination, 4, 1), InputError);
  const Lists lists = step_lists(StepAlgorithm::kGatherBroadcast, 40, 39);
  std::vector<topology::NodeId> nodes(40);
  std::iota(nodes.begin(), nodes.end(), 0u);
  CHECK_THROWS_AS(entry_images(lists[0], nodes, ListForm::kList, 32), InputError);
}

}  // namespace
}  // namespace muster::nic
