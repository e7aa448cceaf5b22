// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/credits.hpp"

#include "stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

struct Link {  // of depth 2, two virtual channels
  Stage stage;
  Credits checker{stage.subject()};
  std::uint64_t cycle = 0;
  void send(std::uint8_t vc, std::uint8_t kind = kHead) {
    checker.flit(cycle++, {Stage::kOver, Stage::flit(kind, 0, vc)});
  }
  void credit(std::uint8_t credits) { checker.credit(cycle++, {Stage::kOver, credits}); }
};

TEST_CASE("flits and credits in step pass", "[checkers][credits]") {
  Link link;
  link.send(0);
  link.send(0, kSync);
  link.send(0);
  link.send(1);
  link.credit(3);
  link.send(0);
  link.credit(1);
  link.credit(1);
  link.checker.finish(link.cycle, true);
  CHECK(link.checker.checks() > 6);
}

TEST_CASE("a flit without a credit is reported, a barrier message takes none",
          "[checkers][credits]") {
  Link link;
  link.send(1);
  link.send(0);
  link.send(0);
  link.send(0, kSync);
  CHECK_THAT(report_of([&] { link.send(0); }),
             Contains("cycle 4, 0:0 -> 1:0: checker credits: flit sent without a credit: 3 "
                      "outstanding in virtual channel 0, depth 2"));
}

TEST_CASE("where there are pockets a barrier message takes the one credit of its",
          "[checkers][credits]") {
  const Stage stage;
  Subject subject = stage.subject();
  subject.sync_credits = fabric::SyncCredits::kPocket;
  Credits checker(subject);
  const auto send = [&] { checker.flit(1, {Stage::kOver, Stage::flit(kSync)}); };
  const auto credit = [&](std::uint8_t bits) { checker.credit(2, {Stage::kOver, bits}); };
  send();
  credit(4);
  send();
  CHECK_THAT(report_of(send), Contains("2 outstanding in the pocket, depth 1"));
  CHECK_THAT(report_of([&] { credit(1); }),
             Contains("credit of virtual channel 0 returned for no flit"));
}

TEST_CASE("a credit for nothing is reported", "[checkers][credits]") {
  Link link;
  link.send(0);
  CHECK_THAT(report_of([&] { link.credit(2); }),
             Contains("credit of virtual channel 1 returned for no flit"));
  CHECK_THAT(report_of([&] { link.credit(4); }), Contains("beyond the 2 there are"));
}

TEST_CASE("a credit that does not return is reported when the network is empty",
          "[checkers][credits]") {
  Link link;
  link.send(1);
  link.send(1);
  link.credit(2);
  link.checker.finish(9, false);
  CHECK_THAT(report_of([&] { link.checker.finish(9, true); }),
             Contains("1 credits of virtual channel 1 have not returned"));
}

TEST_CASE("the barrier buffer holds one message, and what is sync takes no credit of data, or does",
          "[checkers][credits]") {
  const Stage stage;
  Subject subject = stage.subject();
  subject.sync_credits = GENERATE(fabric::SyncCredits::kBuffer, fabric::SyncCredits::kBoth);
  const bool both = subject.sync_credits == fabric::SyncCredits::kBoth;
  const auto shown = [&](const std::vector<std::uint8_t>& kinds, std::uint8_t credits) {
    Credits checker(subject);
    return report_of([&] {
      for (const std::uint8_t kind : kinds) checker.flit(1, {Stage::kOver, Stage::flit(kind)});
      checker.credit(2, {Stage::kOver, credits});
      checker.finish(3, true);
    });
  };
  constexpr std::uint8_t kFirst = core::Flit::kFirst, kControl = core::Flit::kControl,
                         kPad = core::Flit::kPad;
  CHECK(shown({kFirst}, both ? 5 : 4) == "");
  CHECK(shown({kPad}, 1) == "");
  CHECK_THAT(shown({kFirst, kFirst}, 0), Contains("2 outstanding in the barrier buffer, depth 1"));
  CHECK_THAT(shown({kFirst}, 1), Contains(both ? "1 credits of the barrier buffer have not"
                                               : "virtual channel 0 returned for no flit"));
  CHECK_THAT(shown({kSync}, 4), Contains("the barrier buffer returned for no flit"));
  CHECK_THAT(shown({kFirst}, 8), Contains("beyond the 2 there are"));
  const std::string three = shown({kControl, kSync, kSync}, both ? 1 : 0);
  CHECK_THAT(three, Contains(both ? "3 outstanding in virtual channel 0" : ""));
  CHECK(three.empty() != both);
  CHECK_THAT(shown({kPad, kPad, kPad}, 0), Contains("3 outstanding in virtual channel 0"));
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

TEST_CASE("what goes in and comes out again passes", "[checkers][conservation]") {
  WatchedSwitch w;
  for (const auto channel : {Stage::kFromN0, Stage::kOver, Stage::kToN2}) w.flit(channel);
  w.flit(Stage::kToN1, kSync);  // made in the switch
  w.flit(Stage::kFromN1, kSync);
  w.checker.finish(w.cycle, true);
  CHECK(w.checker.checks() > 0);
}

TEST_CASE("the order of events within a cycle does not matter", "[checkers][conservation]") {
  WatchedSwitch w;
  w.flit(Stage::kFromN0);
  w.checker.flit(1, {Stage::kToN2, Stage::flit(kBody)});  // of switch 1, before its entry
  w.checker.flit(1, {Stage::kOver, Stage::flit(kBody)});
  w.checker.end_cycle(1);
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
