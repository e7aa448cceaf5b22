// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/step_list.hpp"

#include "support/test.hpp"

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

/// What becomes of ranks that walk their lists on a perfect network.
struct Walk {
  std::uint32_t done = 0;   ///< ranks that get through
  std::uint32_t depth = 0;  ///< length of the longest chain of messages
};

/// Rank `absent` never begins.
Walk walk(const Lists& lists, std::uint32_t absent) {
  const auto n = static_cast<std::uint32_t>(lists.size());
  std::vector<std::size_t> at(n, 0);
  std::vector<std::uint32_t> time(n, 0);  // in messages
  std::vector<std::vector<std::uint32_t>> arrival(n);
  for (std::uint32_t i = 0; i < n; ++i) arrival[i].assign(lists[i].size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i == absent) continue;
      for (; at[i] < lists[i].size(); ++at[i], moved = true) {
        const Step& step = lists[i][at[i]];
        if (!step.send && arrival[i][at[i]] == 0) break;
        if (step.send) arrival[step.peer][step.peer_step] = time[i] + 1;
        if (!step.send) time[i] = std::max(time[i], arrival[i][at[i]]);
      }
    }
  }
  Walk result;
  for (std::uint32_t i = 0; i < n; ++i) {
    result.done += i != absent && at[i] == lists[i].size();
    result.depth = std::max(result.depth, time[i]);
  }
  return result;
}

TEST_CASE("no member leaves a step list before all have begun, and then all do",
          "[nic][step_list]") {
  for (const Case& c : kCases)
    for (std::uint32_t n = 2; n <= 64; ++n) {
      const Lists lists = step_lists(c.algorithm, n, c.degree);
      CAPTURE(static_cast<int>(c.algorithm), c.degree, n);
      REQUIRE(walk(lists, n).done == n);
      for (std::uint32_t absent = 0; absent < n; ++absent) REQUIRE(walk(lists, absent).done == 0);
    }
}

TEST_CASE("steps of two members name each other", "[nic][step_list]") {
  for (const Case& c : kCases)
    for (std::uint32_t n = 1; n <= 64; ++n) {
      const Lists lists = step_lists(c.algorithm, n, c.degree);
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t s = 0; s < lists[i].size(); ++s) {
          const Step& step = lists[i][s];
          REQUIRE(lists.at(step.peer).at(step.peer_step) == Step{!step.send, i, s});
          REQUIRE(step.peer != i);
        }
    }
}

TEST_CASE("barriers take the steps that the paper counts", "[nic][step_list]") {
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const auto floor = static_cast<std::uint32_t>(std::bit_width(n) - 1);
    const auto ceil = static_cast<std::uint32_t>(std::bit_width(n - 1));
    CAPTURE(n);
    const auto depth = [n](const Lists& lists) { return walk(lists, n).depth; };
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

TEST_CASE("entries and events say what the list says", "[nic][step_list]") {
  const Lists lists = step_lists(StepAlgorithm::kDissemination, 3, 2);
  const std::vector<topology::NodeId> nodes{4, 9, 300};
  // Rank 0: send 1, wait 2, send 2, wait 1.
  CHECK(
      entry_images(lists, 0, nodes, ListForm::kList, 16) ==
      std::vector<EntryImage>{{0, 0x81010009}, {1, 0x0200012C}, {2, 0x8303012C}, {3, 0x40020009}});
  // Event 0 needs the doorbell; 1 the chain and 2's first; 2, the last, the chain and 1's second.
  CHECK(entry_images(lists, 0, nodes, ListForm::kChained, 16) ==
        std::vector<EntryImage>{{0, 0x84210009}, {1, 0x8842012C}, {2, 0x48000000}});
}

TEST_CASE("each event has one count for each of its sources", "[nic][step_list]") {
  for (const auto algorithm :
       {StepAlgorithm::kGatherBroadcast, StepAlgorithm::kPairwise, StepAlgorithm::kDissemination}) {
    for (std::uint32_t n = 2; n <= 33; ++n) {
      CAPTURE(static_cast<int>(algorithm), n);
      const Lists lists = step_lists(algorithm, n, 3);
      std::vector<topology::NodeId> nodes(n);
      std::iota(nodes.begin(), nodes.end(), 0u);
      std::vector<std::vector<std::uint32_t>> sources(n, std::vector<std::uint32_t>(32, 0));
      std::vector<std::vector<std::uint32_t>> needs = sources;
      for (std::uint32_t i = 0; i < n; ++i) {
        ++sources[i][0];  // the doorbell
        for (const auto& [event, word] : entry_images(lists, i, nodes, ListForm::kChained, 32)) {
          needs[i][event] = word >> 26 & 15;
          if ((word >> 30 & 1) == 0) ++sources[i][word >> 21 & 31];
          if (word >> 31) ++sources[word & 0x7ff][word >> 16 & 31];
        }
      }
      CHECK(sources == needs);
    }
  }
}

TEST_CASE("lists that cannot be are refused", "[nic][step_list]") {
  CHECK_THROWS_AS(step_lists(StepAlgorithm::kGatherBroadcast, 4, 0), InputError);
  CHECK_THROWS_AS(step_lists(StepAlgorithm::kDissemination, 4, 1), InputError);
  const Lists lists = step_lists(StepAlgorithm::kGatherBroadcast, 40, 39);
  std::vector<topology::NodeId> nodes(40);
  std::iota(nodes.begin(), nodes.end(), 0u);
  CHECK_THROWS_AS(entry_images(lists, 0, nodes, ListForm::kList, 32), InputError);
  CHECK_THROWS_AS(entry_images(lists, 0, nodes, ListForm::kChained, 32), InputError);
  const Lists most = step_lists(StepAlgorithm::kGatherBroadcast, 16, 15);
  CHECK(entry_images(most, 0, nodes, ListForm::kChained, 32)[0].word >> 26 == 0x20);  // 16 counts
  const Lists more = step_lists(StepAlgorithm::kGatherBroadcast, 17, 16);
  CHECK_THROWS_AS(entry_images(more, 0, nodes, ListForm::kChained, 32), InputError);
}

}  // namespace
}  // namespace muster::nic
