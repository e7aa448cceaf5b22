// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/checkers/bsr_bound.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Contains;
using core::ChannelId;
using preempt::BsrMessage;
using preempt::BsrType;

constexpr unsigned kBuffer = 2;                    // bit of its credit
constexpr std::uint32_t kS0 = 4, kS1 = 5;          // addresses of the switches
constexpr std::uint32_t kW = 3, kGap = 2, kK = 3;  // a switch has three inputs
constexpr std::uint64_t kPasses = kW + kK;         // beyond the earliest, for data and turns
constexpr BsrType kUp = BsrType::kReduction, kDown = BsrType::kDistribution,
                  kFirst = BsrType::kFirst;

/// Group 0: n0, and n2 at the center's switch 1. Messages by the cycle of their first flit, in
/// order, their flits one a cycle; the barrier buffer is free `freed` cycles after the last, 0:
/// never.
struct Scene {
  Stage stage;
  Subject subject = [this] {
    Subject s = stage.subject();
    s.sync_credits = fabric::SyncCredits::kBuffer;
    s.cuttable = 3;
    s.pads = true;
    return s;
  }();
  BsrBound checker{subject, {{0, {0, 2}, 1, {1, 1}}}, HopWait{kW, kGap}};

  void say(std::uint64_t cycle, ChannelId channel, BsrType type, std::uint32_t source,
           std::uint32_t destination, std::uint64_t freed = 2) {
    const BsrMessage m{type, 0, destination, source, preempt::Bnt::kSource, false, source};
    const auto flits = bsr_flits(m, 0);
    for (std::uint32_t i = 0; i < bsr_length(type); ++i)
      checker.flit(cycle + i, {channel, flits[i]});
    if (freed == 0) return;
    checker.credit(cycle + bsr_length(type) - 1 + freed, {channel, 1u << kBuffer});
  }
  /// The first message of n0 comes in and leaves so many cycles after it could.
  void cross(std::uint64_t late) {
    say(10, Stage::kFromN0, kFirst, kS0, kS1);  // the last flit in 12
    say(16 + late, Stage::kOver, kFirst, kS0, kS1);
  }
};

TEST_CASE("a message waits for data and its turn, and no longer", "[checkers][bsr]") {
  Scene scene;
  scene.cross(0);
  Scene last;
  CHECK(report_of([&] { last.cross(kPasses); }) == "");
  Scene late;
  CHECK_THAT(report_of([&] { late.cross(kPasses + 1); }),
             Contains("barrier bound") && Contains("leaves in cycle 23; without data it could have "
                                                   "left in cycle 16, and may wait 3 cycles"));
}

TEST_CASE("barrier messages before it are no wait for data", "[checkers][bsr]") {
  const auto second = [](std::uint64_t cycle, std::uint64_t freed) {
    Scene scene;
    return report_of([&] {
      scene.say(10, Stage::kFromN0, kFirst, kS0, kS1);
      scene.say(10, Stage::kFromN1, kFirst, kS0, kS1);
      scene.say(22, Stage::kOver, kFirst, kS0, kS1, freed);  // the last flit in 24
      scene.say(cycle, Stage::kOver, kFirst, kS0, kS1);
    });
  };
  CHECK(second(24 + kGap + 2 + kPasses, 2) == "");
  CHECK_THAT(second(24 + kGap + 2 + kPasses + 1, 2), Contains("could have left in cycle 28"));
  CHECK(second(50 + 2 + kPasses, 26) == "");  // the next barrier buffer is free in 50
  CHECK_THAT(second(50 + 2 + kPasses + 1, 26), Contains("could have left in cycle 52"));
}

TEST_CASE("alike messages of two nodes of a switch leave in any order", "[checkers][bsr]") {
  Scene scene;
  scene.say(10, Stage::kFromN0, kFirst, kS0, kS1);
  scene.say(10, Stage::kFromN1, kFirst, kS0, kS1);
  scene.say(17, Stage::kOver, kFirst, kS0, kS1);       // it was n1's,
  scene.say(20, Stage::kFromN1, kFirst, kS0, kS1, 5);  // which sends another of its kind
  scene.say(40, Stage::kOver, kFirst, kS0, kS1);
  CHECK_THAT(report_of([&] { scene.say(90, Stage::kOver, kFirst, kS0, kS1); }),
             Contains("leaves in cycle 90"));
}

TEST_CASE("a switch answers two cycles later, one message after the other, and the slack adds up",
          "[checkers][bsr]") {
  const auto answers = [](std::uint64_t first, std::uint64_t second, Scene& scene) {
    return report_of([&] {
      scene.cross(1);                                   // slack 5; the last flit in 19
      scene.say(17, Stage::kFromN2, kFirst, kS1, kS1);  // the last flit in 19
      scene.say(first, Stage::kToN2, kDown, kS1, kS1);
      scene.say(second, Stage::kBack, kDown, kS1, kS0);
    });
  };
  const std::uint64_t ready = 19 + 1 + 3 + 2;
  Scene in_time, late, second_late;
  CHECK(answers(ready + kPasses, ready + kPasses + 5 + kPasses, in_time) == "");
  CHECK_THAT(answers(ready + kPasses + 1, ready + 30, late), Contains("cycle 25"));
  CHECK_THAT(answers(ready, ready + 5 + kPasses + 1, second_late), Contains("cycle 30"));

  Scene scene;
  REQUIRE(answers(ready, ready + 5, scene) == "");
  // The last flit stands there a cycle after the first.
  scene.say(ready + 5 + 1 + 1 + 3 + 2, Stage::kToN0, kDown, kS0, kS0);
  // From n2, whose message came last: two hops with nothing used of what they may wait.
  CHECK(scene.checker.slack(0, 0) == std::uint64_t{2 * kPasses});
  CHECK(scene.checker.slack(0, 1) == std::nullopt);
  CHECK(scene.checker.slack(1, 0) == std::nullopt);
}

TEST_CASE("what leaves a switch has come in or is its own", "[checkers][bsr]") {
  Scene scene;
  CHECK_THAT(report_of([&] { scene.say(10, Stage::kOver, kUp, 0, kS1); }),
             Contains("has not come in"));
}

TEST_CASE("a switch without bound, or behind pipes, is not held to one", "[checkers][bsr]") {
  Scene scene;
  for (const std::uint32_t pipe : {0u, 5u}) {
    Subject subject = scene.subject;
    subject.pipe = pipe;
    const auto wait = pipe == 0 ? std::nullopt : std::optional(HopWait{kW, kGap});
    BsrBound checker(subject, {{0, {0, 2}, 1, {1, 1}}}, wait);
    const BsrMessage m{kUp, 0, 3, kS0, preempt::Bnt::kSource, false, 0};
    CHECK(report_of([&] {
            for (const std::uint64_t cycle : {10, 1000})
              for (std::uint32_t i = 0; i < 2; ++i)
                checker.flit(cycle + i,
                             {cycle == 10 ? Stage::kOver : Stage::kToN3, bsr_flits(m, 0)[i]});
          }) == "");
    CHECK(checker.checks() == 0);
  }
}

}  // namespace
}  // namespace muster::checkers
