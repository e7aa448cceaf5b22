// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/retry_safety.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers::repeated {
namespace {

using Catch::Matchers::Contains;
using fabric::MessageType;

struct Seen {
  std::uint64_t cycle;
  core::ChannelId channel;
  bool down, phase;
  std::uint64_t data;
  bool fail = false;
  std::uint8_t epoch = 0;
};
using Stream = std::vector<Seen>;

/// A barrier of all four nodes, the root switch turns round, switch 1 is below it. Data are 2 bits.
enum { kN0Up, kN1Up, kN2Up, kN3Up, kS1Up, kS1Down, kN0Down, kN1Down, kN2Down, kN3Down };
Stream barrier(std::uint64_t start = 0, bool phase = false) {
  return {
      {start + 1, Stage::kFromN0, false, phase, 0}, {start + 1, Stage::kFromN1, false, phase, 1},
      {start + 2, Stage::kFromN2, false, phase, 2}, {start + 5, Stage::kFromN3, false, phase, 0},
      {start + 8, Stage::kBack, false, phase, 2},   {start + 11, Stage::kOver, true, phase, 3},
      {start + 11, Stage::kToN0, true, phase, 3},   {start + 11, Stage::kToN1, true, phase, 3},
      {start + 14, Stage::kToN2, true, phase, 3},   {start + 14, Stage::kToN3, true, phase, 3}};
}
Stream operator+(Stream a, const Stream& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Stream with(Stream stream, const Seen& seen) { return stream + Stream{seen}; }
Stream without(Stream stream, std::size_t i) {
  stream.erase(stream.begin() + static_cast<std::ptrdiff_t>(i));
  return stream;
}
Stream changed(Stream stream, std::size_t i, const Seen& seen) {
  stream[i] = seen;
  return stream;
}

std::string shown(const Stream& stream, bool reflect = true) {
  const Stage stage;
  RetrySafety checker(stage.subject(), {{7, {0, 1, 2, 3}, 0, reflect, {{1, 0}}}});
  return report_of([&] {
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
      for (const Seen& s : stream) {
        if (s.cycle != cycle) continue;
        const auto type = s.down ? MessageType::kDistribution : MessageType::kReduction;
        const auto message = fabric::barrier_message(
            stage.formats, {type, 7, s.phase, s.fail, s.epoch, {s.data, 0}});
        checker.flit(cycle, {s.channel, stage.formats.barrier_flit(message, 0)});
      }
      checker.end_cycle(cycle);
    }
  });
}

TEST_CASE("barriers pass, and messages that are sent again", "[checkers][retry]") {
  const Stream two = barrier() + barrier(20, true);
  CHECK(shown(two) == "");
  CHECK(shown(with(two, {3, Stage::kFromN1, false, false, 1})) == "");  // an arrival again
  CHECK(shown(with(two, {10, Stage::kBack, false, false, 2})) == "");   // of a switch
  CHECK(shown(with(two, {17, Stage::kToN2, true, false, 3})) == "");    // a release
  CHECK(shown(with(two, {22, Stage::kToN2, true, false, 3})) == "");    // while others arrive
}

TEST_CASE("a release before all have arrived is reported", "[checkers][retry]") {
  for (const std::size_t missing : {kN0Up, kN1Up})
    CHECK_THAT(shown(without(barrier(), missing)), Contains("has not arrived"));
  // In the cycle of the last arrival.
  CHECK_THAT(shown(changed(barrier(), kN0Up, {11, Stage::kFromN0, false, false, 0})),
             Contains("n0 has not arrived"));
  // At the second barrier, by the phase of the first one's last message.
  CHECK_THAT(shown(barrier() + without(barrier(20, true), kN1Up)), Contains("n1 has not arrived"));
}

TEST_CASE("a switch that speaks for members that have not arrived is reported",
          "[checkers][retry]") {
  CHECK_THAT(shown(without(barrier(), kN3Up)), Contains("barrier 0: n3 has not arrived"));
}

TEST_CASE("a member that goes on without a release is reported", "[checkers][retry]") {
  CHECK_THAT(shown(with(barrier(), {13, Stage::kFromN2, false, true, 0})),
             Contains("n2 goes on without a release"));
  CHECK_THAT(shown(with(barrier(), {14, Stage::kFromN2, false, true, 0})),
             Contains("n2 goes on without a release"));
  CHECK(shown(with(barrier(), {15, Stage::kFromN2, false, true, 0})) == "");
}

TEST_CASE("data that are not those of the members are reported", "[checkers][retry]") {
  CHECK_THAT(shown(changed(barrier(), kS1Up, {8, Stage::kBack, false, false, 3})),
             Contains("sends other data than those of its members"));
  CHECK_THAT(shown(changed(barrier(), kN1Down, {11, Stage::kToN1, true, false, 1})),
             Contains("with other data"));
  CHECK_THAT(shown(with(barrier(), {3, Stage::kFromN1, false, false, 2})),
             Contains("repeats its message with other data"));
  CHECK_THAT(shown(with(barrier() + barrier(20, true), {22, Stage::kToN2, true, false, 2})),
             Contains("a release of an old barrier or with other data"));
}

TEST_CASE("a switch that releases without having been released is reported", "[checkers][retry]") {
  CHECK_THAT(shown(without(barrier(), kS1Down)), Contains("switch 1 has had no release"));
  CHECK_THAT(shown(changed(barrier(), kN2Down, {11, Stage::kToN2, true, false, 3})),
             Contains("has had no release"));
}

TEST_CASE("messages of no barrier are reported", "[checkers][retry]") {
  CHECK_THAT(shown({{1, Stage::kFromN0, false, true, 0}}), Contains("of phase 1"));
  CHECK_THAT(shown({{1, Stage::kToN0, true, true, 0}}), Contains("of phase 1"));
  CHECK_THAT(shown({{1, Stage::kFromN0, false, false, 0, true}}), Contains("failed"));
  CHECK_THAT(shown({{1, Stage::kFromN0, false, false, 0, false, 2}}), Contains("epoch 2"));
  CHECK_THAT(shown({{1, Stage::kFromN0, true, false, 0}}), Contains("travels up"));
}

}  // namespace
}  // namespace muster::checkers::repeated
