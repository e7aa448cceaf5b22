// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/checkers/stage.hpp"
#include "systems/preempt/checkers/bsr_bound.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::checkers {
namespace {
using fabric::SyncCredits;
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

/// What is wrong with the last of the flits on one direction of a link with three virtual channels.
std::string fault_of(const char* flits, SyncCredits credits, std::uint8_t cuttable) {
  Stage stage;
  Subject subject = stage.subject();
  subject.vcs = 3;
  subject.sync_credits = credits;
  subject.cuttable = cuttable;
  BsrLine line;
  std::string fault;
  std::uint64_t cycle = 0;
  for (const std::string& event : events_of(flits)) {
    REQUIRE(fault.empty());
    if (event != ".") fault = line.fault(subject, cycle, flit_of(event[0], digit_of(event)));
    ++cycle;
  }
  if (fault.empty()) CHECK(line.idle());
  return fault;
}

TEST_CASE("a link carries messages, cuts and data by its rules", "[checkers][bsr]") {
  constexpr SyncCredits kBuffer = SyncCredits::kBuffer, kBoth = SyncCredits::kBoth;
  struct Row {
    const char* flits;
    const char* token;  ///< of what is wrong with the last flit; "": nothing
    SyncCredits credits = kBuffer;
    std::uint8_t cuttable = 7;
  };
  const Row rows[] = {
      // In free channels, in a cut one, and in a free one again; a cycle between two flits.
      {"f0 s0 h0 f1 s1 h1 h2 r1 f1 s1 p0 f1 s1 e1 t1 f1 b2 s1", ""},
      {"h0 f2 s2", "", kBoth},  // by credits
      {"f2 s2", "", kBuffer, 4},
      {"h0 r0 f0 s0 e0", "", kBuffer, 1},
      {"h1 r1 f1 s1 e1", "", kBoth},
      {"h0 h1 h2 r2 b0 f2 s2 e2", "", kBoth},  // the request waits for credits
      {"s0", "a flit without a message"},
      {"f0 f0", "within another"},
      {"f0 s1", "goes on in 1"},
      {"f0 . . s0", "2 cycles between"},
      {"f0 h0", "between those of a message"},
      {"h1 h2 f0 r2", "padding request within a message"},
      {"h0 f0", "within a packet that is not cut"},
      {"h0 f2", "lower ones are free: 0x2"},
      {"h0 h1 h2 r2 f1", "but 2 is cut"},
      {"h0 h1 r1", "under way in 0x3"},
      {"h1 r0", "under way", kBoth},
      {"h0 h1 h2 r1 r2", "request for virtual channel 2, of which 1 is cut"},
      {"h0 h1 h2 r1 f1 s1 e2", "end for virtual channel 2, of which 1 is cut"},
      {"h0 h1 h2 r1 f1 s1 e1 e1", "of which none is cut"},
      {"h0 h1 h2 r1 e1", "without a message"},
      {"h0 h1 h2 r2 f2 s2 b2", "which is cut"},
      {"h0 h1 h2 r2 f2 s2 p2", "which is cut"},
      {"h0 h1 h2 r2 b0", "between a request and its message"},
  };
  for (const auto& [flits, token, credits, cuttable] : rows) {
    CAPTURE(flits);
    const std::string fault = fault_of(flits, credits, cuttable);
    CHECK_THAT(fault, Contains(token));
    CHECK(fault.empty() == std::string_view(token).empty());
  }
}

TEST_CASE("a first flit has a type, link control a meaning", "[checkers][bsr]") {
  Stage stage;
  const Subject subject = bsr_subject(stage, 7);
  CHECK_THAT(BsrLine().fault(subject, 0, Stage::flit(core::Flit::kFirst, 0xc000, 0)),
             Contains("of no type"));
  for (const std::uint64_t payload : {0x8002u, 0xc002u, 1u, 0x102u})
    CHECK_THAT(BsrLine().fault(subject, 0, Stage::flit(core::Flit::kControl, payload, 2)),
               Contains("undefined link control"));
}

/// Group 0: n0, and n2 at the center's switch 1.
const std::vector<preempt::BsrTree> kTrees{
    {.center_switch = 1, .members = {0, 2}, .switches = {{.bsr_node = true}, {.bsr_node = true}}}};

struct WatchedBsr : Watched<WatchedBsr, BsrMessages> {
  WatchedBsr() : Watched(kTrees) {}
  static Subject subject_of(const Stage& stage) { return bsr_subject(stage, 1); }

  WatchedBsr& say(core::ChannelId channel, BsrType type, std::uint32_t source,
                  std::uint32_t destination, std::uint32_t gid = 0, std::uint32_t flits = 9) {
    preempt::BsrMessage m{type, gid, destination, source, preempt::Bnt::kSource, false, 0};
    if (type == kFirst) m.new_node = source;
    const auto all = bsr_flits(m, 0);
    return put(channel, std::span(all).first(std::min(flits, bsr_length(type))));
  }
  WatchedBsr& control(core::ChannelId channel, bool end) {
    return put(channel, std::vector{preempt::control_flit({end, 0})});
  }
  WatchedBsr& data(core::ChannelId channel, std::uint8_t kind) {
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
  BsrBound checker{subject, kTrees, HopWait{kW, kGap}};

  void say(std::uint64_t cycle, core::ChannelId channel, BsrType type, std::uint32_t source,
           std::uint32_t destination, std::uint64_t freed = 2) {
    const preempt::BsrMessage m{type, 0, destination, source, preempt::Bnt::kSource, false, source};
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
    BsrBound checker(subject, kTrees, wait);
    const preempt::BsrMessage m{kUp, 0, 3, kS0, preempt::Bnt::kSource, false, 0};
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
