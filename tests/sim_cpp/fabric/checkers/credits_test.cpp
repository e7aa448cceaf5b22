// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/credits.hpp"

#include "stage.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("each flit takes the credit that its link says, and credits return for flits only",
          "[checkers][credits]") {
  using enum fabric::SyncCredits;
  struct Row {
    const char* events;  ///< on a channel of depth 2 with two virtual channels
    const char* token;   ///< of what is reported; "": nothing
    fabric::SyncCredits sync = kNone;
  };
  for (const Row& row :
       {Row{"h0 s0 h0 h1 +3 h0 +1 +1", ""},
        {"h1 h0 h0 s0 h0",
         "cycle 4, 0:0 -> 1:0: checker credits: flit sent without a credit: 3 outstanding in "
         "virtual channel 0, depth 2"},
        {"h0 +2", "credit of virtual channel 1 returned for no flit"},
        {"h0 +4", "beyond the 2 there are"},
        {"h1 h1 +2", "1 credits of virtual channel 1 have not returned"},
        {"s0 +4 s0 +4", "", kPocket},
        {"s0 s0", "2 outstanding in the pocket, depth 1", kPocket},
        {"s0 +1", "credit of virtual channel 0 returned for no flit", kPocket},
        {"s0 h0 +1 s0 +1 +1", "", kQueued},
        {"s0 h0 s0", "3 outstanding in virtual channel 0, depth 2", kQueued},
        {"f0 +4 r0 s0 s0", "", kBuffer},
        {"f0 +5 p0 +1 r0 +1 s0 s0 +1 +1", "", kBoth},
        {"f0 f0", "2 outstanding in the barrier buffer, depth 1", kBuffer},
        {"f0 f0", "2 outstanding in the barrier buffer, depth 1", kBoth},
        {"f0 +1", "virtual channel 0 returned for no flit", kBuffer},
        {"f0 +1", "1 credits of the barrier buffer have not", kBoth},
        {"s0 +4", "the barrier buffer returned for no flit", kBuffer},
        {"f0 +8", "beyond the 2 there are", kBuffer},
        {"r0 s0 s0", "3 outstanding in virtual channel 0", kBoth},
        {"p0 p0 p0", "3 outstanding in virtual channel 0", kBuffer}}) {
    CAPTURE(row.events);
    const Stage stage;
    Subject subject = stage.subject();
    subject.sync_credits = row.sync;
    Credits checker(subject);
    const std::string report = report_of([&] {
      std::uint64_t cycle = 0;
      for (const std::string& event : events_of(row.events)) {
        if (event[0] == '+')
          checker.credit(cycle++, {Stage::kOver, digit_of(event)});
        else
          checker.flit(cycle++, {Stage::kOver, flit_of(event[0], digit_of(event))});
      }
      checker.finish(cycle, true);
    });
    CHECK_THAT(report, Contains(row.token));
    CHECK(report.empty() == std::string(row.token).empty());
  }
}

struct WatchedSwitch {
  Stage stage;
  Conservation checker{stage.subject()};
  std::uint64_t cycle = 0;
  void flit(core::ChannelId channel, std::uint8_t kind = kBody, std::uint8_t vc = 0) {
    checker.flit(cycle, {channel, Stage::flit(kind, 0, vc)});
    checker.end_cycle(cycle++);
  }
};

TEST_CASE("what goes in and comes out again passes, whatever the order within a cycle",
          "[checkers][conservation]") {
  WatchedSwitch w;
  w.flit(Stage::kFromN0);
  w.checker.flit(1, {Stage::kToN2, Stage::flit(kBody)});  // of switch 1, before its entry
  w.checker.flit(1, {Stage::kOver, Stage::flit(kBody)});
  w.checker.end_cycle(1);
  w.flit(Stage::kToN1, kSync);  // made in the switch
  w.checker.finish(2, true);
}

TEST_CASE("more out than in is reported, for each virtual channel", "[checkers][conservation]") {
  WatchedSwitch w;
  w.flit(Stage::kFromN0, kBody, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, kBody, 1); }),
             Contains("cycle 1, switch 0: checker conservation: 1 more flits of virtual channel 1 "
                      "have left than have entered"));
}

TEST_CASE("more inside than the buffers hold is reported", "[checkers][conservation]") {
  WatchedSwitch
      w;  // three ports of depth 2, a crossbar register each: 9 flits of a virtual channel
  for (int i = 0; i < 9; ++i) w.flit(Stage::kFromN0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kFromN0); }), Contains("10 flits of virtual channel 0"));
}

TEST_CASE("flits that stay in an empty network are reported", "[checkers][conservation]") {
  WatchedSwitch w;
  w.flit(Stage::kFromN3, kBody, 1);
  w.checker.finish(9, false);
  CHECK_THAT(report_of([&] { w.checker.finish(9, true); }),
             Contains("switch 1: checker conservation: 1 flits of virtual channel 1 were "
                      "lost inside"));
}

}  // namespace

}  // namespace muster::checkers
