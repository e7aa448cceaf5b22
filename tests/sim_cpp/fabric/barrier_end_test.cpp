// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_end.hpp"

#include <catch2/catch.hpp>

namespace muster::fabric {
namespace {

using core::Flit;

/// Payload 3: three flits, else two; 9: none.
std::uint32_t flits_of(const Flit& first, const Formats&) {
  return first.lo == 9 ? 0 : first.lo == 3 ? 3 : 2;
}

Flit flit(std::uint8_t kind, std::uint64_t payload = 0) { return {.lo = payload, .kind = kind}; }

/// A node with three channels of four credits each.
struct Bench {
  BarrierLink link;
  std::array<std::uint8_t, 4> credits{4, 4, 4, 1};
  std::uint32_t under_way = 0;
  BarrierSender sender;

  explicit Bench(SyncCredits kind, std::uint8_t cuttable = 7) : link{kind, cuttable, flits_of} {}
  std::optional<Flit> send(std::optional<BarrierSender::Next> next = std::nullopt) {
    return sender.send(link, {3, credits, under_way}, next);
  }
  std::optional<Flit> first() { return send({{flit(Flit::kFirst, 2), false}}); }
  std::optional<Flit> last() { return send({{flit(Flit::kSync, 8), true}}); }
};

TEST_CASE("a message takes the lowest free channel, and the credit of the barrier buffer",
          "[endpoints][preempt]") {
  Bench bench(SyncCredits::kBuffer);
  bench.under_way = 0b001;
  const auto first = bench.first();
  REQUIRE(first);
  CHECK(first->kind == Flit::kFirst);
  CHECK(first->vc == 1);
  CHECK(first->lo == 2);
  CHECK(bench.sender.alone());
  CHECK(bench.sender.cut() == 0);
  const auto last = bench.last();
  REQUIRE(last);
  CHECK(last->vc == 1);
  CHECK(bench.sender.idle());
  CHECK(bench.credits == std::array<std::uint8_t, 4>{4, 4, 4, 0});
  CHECK_FALSE(bench.first());  // the barrier buffer is not free
}

TEST_CASE("if packets are in flight on all, the highest channel is cut and given back",
          "[endpoints][preempt]") {
  const std::uint8_t cuttable = GENERATE(0b111, 0b001);
  const std::uint8_t channel = cuttable == 0b111 ? 2 : 0;
  Bench bench(SyncCredits::kBuffer, cuttable);
  bench.under_way = 0b111;
  CHECK(bench.first() == control_flit({false, channel}));
  CHECK_FALSE(bench.sender.alone());  // data of the others go on until the message has begun
  CHECK(bench.sender.cut() == 1u << channel);
  bench.under_way = 0;  // none ends meanwhile, and it would make no difference
  CHECK(bench.first()->vc == channel);
  CHECK(bench.sender.alone());
  CHECK(bench.last()->vc == channel);
  CHECK_FALSE(bench.sender.alone());
  CHECK(bench.sender.cut() == 1u << channel);
  bench.credits[3] = 1;
  CHECK(bench.first() == control_flit({true, channel}));  // before the next message
  CHECK(bench.sender.idle());
  CHECK(bench.sender.cut() == 0);
  CHECK(bench.credits == std::array<std::uint8_t, 4>{4, 4, 4, 1});
}

TEST_CASE("a message is whole with the flit that its first one says", "[endpoints][preempt]") {
  const BarrierLink link{SyncCredits::kBuffer, 1, flits_of};
  BarrierReceiver in;
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));   // of none
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 9)));  // of none
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 3)));  // loses its last flit
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 2)));
  CHECK(in.add(link, flit(Flit::kSync, 7)));
  REQUIRE(in.flits().size() == 2);
  CHECK(in.flits()[1].lo == 7);
  CHECK_FALSE(in.add(link, flit(Flit::kFirst, 3)));
  CHECK_FALSE(in.add(link, flit(Flit::kSync, 1)));
  CHECK(in.add(link, flit(Flit::kSync, 5)));
  CHECK(in.flits().size() == 3);
}

}  // namespace
}  // namespace muster::fabric
