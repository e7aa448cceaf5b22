// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packets.hpp"

#include "stage.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

core::Flit f(unsigned kind, std::uint64_t payload = 0, std::uint8_t vc = 0) {
  return Stage::flit(static_cast<std::uint8_t>(kind), payload, vc);
}

/// Flits on one channel, one a cycle from cycle 10 on.
std::string shown(const Subject& subject, const std::vector<core::Flit>& flits,
                  bool drained = true) {
  return report_of([&] {
    Packets checker(subject);
    std::uint64_t cycle = 10;
    for (const auto& flit : flits) checker.flit(cycle++, {Stage::kOver, flit});
    checker.finish(cycle, drained);
  });
}

TEST_CASE("contiguous packets pass, with barrier messages between their flits",
          "[checkers][packets]") {
  const Stage stage;
  CHECK(shown(stage.subject(), {}) == "");
  CHECK(shown(stage.subject(), {f(kHead, 1, 0), f(kHead | kTail, 2, 1), f(kSync, 0, 0),
                                f(kHead, 3, 1), f(kBody, 0, 0), f(kTail, 0, 1), f(kTail, 0, 0),
                                f(kHead, 9, 0), f(kTail, 0, 0)}) == "");
  CHECK(shown(stage.subject(), {f(kHead), f(kBody)}, false) == "");
}

TEST_CASE("a head inside a packet, a body without a head, a packet without a tail are reported",
          "[checkers][packets]") {
  const Stage stage;
  CHECK_THAT(shown(stage.subject(), {f(kHead), f(kHead)}),
             Contains("cycle 11, 0:0 -> 1:0: checker packets: head of a packet inside another"));
  CHECK_THAT(shown(stage.subject(), {f(kBody)}), Contains("without a head"));
  CHECK_THAT(shown(stage.subject(), {f(kTail)}), Contains("without a head"));
  CHECK_THAT(shown(stage.subject(), {f(kHead), f(kTail), f(kBody)}), Contains("without a head"));
  CHECK_THAT(shown(stage.subject(), {f(kHead, 0, 0), f(kBody, 0, 1)}),
             Contains("without a head in virtual channel 1"));
  CHECK_THAT(shown(stage.subject(), {f(kHead), f(kBody)}), Contains("has no tail"));
}

TEST_CASE("what is not in the formats is reported", "[checkers][packets]") {
  const Stage stage;
  CHECK_THAT(shown(stage.subject(), {f(kHead, 0, 2)}), Contains("virtual channel 2 of 2"));
  CHECK_THAT(shown(stage.subject(), {f(kHead, 0x10000)}), Contains("wider than 16 bits"));
  CHECK_THAT(shown(stage.subject(), {f(kSync | kTail)}), Contains("head or tail bit"));
  CHECK_THAT(shown(stage.subject(), {f(kSync, 0, 1)}),
             Contains("of virtual channel 1, it is of none"));
  Subject own = stage.subject();
  own.own = true;
  CHECK(shown(own, {f(kSync), f(kHead | kTail, 0, 0)}) == "");
  CHECK_THAT(shown(own, {f(kHead, 0, 1)}),
             Contains("data in virtual channel 1, the last is the devices' own"));
  const std::uint64_t nic = std::uint64_t{fabric::kOpcodeDevice} << fabric::kDestinationWidth;
  CHECK(shown(own, {f(kHead, nic, 1), f(kTail, 0, 1)}) == "");
  CHECK_THAT(shown(own, {f(kHead, nic, 0)}), Contains("packet of a device in virtual channel 0"));
  CHECK_THAT(shown(own, {f(kBody, 0, 1)}), Contains("without a head"));
}

TEST_CASE("pads and barrier messages keep to the channels that may be cut, pads to packets",
          "[checkers][packets]") {
  const Stage stage;
  Subject subject = stage.subject();
  subject.sync_credits = fabric::SyncCredits::kBuffer;
  subject.cuttable = 1;
  subject.pads = true;
  constexpr unsigned kPad = core::Flit::kPad, kFirst = core::Flit::kFirst,
                     kControl = core::Flit::kControl;
  CHECK(shown(subject, {f(kFirst), f(kSync), f(kHead), f(kPad), f(kControl), f(kTail)}) == "");
  CHECK_THAT(shown(subject, {f(kPad)}), Contains("pad in virtual channel 0 outside a packet"));
  CHECK_THAT(shown(subject, {f(kHead), f(kTail), f(kPad)}), Contains("outside a packet"));
  CHECK_THAT(shown(subject, {f(kHead), f(kPad, 1)}), Contains("pad with payload"));
  for (const unsigned kind : {kFirst, unsigned{kSync}, kControl})
    CHECK_THAT(shown(subject, {f(kind, 0, 1)}),
               Contains("barrier message in virtual channel 1, which is not cut"));
  CHECK_THAT(shown(subject, {f(kHead, 0, 1), f(kPad, 0, 1)}), Contains("pad in virtual channel 1"));
  CHECK_THAT(report_of([&] {
               Packets checker(subject);
               checker.flit(0, {Stage::kFromN0, f(kHead)});
               checker.flit(1, {Stage::kFromN0, f(kPad)});
             }),
             Contains("from where there are none"));
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

struct WatchedRoutes {
  Stage stage;
  RouteLegality checker{stage.subject()};
  std::uint64_t cycle = 0;
  void flit(core::ChannelId channel, std::uint64_t payload, std::uint8_t vc = 0,
            std::uint8_t kind = kHead) {
    checker.flit(cycle++, {channel, Stage::flit(kind, payload, vc)});
    checker.end_cycle(cycle);
  }
};

TEST_CASE("heads on their routes pass, equal ones from two ports too", "[checkers][routes]") {
  WatchedRoutes w;
  w.flit(Stage::kFromN0, 3);
  w.flit(Stage::kFromN1, 3, 1);
  w.flit(Stage::kFromN1, 0);
  w.flit(Stage::kFromN1, 3);
  w.flit(Stage::kOver, 3);
  w.flit(Stage::kOver, 77, 0, kBody);
  w.flit(Stage::kOver, 3, 0, kSync);
  w.flit(Stage::kOver, 3, 1);
  w.flit(Stage::kOver, 3);
  w.flit(Stage::kToN0, 0);
  for (const std::uint8_t vc : {0, 1, 0}) w.flit(Stage::kToN3, 3, vc);
  CHECK(w.checker.checks() > 0);
}

TEST_CASE("a head by a wrong port is reported", "[checkers][routes]") {
  WatchedRoutes w;
  w.flit(Stage::kFromN0, 3);
  CHECK_THAT(report_of([&] { w.flit(Stage::kToN1, 3); }),
             Contains("cycle 1, 0:2 -> n1: checker routes: head for destination 3 leaves by port "
                      "2, its routes are 0x1"));
}

TEST_CASE("a head that has not come in as it leaves is reported", "[checkers][routes]") {
  WatchedRoutes w;
  w.flit(Stage::kFromN0, 3, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3, 1); }),
             Contains("came in virtual channel 0 and leaves in 1"));
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 2); }), Contains("has never come in"));
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3 | 1 << 11); }),
             Contains("opcode 1, virtual channel 0 has never come in"));
  w.flit(Stage::kOver, 3, 0);
  CHECK_THAT(report_of([&] { w.flit(Stage::kOver, 3); }), Contains("has never come in"));
}

TEST_CASE("a head that leaves in the cycle in which it comes is reported", "[checkers][routes]") {
  WatchedRoutes w;
  w.checker.flit(5, {Stage::kFromN0, Stage::flit(kHead, 3)});
  CHECK_THAT(report_of([&] {
               w.checker.flit(5, {Stage::kOver, Stage::flit(kHead, 3)});
             }),
             Contains("has never come in"));
}

TEST_CASE("a destination that does not exist is reported", "[checkers][routes]") {
  WatchedRoutes w;
  w.flit(Stage::kFromN0, 5);  // switch 1
  CHECK_THAT(report_of([&] { w.flit(Stage::kFromN0, 6); }), Contains("destination 6 of 6"));
}

}  // namespace

}  // namespace muster::checkers
