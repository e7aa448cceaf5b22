// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packets.hpp"

#include "fabric/checkers/credits.hpp"
#include "stage.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::checkers {
namespace {

core::Flit f(unsigned kind, std::uint64_t payload = 0, std::uint8_t vc = 0) {
  return Stage::flit(static_cast<std::uint8_t>(kind), payload, vc);
}

/// Flits on one channel, one a cycle from cycle 10 on.
std::string shown(const Subject& subject, const std::vector<core::Flit>& flits,
                  core::ChannelId channel = Stage::kOver) {
  return report_of([&] {
    Packets checker(subject);
    std::uint64_t cycle = 10;
    for (const auto& flit : flits) checker.flit(cycle++, {channel, flit});
    checker.finish(cycle, true);
  });
}

TEST_CASE("packets are whole, pads and messages are where they may be", "[checkers][packets]") {
  const Stage stage;
  Subject own = stage.subject(), cut = stage.subject(), queued = stage.subject();
  queued.sync_credits = fabric::SyncCredits::kQueued;
  own.own = true;
  cut.sync_credits = fabric::SyncCredits::kBuffer;
  cut.cuttable = 1;
  cut.pads = true;
  struct Row {
    Subject subject;
    const char* flits;
    const char* token;  ///< of what is reported; "": nothing
  };
  for (const Row& row : {Row{stage.subject(), "h0 x1 s0 h1 b0 t1 t0 h0 t0", ""},
                         {stage.subject(), "h0 h0",
                          "cycle 11, 0:0 -> 1:0: checker packets: head of a packet inside another"},
                         {stage.subject(), "b0", "without a head"},
                         {stage.subject(), "t0", "without a head"},
                         {stage.subject(), "h0 t0 b0", "without a head"},
                         {stage.subject(), "h0 b1", "without a head in virtual channel 1"},
                         {stage.subject(), "h0 b0", "has no tail"},
                         {stage.subject(), "h2", "virtual channel 2 of 2"},
                         {stage.subject(), "s1", "of virtual channel 1, it is of none"},
                         {queued, "h0 t0 s0 h1 s0 b1 t1", ""},
                         {queued, "h0 s0", "barrier message inside a packet"},
                         {own, "s0 x0", ""},
                         {own, "h1", "data in virtual channel 1, the last is the devices' own"},
                         {own, "b1", "without a head"},
                         {cut, "f0 s0 h0 p0 r0 t0", ""},
                         {cut, "p0", "pad in virtual channel 0 outside a packet"},
                         {cut, "h0 t0 p0", "outside a packet"},
                         {cut, "f1", "barrier message in virtual channel 1, which is not cut"},
                         {cut, "s1", "barrier message in virtual channel 1, which is not cut"},
                         {cut, "r1", "barrier message in virtual channel 1, which is not cut"},
                         {cut, "h1 p1", "pad in virtual channel 1"}}) {
    CAPTURE(row.flits);
    std::vector<core::Flit> flits;
    for (const std::string& event : events_of(row.flits))
      flits.push_back(flit_of(event[0], digit_of(event)));
    const std::string report = shown(row.subject, flits);
    CHECK_THAT(report, Contains(row.token));
    CHECK(report.empty() == std::string(row.token).empty());
  }
  CHECK_THAT(shown(cut, {f(kHead), f(core::Flit::kPad, 1)}), Contains("pad with payload"));
  CHECK_THAT(shown(cut, {f(kHead), f(core::Flit::kPad)}, Stage::kFromN0),
             Contains("from where there are none"));
  CHECK_THAT(shown(stage.subject(), {f(kHead, 0x10000)}), Contains("wider than 16 bits"));
  CHECK_THAT(shown(stage.subject(), {f(kSync | kTail)}), Contains("head or tail bit"));
  const std::uint64_t nic = std::uint64_t{fabric::kOpcodeDevice} << fabric::kDestinationWidth;
  CHECK(shown(own, {f(kHead, nic, 1), f(kTail, 0, 1)}) == "");
  CHECK_THAT(shown(own, {f(kHead, nic, 0)}), Contains("packet of a device in virtual channel 0"));
}

TEST_CASE("two flits on one channel in one cycle are reported", "[checkers][packets]") {
  const Stage stage;
  Packets checker(stage.subject());
  checker.flit(0, {Stage::kOver, Stage::flit(kHead, 0, 0)});
  checker.flit(0, {Stage::kBack, Stage::flit(kHead, 0, 0)});
  CHECK(checker.checks() > 0);
  CHECK_THAT(report_of([&] {
               checker.flit(0, {Stage::kOver, Stage::flit(kHead, 0, 1)});
             }),
             Contains("two flits in one cycle"));
}

TEST_CASE("heads leave as they came in, by their routes", "[checkers][routes]") {
  struct Head {
    core::ChannelId channel;
    std::uint64_t payload;
    std::uint8_t vc = 0, kind = kHead;
  };
  const auto shown = [](const std::vector<Head>& heads) {
    Stage stage;
    RouteLegality checker(stage.subject());
    std::uint64_t cycle = 0;
    return report_of([&] {
      for (const Head& head : heads) {
        checker.flit(cycle++, {head.channel, Stage::flit(head.kind, head.payload, head.vc)});
        checker.end_cycle(cycle);
      }
    });
  };
  const auto refused = [&](const std::vector<Head>& heads, const char* token) {
    CHECK_THAT(shown(heads), Contains(token));
  };
  const Head in{Stage::kFromN0, 3};
  using S = Stage;
  CHECK(shown({in,
               {S::kFromN1, 3, 1},
               {S::kFromN1, 0},
               {S::kFromN1, 3},
               {S::kOver, 3},
               {S::kOver, 77, 0, kBody},
               {S::kOver, 3, 0, kSync},
               {S::kOver, 3, 1},
               {S::kOver, 3},
               {S::kToN0, 0}}) == "");
  refused({in, {S::kToN1, 3}},
          "cycle 1, 0:2 -> n1: checker routes: head for destination 3 leaves by port 2, its routes "
          "are 0x1");
  refused({in, {S::kOver, 3, 1}}, "came in virtual channel 0 and leaves in 1");
  refused({in, {S::kOver, 2}}, "has never come in");
  refused({in, {S::kOver, 3}, {S::kOver, 3}}, "has never come in");
  refused({in, {S::kOver, 3 | 1 << 11}}, "opcode 1, virtual channel 0 has never come in");
  CHECK(shown({{S::kFromN0, 5}}) == "");  // switch 1
  refused({{S::kFromN0, 6}}, "destination 6 of 6");

  Stage stage;
  RouteLegality checker(stage.subject());
  checker.flit(5, {Stage::kFromN0, Stage::flit(kHead, 3)});
  CHECK_THAT(report_of([&] {
               checker.flit(5, {Stage::kOver, Stage::flit(kHead, 3)});
             }),
             Contains("has never come in"));  // in this cycle
}

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
      for (const std::string& event : events_of(row.events))
        if (event[0] == '+')
          checker.credit(cycle++, {Stage::kOver, digit_of(event)});
        else
          checker.flit(cycle++, {Stage::kOver, flit_of(event[0], digit_of(event))});
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
