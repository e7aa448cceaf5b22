// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_safety.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("a group that contradicts the graph is refused", "[checkers][barrier_tree]") {
  const Stage stage;
  const auto refused = [&](const Group& group, const char* token) {
    CHECK_THAT(report_of([&] { barrier_tree(group, stage.layout); }), Contains(token));
  };
  refused({{1, 2}, 0, false, {{1, 0}}}, "the root node n0 is not");
  refused({{0, 2}, 0, false, {}}, "switch 1 is not part of it");
  refused({{0, 2}, 0, false, {{1, 1}}}, "1:1 leads to no switch");
  refused({{0, 2}, 0, false, {{1, 3}}}, "1:3 leads to no switch");
  refused({{0, 2}, 0, false, {{1, 0}, {1, 0}}}, "switch 1 has two parents");
}

using fabric::MessageType;

constexpr auto kUp = MessageType::kReduction, kDown = MessageType::kDistribution;

struct Seen {
  std::uint64_t cycle;
  core::ChannelId channel;
  MessageType type;
  std::uint64_t data;
  std::uint32_t gid = 0;
};

using Stream = std::vector<Seen>;

/// All four nodes, switch 1 below switch 0.
Group group(bool reflect) { return {{0, 1, 2, 3}, 0, reflect, {{1, 0}}}; }

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
Stream earlier(std::size_t i, std::uint64_t cycle) { return earlier(by_root_node(), i, cycle); }
/// One of its messages again, a cycle later.
Stream again(std::size_t i) {
  Seen seen = by_root_node()[i];
  ++seen.cycle;
  return with(by_root_node(), seen);
}
void reports(const Stream& stream, const std::string& token, bool reflect = false) {
  CAPTURE(token);
  CHECK_THAT(shown(reflect, stream), Contains(token));
}

TEST_CASE("a correct barrier passes, in any order within a cycle", "[checkers][barriers]") {
  CHECK(shown(true, by_turn()) == "");
  Stream stream = by_root_node();
  CHECK(shown(false, stream) == "");
  std::ranges::reverse(stream);
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
  reports(earlier(kN1Down, 3),
          "cycle 3, 0:2 -> n1: checker barriers: group 0, barrier 0: n1 released before all have "
          "arrived, missing n0, n3");
  reports(earlier(kAnswer, 4), "distribution before all have arrived, missing n0, n3");
  reports(earlier(by_turn(), 6, 3), "before all have arrived, missing n3", true);
  // In the very cycle of the last arrival.
  reports(earlier(by_turn(), 6, 5), "before all have arrived", true);
  reports(earlier(kN1Down, 13), "before all have arrived");
}

TEST_CASE("a release that the switch above has not got is reported", "[checkers][barriers]") {
  reports(earlier(kN2Down, 15), "message to n2, which has had 0; switch 1 has had 0");
  reports(earlier(kN2Down, 16),
          "message to n2, which has had 0; switch 1 has had");  // in one cycle
  reports(earlier(by_turn(), 5, 7), "to switch 1, which has had 0; switch 0 has had 0", true);
}

TEST_CASE("second arrivals, second messages and second releases are reported",
          "[checkers][barriers]") {
  for (const std::size_t i : {kN1Up, kN2Up}) reports(again(i), "second arrival");
  for (const std::size_t i : {kS1Up, kNotice}) reports(again(i), "second reduction message");
  reports(again(kS1Down), "to switch 1, which has had 1; switch 0 has had 1");
  for (const std::size_t i : {kN1Down, kN2Down})
    reports(again(i), "released before all have arrived");
  Seen release = by_root_node()[kN3Down];
  release.cycle = 40;
  reports(with(by_root_node(), release), "n3 released before all have");
  reports(again(kAnswer), "missing n0, n1, n2, n3");
}

TEST_CASE("a reduction message without all its children is reported", "[checkers][barriers]") {
  reports(earlier(kS1Up, 4), "reduction message of switch 1 with 1 of 2 children");
  reports(earlier(kS1Up, 5), "reduction message of switch 1 with");
  reports(earlier(kNotice, 7),
          "0:1 -> n0: checker barriers: group 0, barrier 0: reduction message of switch 0");
}

TEST_CASE("a root node that does not wait for its notification is reported",
          "[checkers][barriers]") {
  for (const std::uint64_t cycle : {10, 11})
    reports(earlier(kAnswer, cycle), "without notification");
}

TEST_CASE("messages off the tree, of no group or of the wrong type are reported",
          "[checkers][barriers]") {
  const Stage stage;
  reports({{1, Stage::kFromN1, kUp, 1, 8}}, "unknown group 8");
  reports({{1, Stage::kFromN1, kDown, 1}}, "type 1 travels up");
  reports({{1, Stage::kToN1, kUp, 1}}, "type 0 travels down");
  reports({{1, Stage::kFromN1, MessageType::kSpillPlace, 1}}, "type 2");
  reports({{1, Stage::kFromN1, MessageType::kSpillData, 1}}, "type 3");
  BarrierSafety two(stage.subject(), {{{0, 1}, 0, false, {}}, {{2}, 2, true, {}, 1}});
  CHECK_THAT(report_of([&] {
               two.flit(0, {Stage::kFromN3, stage.message(kUp, 0, 0)});
               two.end_cycle(0);
             }),
             Contains("group 0: not an edge of its tree"));
}

TEST_CASE("data other than the OR of what came is reported", "[checkers][barriers]") {
  const auto changed = [](std::size_t i, std::uint64_t data, const char* token) {
    Stream stream = by_root_node();
    stream[i].data = data;
    reports(stream, token);
  };
  changed(kS1Up, 7, "reduction data");
  changed(kNotice, 3, "reduction data");
  changed(kAnswer, 11, "root node clears bits");
  changed(kS1Down, 7, "distribution data");
  changed(kN3Down, 31, "distribution data");
}

TEST_CASE("the oldest message that a switch owes is known, and a member's arrival is not owed",
          "[checkers][barriers]") {
  const Stage stage;
  BarrierSafety checker(stage.subject(), {{{0, 1}, 0, true, {}}});
  const auto message = [&](std::uint64_t cycle, core::ChannelId channel, MessageType type) {
    checker.flit(cycle, {channel, stage.message(type, 0, 0)});
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
        "group 0, barrier 0: switch 0 owes 1 of 2 children the distribution message");
  message(504, Stage::kToN1, kDown);
  CHECK(!checker.oldest_owed());
}

TEST_CASE("a message that a switch owes to an empty network is reported", "[checkers][barriers]") {
  reports(without(by_root_node(), kN3Down),
          "switch 1: checker barriers: group 0, barrier 0: switch 1 owes 1 of 2 children the "
          "distribution message since cycle 16");
  const Stream whole = by_root_node();
  reports({whole[0], whole[1], whole[2]}, "switch 1 owes its parent the reduction message");
  CHECK(shown(false, {whole[0], whole[1]}) == "");  // n3 never arrives
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
