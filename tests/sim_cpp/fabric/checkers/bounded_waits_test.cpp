// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/delivery.hpp"
#include "stage.hpp"

namespace muster::checkers {
namespace {

/// Owes what it is told to.
struct Debtor : OwedMessages {
  std::optional<OwedMessage> owed;
  std::optional<OwedMessage> oldest_owed() override { return owed; }
  std::string describe_oldest() const override { return "switch 1 owes a reduction message"; }
};

struct WatchedWaits {
  Stage stage;
  Delivery delivery{stage.subject()};
  Debtor none, one;
  BoundedWaits checker{stage.subject(), {20, 10}, delivery};
  std::uint64_t cycle = 0;
  WatchedWaits() {
    checker.watch(none);
    checker.watch(one);
  }
  void idle_until(std::uint64_t end) {
    while (cycle < end) checker.end_cycle(cycle++);
  }
  void data(core::ChannelId channel) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      delivery.flit(cycle, {channel, stage.formats.packet_flit({0, 3, 3, 0, 0, 0}, i)});
      checker.end_cycle(cycle++);
    }
  }
};

TEST_CASE("a packet under way for longer than the bound is reported", "[checkers][bounded_waits]") {
  WatchedWaits w;
  w.idle_until(100);
  w.data(Stage::kFromN0);
  w.idle_until(121);
  CHECK(w.checker.longest_packet() == 20);
  CHECK_THAT(report_of([&] { w.idle_until(122); }),
             Contains("cycle 121, n0 -> 0:1: checker bounded waits: packet 0 to n3 in virtual "
                      "channel 0 in flight for 21 cycles, at most 20"));
}

TEST_CASE("a barrier message that a switch owes for longer than the bound is reported",
          "[checkers][bounded_waits]") {
  WatchedWaits w;
  w.idle_until(501);
  CHECK_FALSE(w.checker.longest_barrier());
  w.one.owed = {500, 1};
  w.idle_until(511);
  CHECK(w.checker.longest_barrier() == 10);
  CHECK_THAT(report_of([&] { w.idle_until(512); }),
             Contains("cycle 511, switch 1: checker bounded waits: switch 1 owes a reduction "
                      "message for 11 cycles, at most 10"));
}

}  // namespace
}  // namespace muster::checkers
