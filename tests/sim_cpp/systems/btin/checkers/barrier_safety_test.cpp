// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_safety.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("a group that contradicts the graph is refused", "[checkers][barrier_tree]") {
  const Stage stage;
  const auto refused = [&](const Group& group) {
    return report_of([&] { barrier_tree(group, stage.graph, stage.layout); });
  };
  CHECK_THAT(refused({7, {1, 2}, 0, false, {{1, 0}}}),
             Contains("group 7: the root node n0 is not"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {}}), Contains("switch 1 is not part of it"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 1}}}), Contains("1:1 leads to no switch"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 3}}}), Contains("1:3 leads to no switch"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 0}, {1, 0}}}),
             Contains("switch 1 has two parents"));
}

using fabric::MessageType;

constexpr auto kUp = MessageType::kReduction, kDown = MessageType::kDistribution;

struct Seen {
  std::uint64_t cycle;
  core::ChannelId channel;
  MessageType type;
  std::uint64_t data;
  std::uint32_t gid = 7;
};
using Stream = std::vector<Seen>;

/// All four nodes, switch 1 below switch 0.
Group group(bool reflect) { return {7, {0, 1, 2, 3}, 0, reflect, {{1, 0}}}; }

/// One barrier, root node n0; places are named below. Two more can follow it at once.
enum { kN1Up, kN2Up, kN3Up, kS1Up, kNotice, kAnswer, kS1Down, kN1Down, kN2Down, kN3Down };
Stream by_root_node(std::uint64_t start = 0) {
  return {{start + 1, Stage::kFromN1, kUp, 1},   {start + 2, Stage::kFromN2, kUp, 2},
          {start + 5, Stage::kFromN3, kUp, 4},   {start + 8, Stage::kBack, kUp, 6},
          {start + 11, Stage::kToN0, kUp, 7},    {start + 13, Stage::kFromN0, kDown, 15},
          {start + 16, Stage::kOver, kDown, 15}, {start + 16, Stage::kToN1, kDown, 15},
          {start + 19, Stage::kToN2, kDown, 15}, {start + 19, Stage::kToN3, kDown, 15}};
}
/// The same with n0 a member like the others (first in the list), the root switch reflects.
Stream by_turn() {
  return {{1, Stage::kFromN0, kUp, 8},   {1, Stage::kFromN1, kUp, 1},
          {2, Stage::kFromN2, kUp, 2},   {5, Stage::kFromN3, kUp, 4},
          {8, Stage::kBack, kUp, 6},     {11, Stage::kOver, kDown, 15},
          {11, Stage::kToN1, kDown, 15}, {11, Stage::kToN0, kDown, 15},
          {14, Stage::kToN2, kDown, 15}, {14, Stage::kToN3, kDown, 15}};
}

std::string shown(const Group& group, const Stream& stream, bool drained = true) {
  const Stage stage;
  BarrierSafety checker(stage.subject(), {group});
  return report_of([&] {
    std::uint64_t last = 0;
    for (const Seen& s : stream) last = std::max(last, s.cycle);
    for (std::uint64_t cycle = 0; cycle <= last; ++cycle) {
      for (const Seen& s : stream) {
        if (s.cycle != cycle) continue;
        checker.flit(cycle, {s.channel, stage.message(s.type, s.gid, s.data)});
      }
      checker.end_cycle(cycle);
    }
    checker.finish(last, drained);
  });
}
std::string shown(bool reflect, const Stream& stream, bool drained = true) {
  return shown(group(reflect), stream, drained);
}
Stream earlier(Stream stream, std::size_t i, std::uint64_t cycle) {
  stream[i].cycle = cycle;
  return stream;
}

TEST_CASE("a correct barrier passes, in any order within a cycle", "[checkers][barriers]") {
  CHECK(shown(true, by_turn()) == "");
  Stream stream = by_root_node();
  CHECK(shown(false, stream) == "");
  std::reverse(stream.begin(), stream.end());
  CHECK(shown(false, stream) == "");
}

TEST_CASE("barriers follow back to back, early members before the last is released",
          "[checkers][barriers]") {
  Stream stream = by_root_node();
  for (Seen seen : by_root_node(25)) stream.push_back(seen);
  stream[10].cycle = 17;  // n1 arrives again before n2 and n3 are released
  CHECK(shown(false, stream) == "");
  stream[10].cycle = 16;  // in the cycle of its release
  CHECK_THAT(shown(false, stream), Contains("second arrival of n1"));
}

TEST_CASE("a release before all have arrived is reported with those missing",
          "[checkers][barriers]") {
  CHECK_THAT(shown(false, earlier(by_root_node(), kN1Down, 3)),
             Contains("cycle 3, 0:2 -> n1: checker barriers: group 7, barrier 0: n1 released "
                      "before all have arrived, missing n0, n3"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kAnswer, 4)),
             Contains("distribution before all have arrived, missing n0, n3"));
  CHECK_THAT(shown(true, earlier(by_turn(), 6, 3)),
             Contains("before all have arrived, missing n3"));
  // In the very cycle of the last arrival.
  CHECK_THAT(shown(true, earlier(by_turn(), 6, 5)), Contains("before all have arrived"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kN1Down, 13)),
             Contains("before all have arrived"));
}

TEST_CASE("a release that the switch above has not got is reported", "[checkers][barriers]") {
  CHECK_THAT(shown(false, earlier(by_root_node(), kN2Down, 15)),
             Contains("distribution message to n2, which has had 0; switch 1 has had 0"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kN2Down, 16)),  // in the same cycle
             Contains("distribution message to n2, which has had 0; switch 1 has had"));
  CHECK_THAT(shown(true, earlier(by_turn(), 5, 7)),
             Contains("to switch 1, which has had 0; switch 0 has had 0"));
}

TEST_CASE("second arrivals, second messages and second releases are reported",
          "[checkers][barriers]") {
  for (const std::size_t i : {kN1Up, kN2Up, kS1Up, kNotice}) {
    Seen again = by_root_node()[i];
    ++again.cycle;
    CHECK_THAT(shown(false, with(by_root_node(), again)),
               Contains(i < kS1Up ? "second arrival" : "second reduction message"));
  }
  for (const std::size_t i : {kS1Down, kN1Down, kN2Down}) {
    Seen again = by_root_node()[i];
    ++again.cycle;
    CHECK_THAT(shown(false, with(by_root_node(), again)),
               Contains(i == kS1Down ? "to switch 1, which has had 1; switch 0 has had 1"
                                     : "released before all have arrived"));
  }
  Seen release = by_root_node()[kN3Down];
  release.cycle = 40;
  CHECK_THAT(shown(false, with(by_root_node(), release)), Contains("n3 released before all have"));
  Seen answer = by_root_node()[kAnswer];
  ++answer.cycle;
  CHECK_THAT(shown(false, with(by_root_node(), answer)), Contains("missing n0, n1, n2, n3"));
}

TEST_CASE("a reduction message without all its children is reported", "[checkers][barriers]") {
  CHECK_THAT(shown(false, earlier(by_root_node(), kS1Up, 4)),
             Contains("reduction message of switch 1 with 1 of 2 children"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kS1Up, 5)),
             Contains("reduction message of switch 1 with"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kNotice, 7)),
             Contains("0:1 -> n0: checker barriers: group 7, barrier 0: reduction message of "
                      "switch 0"));
}

TEST_CASE("a root node that does not wait for its notification is reported",
          "[checkers][barriers]") {
  CHECK_THAT(shown(false, earlier(by_root_node(), kAnswer, 10)), Contains("without notification"));
  CHECK_THAT(shown(false, earlier(by_root_node(), kAnswer, 11)), Contains("without notification"));
}

TEST_CASE("messages off the tree, of no group or of the wrong type are reported",
          "[checkers][barriers]") {
  const Stage stage;
  CHECK_THAT(shown(false, {{1, Stage::kFromN1, kUp, 1, 8}}), Contains("unknown group 8"));
  CHECK_THAT(shown(false, {{1, Stage::kFromN1, kDown, 1}}), Contains("type 1 travels up"));
  CHECK_THAT(shown(false, {{1, Stage::kToN1, kUp, 1}}), Contains("type 0 travels down"));
  CHECK_THAT(shown(false, {{1, Stage::kFromN1, MessageType::kSpillPlace, 1}}), Contains("type 2"));
  CHECK_THAT(shown(false, {{1, Stage::kFromN1, MessageType::kSpillData, 1}}), Contains("type 3"));
  BarrierSafety two(stage.subject(), {{7, {0, 1}, 0, false, {}}, {8, {2}, 2, true, {}}});
  CHECK_THAT(report_of([&] {
               two.flit(0, {Stage::kFromN3, stage.message(kUp, 7, 0)});
               two.end_cycle(0);
             }),
             Contains("group 7: not an edge of its tree"));
}

TEST_CASE("data other than the OR of what came is reported", "[checkers][barriers]") {
  const auto changed = [](std::size_t i, std::uint64_t data) {
    Stream stream = by_root_node();
    stream[i].data = data;
    return shown(false, stream);
  };
  CHECK_THAT(changed(kS1Up, 7), Contains("reduction data"));
  CHECK_THAT(changed(kNotice, 3), Contains("reduction data"));
  CHECK_THAT(changed(kAnswer, 11), Contains("root node clears bits"));
  CHECK_THAT(changed(kS1Down, 7), Contains("distribution data"));
  CHECK_THAT(changed(kN3Down, 31), Contains("distribution data"));
}

TEST_CASE("the oldest message that a switch owes is known, and a member's arrival is not owed",
          "[checkers][barriers]") {
  const Stage stage;
  BarrierSafety checker(stage.subject(), {{7, {0, 1}, 0, true, {}}});
  const auto message = [&](std::uint64_t cycle, core::ChannelId channel, MessageType type) {
    checker.flit(cycle, {channel, stage.message(type, 7, 0)});
    checker.end_cycle(cycle);
  };
  message(0, Stage::kFromN0, kUp);
  CHECK(!checker.oldest_owed());
  message(500, Stage::kFromN1, kUp);
  message(503, Stage::kToN0, kDown);
  const auto owed = checker.oldest_owed();
  REQUIRE(owed);
  CHECK(owed->since == 500);
  CHECK(owed->sw == 0);
  CHECK(checker.describe_oldest() ==
        "group 7, barrier 0: switch 0 owes 1 of 2 children the distribution message");
  message(504, Stage::kToN1, kDown);
  CHECK(!checker.oldest_owed());
}

TEST_CASE("a message that a switch owes to an empty network is reported", "[checkers][barriers]") {
  CHECK_THAT(shown(false, without(by_root_node(), kN3Down)),
             Contains("switch 1: checker barriers: group 7, barrier 0: switch 1 owes 1 of 2 "
                      "children the distribution message since cycle 16"));
  CHECK_THAT(shown(false, {by_root_node()[0], by_root_node()[1], by_root_node()[2]}),
             Contains("switch 1 owes its parent the reduction message"));
  CHECK(shown(false, {by_root_node()[0], by_root_node()[1]}) == "");  // n3 never arrives
  CHECK(shown(false, without(by_root_node(), kN3Down), false) == "");
}

TEST_CASE("with labels a message names the register of its group behind the link",
          "[checkers][barriers][labels]") {
  Group labelled = group(false);
  labelled.registers = {{0, 2}, {1, 0}};
  Stream stream = by_root_node();
  for (Seen& s : stream)
    s.gid = s.channel == Stage::kFromN2 || s.channel == Stage::kFromN3 ||
                    s.channel == Stage::kOver || s.channel == Stage::kToN2 ||
                    s.channel == Stage::kToN3
                ? 0
                : 2;
  CHECK(shown(labelled, stream) == "");
  for (Seen& s : stream) {
    const std::uint32_t right = s.gid;
    for (const std::uint32_t wrong : {7u, 2 - right}) {
      s.gid = wrong;
      CHECK_THAT(shown(labelled, stream), Contains("unknown group"));
    }
    s.gid = right;
  }
}

}  // namespace

}  // namespace muster::checkers
