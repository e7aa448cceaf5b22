// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "muster/fabric/barrier_end.hpp"
#include "sim_cpp/fabric/checkers/stage.hpp"
#include "systems/preempt/checkers/bsr_bound.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::checkers {
namespace {

using Catch::Contains;
using core::Flit;
using fabric::SyncCredits;

/// One direction of a link with three virtual channels, and what is on it.
struct Line {
  Stage stage;
  Subject subject = stage.subject();
  BsrLine line;
  std::uint64_t cycle = 10;

  explicit Line(SyncCredits credits = SyncCredits::kBuffer, std::uint8_t cuttable = 7) {
    subject.vcs = 3;
    subject.sync_credits = credits;
    subject.cuttable = cuttable;
  }
  std::string flit(std::uint8_t kind, std::uint8_t vc, std::uint64_t payload = 0) {
    return line.fault(subject, cycle++, Stage::flit(kind, payload, vc));
  }
  std::string control(bool end, std::uint8_t vc) {
    return line.fault(subject, cycle++, fabric::control_flit({end, vc}));
  }
  /// The first flit of a reduction.
  std::string first(std::uint8_t vc) { return flit(Flit::kFirst, vc); }
  std::string message(std::uint8_t vc) {
    const std::string fault = first(vc);
    return fault.empty() ? flit(kSync, vc) : fault;
  }
  Line& packets(std::initializer_list<std::uint8_t> channels) {
    for (const std::uint8_t vc : channels) CHECK(flit(kHead, vc) == "");
    return *this;
  }
};

TEST_CASE("messages in free channels, in a cut one, and in a free one again", "[checkers][bsr]") {
  Line scene;
  CHECK(scene.message(0) == "");
  REQUIRE(scene.line.message());
  CHECK(scene.packets({0}).message(1) == "");
  CHECK(scene.packets({1, 2}).control(false, 1) == "");
  CHECK_FALSE(scene.line.idle());
  CHECK(scene.message(1) == "");
  CHECK(scene.flit(Flit::kPad, 0) == "");  // of a channel that is not cut
  CHECK(scene.message(1) == "");
  CHECK(scene.control(true, 1) == "");
  CHECK(scene.line.idle());
  CHECK(scene.flit(kTail, 1) == "");
  CHECK(scene.first(1) == "");
  CHECK(scene.flit(kBody, 2) == "");  // one cycle between two flits of a message
  CHECK_FALSE(scene.line.idle());
  CHECK_FALSE(scene.line.message());
  CHECK(scene.flit(kSync, 1) == "");
  CHECK(scene.line.message());
}

TEST_CASE("a message is whole, in one channel, its flits close together", "[checkers][bsr]") {
  CHECK_THAT(Line().flit(kSync, 0), Contains("a flit without a message"));
  CHECK_THAT(Line().flit(Flit::kFirst, 0, 0xc000), Contains("of no type"));
  Line twice, moves, late, data, asked;
  CHECK(twice.first(0) == "");
  CHECK_THAT(twice.first(0), Contains("within another"));
  CHECK(moves.first(0) == "");
  CHECK_THAT(moves.flit(kSync, 1), Contains("goes on in 1"));
  CHECK(late.first(0) == "");
  late.cycle += 2;
  CHECK_THAT(late.flit(kSync, 0), Contains("2 cycles between"));
  CHECK(data.first(0) == "");
  CHECK_THAT(data.flit(kHead, 0), Contains("between those of a message"));
  CHECK(asked.packets({1, 2}).first(0) == "");
  CHECK_THAT(asked.control(false, 2), Contains("padding request within a message"));
}

TEST_CASE("a message takes the lowest free channel, or the one that is cut", "[checkers][bsr]") {
  CHECK_THAT(Line().packets({0}).message(0), Contains("within a packet that is not cut"));
  CHECK_THAT(Line().packets({0}).message(2), Contains("lower ones are free: 0x2"));
  CHECK(Line(SyncCredits::kBoth).packets({0}).message(2) == "");  // by credits
  CHECK(Line(SyncCredits::kBuffer, 4).message(2) == "");
  Line cut;
  CHECK(cut.packets({0, 1, 2}).control(false, 2) == "");
  CHECK_THAT(cut.message(1), Contains("but 2 is cut"));
}

TEST_CASE("a channel is cut in a packet if none is free, and given back in turn",
          "[checkers][bsr]") {
  CHECK_THAT(Line().packets({0, 1}).control(false, 1), Contains("under way in 0x3"));
  CHECK(Line(SyncCredits::kBuffer, 1).packets({0}).control(false, 0) == "");
  CHECK(Line(SyncCredits::kBoth).packets({1}).control(false, 1) == "");
  CHECK_THAT(Line(SyncCredits::kBoth).packets({0}).control(false, 1), Contains("under way"));
  Line twice, other, unused, means;
  CHECK(twice.packets({0, 1, 2}).control(false, 1) == "");
  CHECK_THAT(twice.control(false, 2), Contains("request for virtual channel 2, of which 1 is cut"));
  CHECK(other.packets({0, 1, 2}).control(false, 1) == "");
  CHECK(other.message(1) == "");
  CHECK_THAT(other.control(true, 2), Contains("end for virtual channel 2, of which 1 is cut"));
  CHECK(other.control(true, 1) == "");
  CHECK_THAT(other.control(true, 1), Contains("of which none is cut"));
  CHECK(unused.packets({0, 1, 2}).control(false, 1) == "");
  CHECK_THAT(unused.control(true, 1), Contains("without a message"));
  for (const std::uint64_t payload : {0x8002u, 0xc002u, 1u, 0x102u})
    CHECK_THAT(means.flit(Flit::kControl, 2, payload), Contains("undefined link control"));
}

TEST_CASE("a cut channel carries no data, and none are between a request and its message",
          "[checkers][bsr]") {
  Line scene, first, moving(SyncCredits::kBoth);
  CHECK(scene.packets({0, 1, 2}).control(false, 2) == "");
  CHECK(scene.message(2) == "");
  CHECK_THAT(scene.flit(kBody, 2), Contains("which is cut"));
  CHECK_THAT(scene.flit(Flit::kPad, 2), Contains("which is cut"));
  CHECK(first.packets({0, 1, 2}).control(false, 2) == "");
  CHECK_THAT(first.flit(kBody, 0), Contains("between a request and its message"));
  CHECK(moving.packets({0, 1, 2}).control(false, 2) == "");
  CHECK(moving.flit(kBody, 0) == "");  // the request waits for credits
}

using core::ChannelId;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

constexpr std::uint32_t kS0 = 4, kS1 = 5;  // addresses of the switches
constexpr BsrType kUp = BsrType::kReduction, kDown = BsrType::kDistribution,
                  kFirst = BsrType::kFirst;

Subject bsr_subject(const Stage& stage, std::uint8_t cuttable) {
  Subject subject = stage.subject();
  subject.sync_credits = SyncCredits::kBuffer;
  subject.cuttable = cuttable;
  subject.pads = true;
  return subject;
}

/// Group 0: n0, and n2 at the center's switch 1.
struct WatchedBsr : Watched<WatchedBsr, BsrMessages> {
  WatchedBsr() : Watched(std::vector<BsrGroup>{{0, {0, 2}, 1}}) {}
  static Subject subject_of(const Stage& stage) { return bsr_subject(stage, 1); }

  WatchedBsr& say(ChannelId channel, BsrType type, std::uint32_t source, std::uint32_t destination,
                  std::uint32_t gid = 0, std::uint32_t flits = 9) {
    BsrMessage m{type, gid, destination, source, Bnt::kSource, false, 0};
    if (type == kFirst) m.new_node = source;
    const auto all = bsr_flits(m, 0);
    return put(channel, std::span(all).first(std::min(flits, bsr_length(type))));
  }
  WatchedBsr& control(ChannelId channel, bool end) {
    return put(channel, std::vector{preempt::control_flit({end, 0})});
  }
  WatchedBsr& data(ChannelId channel, std::uint8_t kind) {
    return put(channel, std::vector{Stage::flit(kind)});
  }
  WatchedBsr& arrivals() {
    return say(Stage::kFromN0, kFirst, kS0, kS1)
        .say(Stage::kOver, kFirst, kS0, kS1)
        .say(Stage::kFromN2, kFirst, kS1, kS1);
  }
  WatchedBsr& releases() {
    return say(Stage::kToN2, kDown, kS1, kS1)
        .say(Stage::kBack, kDown, kS1, kS0)
        .say(Stage::kToN0, kDown, kS0, kS0);
  }
};

TEST_CASE("two barriers, the first by first messages, and a cut", "[checkers][bsr]") {
  WatchedBsr first, both, waiting;
  CHECK(first.arrivals().releases().finish().reports == "");
  both.arrivals().data(Stage::kBack, kHead).control(Stage::kBack, false).releases();
  both.control(Stage::kBack, true).data(Stage::kBack, kTail);
  both.say(Stage::kFromN2, kUp, 2, kS1).say(Stage::kFromN0, kUp, 0, kS0);
  CHECK(both.say(Stage::kOver, kUp, kS0, kS1).releases().finish().reports == "");
  // n2 never arrives.
  CHECK(waiting.say(Stage::kFromN0, kFirst, kS0, kS1).finish().reports == "");
}

TEST_CASE("releases too early, twice, or never", "[checkers][bsr]") {
  WatchedBsr early, twice, never, stranger;
  early.say(Stage::kFromN0, kFirst, kS0, kS1);
  CHECK_THAT(early.say(Stage::kToN0, kDown, kS0, kS0).reports, Contains("after 1 of 2 arrivals"));
  CHECK_THAT(twice.arrivals().releases().releases().reports, Contains("does not wait for"));
  CHECK_THAT(never.arrivals().finish().reports, Contains("is owed"));
  CHECK_THAT(stranger.arrivals().say(Stage::kToN1, kDown, kS0, kS0).reports,
             Contains("n1 is not a member"));
}

TEST_CASE("what a node sends is due", "[checkers][bsr]") {
  WatchedBsr later, sender, center, again, other, stranger, group;
  CHECK_THAT(later.say(Stage::kFromN0, kUp, 0, kS0).reports, Contains("not due"));
  CHECK_THAT(sender.say(Stage::kFromN0, kFirst, kS1, kS1).reports, Contains("not due"));
  CHECK_THAT(center.say(Stage::kFromN0, kFirst, kS0, kS0).reports, Contains("not due"));
  CHECK_THAT(again.arrivals().say(Stage::kFromN0, kUp, 0, kS0).reports, Contains("not due"));
  CHECK(other.arrivals().releases().reports == "");
  CHECK_THAT(other.say(Stage::kFromN0, kUp, 2, kS0).reports, Contains("not due"));
  CHECK_THAT(stranger.say(Stage::kFromN1, kFirst, kS0, kS1).reports, Contains("not a member"));
  CHECK_THAT(group.say(Stage::kOver, kUp, kS0, kS1, 1).reports, Contains("group 1"));
}

TEST_CASE("messages leave by legal ports, as a link may carry them, whole", "[checkers][bsr]") {
  WatchedBsr port, half, end, cut;
  CHECK_THAT(port.say(Stage::kOver, kDown, kS1, kS0).reports, Contains("legal are"));
  CHECK_THAT(half.say(Stage::kOver, kUp, kS0, kS1, 0, 1).finish().reports,
             Contains("half a message"));
  CHECK_THAT(end.control(Stage::kOver, true).reports,
             Contains("0:0 -> 1:0: checker bsr messages: padding end for"));
  CHECK_THAT(cut.data(Stage::kOver, kHead).control(Stage::kOver, false).finish().reports,
             Contains("cut channel in an empty network"));
}

constexpr unsigned kBuffer = 2;                    // bit of its credit
constexpr std::uint32_t kW = 3, kGap = 2, kK = 3;  // a switch has three inputs
constexpr std::uint64_t kPasses = kW + kK;         // beyond the earliest, for data and turns

/// Group 0: n0, and n2 at the center's switch 1. Messages by the cycle of their first flit, in
/// order, their flits one a cycle; the barrier buffer is free `freed` cycles after the last, 0:
/// never.
struct Scene {
  Stage stage;
  Subject subject = bsr_subject(stage, 3);
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
