// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/retry_safety.hpp"

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers::repeated {
namespace {

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
  RetrySafety checker(stage.subject(), {{{0, 1, 2, 3}, 0, true, {{1, 0}}}});
  return report_of([&] {
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
      for (const Done& done : host) {
        if (done.cycle != cycle) continue;
        if (done.what == Host::kAborts) checker.abort(0);
        // Node 3 is lost.
        if (done.what == Host::kRegroups) checker.regroup(0, {{0, 1, 2}, 0, true, {{1, 0}}}, 1);
      }
      for (const Seen& s : stream) {
        if (s.cycle != cycle) continue;
        const auto type =
            s.down ? fabric::MessageType::kDistribution : fabric::MessageType::kReduction;
        const auto message = fabric::barrier_message(
            stage.formats, {type, 0, s.phase, s.fail, s.epoch, {s.data, 0}});
        checker.flit(cycle, {s.channel, stage.formats.barrier_flit(message, 0)});
      }
      checker.end_cycle(cycle);
    }
  });
}

void reports(const Stream& stream, const char* token, const std::vector<Done>& host = {}) {
  CAPTURE(token);
  CHECK_THAT(shown(stream, host), Contains(token));
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
    reports(without(barrier(), missing), "has not arrived");
  // In the cycle of the last arrival.
  reports(changed(barrier(), kN0Up, Seen{11, Stage::kFromN0, false, false, 0}),
          "n0 has not arrived");
  // At the second barrier, by the phase of the first one's last message.
  reports(barrier() + without(barrier(20, true), kN1Up), "n1 has not arrived");
}

TEST_CASE("a switch that speaks for members that have not arrived is reported",
          "[checkers][retry]") {
  reports(without(barrier(), kN3Up), "barrier 0: n3 has not arrived");
}

TEST_CASE("a member that goes on without a release is reported", "[checkers][retry]") {
  reports(with(barrier(), Seen{13, Stage::kFromN2, false, true, 0}),
          "n2 goes on without a release");
  reports(with(barrier(), Seen{14, Stage::kFromN2, false, true, 0}),
          "n2 goes on without a release");
  CHECK(shown(with(barrier(), Seen{15, Stage::kFromN2, false, true, 0})) == "");
}

TEST_CASE("data that are not those of the members are reported", "[checkers][retry]") {
  reports(changed(barrier(), kS1Up, Seen{8, Stage::kBack, false, false, 3}),
          "sends other data than those of its members");
  reports(changed(barrier(), kN1Down, Seen{11, Stage::kToN1, true, false, 1}), "with other data");
  reports(with(barrier(), Seen{3, Stage::kFromN1, false, false, 2}),
          "repeats its message with other data");
  reports(with(barrier() + barrier(20, true), Seen{22, Stage::kToN2, true, false, 2}),
          "a release of an old barrier or with other data");
}

TEST_CASE("a switch that releases without having been released is reported", "[checkers][retry]") {
  reports(without(barrier(), kS1Down), "switch 1 has had no release");
  reports(changed(barrier(), kN2Down, Seen{11, Stage::kToN2, true, false, 3}),
          "has had no release");
}

TEST_CASE("messages of no barrier are reported", "[checkers][retry]") {
  reports({{1, Stage::kFromN0, false, true, 0}}, "of phase 1");
  reports({{1, Stage::kToN0, true, true, 0}}, "of phase 1");
  reports({{1, Stage::kFromN0, false, false, 0, true}}, "failed");
  reports({{1, Stage::kFromN0, false, false, 0, false, 2}}, "epoch 2");
  reports({{1, Stage::kFromN0, true, false, 0}}, "travels up");
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
  reports(failing() + next, "epoch 1", {{6, Host::kAborts}});
  reports(failing() + with(next, Seen{60, Stage::kFromN0, false, true, 0}), "epoch 0",
          {{6, Host::kAborts}, {30, Host::kRegroups}});
  reports(failing() + without(next, kN1Up), "n1 has not arrived",
          {{6, Host::kAborts}, {30, Host::kRegroups}});
}

TEST_CASE(
    "a failure that the host has not asked for, or of a barrier that is released, is reported",
    "[checkers][retry]") {
  reports(failing(), "failed, travels up");
  reports(failing(), "failed, travels up", {{9, Host::kAborts}});
  reports(with(barrier(), Seen{18, Stage::kToN2, true, false, 0, true}),
          "barrier 0 fails, released is barrier 0", {{15, Host::kAborts}});
  reports(changed(failing(), 3, Seen{8, Stage::kBack, false, false, 1, true}), "barrier 0 fails",
          {{6, Host::kAborts}});
}

TEST_CASE("a release from a barrier that has failed is reported", "[checkers][retry]") {
  const Stream both = failing() + Stream{{9, Stage::kFromN3, false, false, 0},
                                         {20, Stage::kBack, false, false, 2},
                                         {25, Stage::kToN0, true, false, 3}};
  reports(both, "released, and it has failed", {{6, Host::kAborts}});
}

}  // namespace
}  // namespace muster::checkers::repeated
