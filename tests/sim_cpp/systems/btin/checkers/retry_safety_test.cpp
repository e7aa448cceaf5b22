// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/retry_safety.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers::repeated {
namespace {

using fabric::MessageType;

struct Seen {
  std::uint64_t cycle;
  core::ChannelId channel;
  bool down, phase;
  std::uint64_t data;
  bool fail = false;
  std::uint8_t epoch = 0;
};
/// What the host does before a cycle.
enum class Host : std::uint8_t { kAborts, kRegroups };
struct Done {
  std::uint64_t cycle;
  Host what;
};
using Stream = std::vector<Seen>;

/// A barrier of all four nodes, the root switch reflects, switch 1 is below it. Data are 2 bits.
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
std::string shown(const Stream& stream, const std::vector<Done>& host = {}) {
  const Stage stage;
  RetrySafety checker(stage.subject(), {{7, {0, 1, 2, 3}, 0, true, {{1, 0}}}});
  return report_of([&] {
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
      for (const Done& done : host) {
        if (done.cycle != cycle) continue;
        if (done.what == Host::kAborts) checker.abort(7);
        // Node 3 is lost.
        if (done.what == Host::kRegroups) checker.regroup({7, {0, 1, 2}, 0, true, {{1, 0}}}, 1);
      }
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
  CHECK(shown(with(two, Seen{3, Stage::kFromN1, false, false, 1})) == "");  // an arrival again
  CHECK(shown(with(two, Seen{10, Stage::kBack, false, false, 2})) == "");   // of a switch
  CHECK(shown(with(two, Seen{17, Stage::kToN2, true, false, 3})) == "");    // a release
  CHECK(shown(with(two, Seen{22, Stage::kToN2, true, false, 3})) == "");    // while others arrive
}

TEST_CASE("a release before all have arrived is reported", "[checkers][retry]") {
  for (const std::size_t missing : {kN0Up, kN1Up})
    CHECK_THAT(shown(without(barrier(), missing)), Contains("has not arrived"));
  // In the cycle of the last arrival.
  CHECK_THAT(shown(changed(barrier(), kN0Up, Seen{11, Stage::kFromN0, false, false, 0})),
             Contains("n0 has not arrived"));
  // At the second barrier, by the phase of the first one's last message.
  CHECK_THAT(shown(barrier() + without(barrier(20, true), kN1Up)), Contains("n1 has not arrived"));
}

TEST_CASE("a switch that speaks for members that have not arrived is reported",
          "[checkers][retry]") {
  CHECK_THAT(shown(without(barrier(), kN3Up)), Contains("barrier 0: n3 has not arrived"));
}

TEST_CASE("a member that goes on without a release is reported", "[checkers][retry]") {
  CHECK_THAT(shown(with(barrier(), Seen{13, Stage::kFromN2, false, true, 0})),
             Contains("n2 goes on without a release"));
  CHECK_THAT(shown(with(barrier(), Seen{14, Stage::kFromN2, false, true, 0})),
             Contains("n2 goes on without a release"));
  CHECK(shown(with(barrier(), Seen{15, Stage::kFromN2, false, true, 0})) == "");
}

TEST_CASE("data that are not those of the members are reported", "[checkers][retry]") {
  CHECK_THAT(shown(changed(barrier(), kS1Up, Seen{8, Stage::kBack, false, false, 3})),
             Contains("sends other data than those of its members"));
  CHECK_THAT(shown(changed(barrier(), kN1Down, Seen{11, Stage::kToN1, true, false, 1})),
             Contains("with other data"));
  CHECK_THAT(shown(with(barrier(), Seen{3, Stage::kFromN1, false, false, 2})),
             Contains("repeats its message with other data"));
  CHECK_THAT(shown(with(barrier() + barrier(20, true), Seen{22, Stage::kToN2, true, false, 2})),
             Contains("a release of an old barrier or with other data"));
}

TEST_CASE("a switch that releases without having been released is reported", "[checkers][retry]") {
  CHECK_THAT(shown(without(barrier(), kS1Down)), Contains("switch 1 has had no release"));
  CHECK_THAT(shown(changed(barrier(), kN2Down, Seen{11, Stage::kToN2, true, false, 3})),
             Contains("has had no release"));
}

TEST_CASE("messages of no barrier are reported", "[checkers][retry]") {
  CHECK_THAT(shown({{1, Stage::kFromN0, false, true, 0}}), Contains("of phase 1"));
  CHECK_THAT(shown({{1, Stage::kToN0, true, true, 0}}), Contains("of phase 1"));
  CHECK_THAT(shown({{1, Stage::kFromN0, false, false, 0, true}}), Contains("failed"));
  CHECK_THAT(shown({{1, Stage::kFromN0, false, false, 0, false, 2}}), Contains("epoch 2"));
  CHECK_THAT(shown({{1, Stage::kFromN0, true, false, 0}}), Contains("travels up"));
}

/// A barrier that fails when switch 1 is missing node 3: it tells the root, that tells all.
Stream failing() {
  return {{1, Stage::kFromN0, false, false, 0},     {1, Stage::kFromN1, false, false, 1},
          {2, Stage::kFromN2, false, false, 2},     {8, Stage::kBack, false, false, 0, true},
          {11, Stage::kOver, true, false, 0, true}, {11, Stage::kToN0, true, false, 0, true},
          {11, Stage::kToN2, true, false, 0, true}, {12, Stage::kFromN0, false, false, 0, true},
          {13, Stage::kBack, false, false, 0, true}};
}

TEST_CASE("a failure of an aborted epoch passes, and the next epoch without the lost member",
          "[checkers][retry]") {
  CHECK(shown(failing(), {{6, Host::kAborts}}) == "");
  Stream next = without(without(barrier(40), kN3Down), kN3Up);
  for (Seen& seen : next) seen.epoch = 1;
  CHECK(shown(failing() + next, {{6, Host::kAborts}, {30, Host::kRegroups}}) == "");
  CHECK_THAT(shown(failing() + next, {{6, Host::kAborts}}), Contains("epoch 1"));
  CHECK_THAT(shown(failing() + with(next, Seen{60, Stage::kFromN0, false, true, 0}),
                   {{6, Host::kAborts}, {30, Host::kRegroups}}),
             Contains("epoch 0"));
  CHECK_THAT(shown(failing() + without(next, kN1Up), {{6, Host::kAborts}, {30, Host::kRegroups}}),
             Contains("n1 has not arrived"));
}

TEST_CASE(
    "a failure that the host has not asked for, or of a barrier that is released, is reported",
    "[checkers][retry]") {
  CHECK_THAT(shown(failing()), Contains("failed, travels up"));
  CHECK_THAT(shown(failing(), {{9, Host::kAborts}}), Contains("failed, travels up"));
  CHECK_THAT(
      shown(with(barrier(), Seen{18, Stage::kToN2, true, false, 0, true}), {{15, Host::kAborts}}),
      Contains("barrier 0 fails, released is barrier 0"));
  CHECK_THAT(shown(changed(failing(), 3, Seen{8, Stage::kBack, false, false, 1, true}),
                   {{6, Host::kAborts}}),
             Contains("barrier 0 fails"));
}

TEST_CASE("a release from a barrier that has failed is reported", "[checkers][retry]") {
  const Stream both = failing() + Stream{{9, Stage::kFromN3, false, false, 0},
                                         {20, Stage::kBack, false, false, 2},
                                         {25, Stage::kToN0, true, false, 3}};
  CHECK_THAT(shown(both, {{6, Host::kAborts}}), Contains("released, and it has failed"));
}

}  // namespace
}  // namespace muster::checkers::repeated
