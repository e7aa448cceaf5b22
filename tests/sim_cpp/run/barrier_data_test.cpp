// SPDX-License-Identifier: Apache-2.0
#include "muster/run/barrier_data.hpp"

#include <bit>
#include <functional>

#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using fabric::Formats;
using fabric::MessageType;
using fabric::Payload;

using Change = std::function<void(std::uint32_t block, std::uint32_t port, MessageType, Payload&)>;

/// Golden switches behind which a barrier message's data go through `change`.
std::shared_ptr<MutantEngine> changes_data(Formats formats, Change change) {
  return std::make_shared<MutantEngine>([=](std::uint64_t, MutantBank& out) {
    for (std::uint32_t b = 0; b < out.blocks(); ++b)
      for (std::uint32_t p = 0; p < out.ports(); ++p) {
        core::Flit& flit = out.tx(b, p);
        if (!out.busy(b, p) || !flit.sync()) continue;
        fabric::BarrierMessage message = formats.barrier_message(flit);
        change(b, p, message.type, message.data);
        flit = formats.barrier_flit(message, flit.vc);
      }
  });
}

TEST_CASE("members bring random bits that are neither all zeros nor all ones together",
          "[workload][data]") {
  const std::uint64_t seed = muster_seed();
  const BarrierData data(seed, 74);
  for (const std::uint32_t members : {1u, 2u, 3u, 8u, 100u, 1024u}) {
    int ones = 0;
    for (std::uint64_t b = 0; b < 50; ++b) {
      Payload all;
      for (std::uint32_t m = 0; m < members; ++m) all = data.both(all, data.of(3, members, m, b));
      CHECK(data.of_all(3, members, b) == all);
      ones += std::popcount(all.lo) + std::popcount(all.hi);
    }
    const double share = ones / (50.0 * 74);
    CAPTURE(members, share);
    CHECK(share > 0.4);
    if (members > 1) CHECK(share < 0.9);
  }
  CHECK(data.of(3, 8, 0, 0) != data.of(3, 8, 1, 0));
  CHECK(data.of(3, 8, 0, 0) != data.of(3, 8, 0, 1));
  CHECK(data.of(3, 8, 0, 0) != data.of(4, 8, 0, 0));
  CHECK(data.of(3, 8, 0, 0) != BarrierData(seed + 1, 74).of(3, 8, 0, 0));
  CHECK(BarrierData(seed, 10).of_all(3, 8, 0).lo < 1024);
}

TEST_CASE("a member left out of the OR, or a bit too many, is found at the release",
          "[workload][data]") {
  const bool reflect = GENERATE(false, true);
  const bool checkers = GENERATE(false, true);
  const fabric::SwitchConfig config = run::configuration("sw8");
  using enum MessageType;
  // Switch 4 forgets its children's data; one member's release has a bit that no member brought, or
  // lacks one; switch 5 sends the distribution on without data.
  const Change change = GENERATE(Change([](auto b, auto, auto type, Payload& data) {
                                   if (b == 4 && type == kReduction) data = {};
                                 }),
                                 Change([](auto b, auto p, auto type, Payload& data) {
                                   if (b == 6 && p == 2 && type == kDistribution) data.lo ^= 1;
                                 }),
                                 Change([](auto b, auto, auto type, Payload& data) {
                                   if (b == 5 && type == kDistribution) data = {};
                                 }));
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  spec.config = config;
  spec.engine = changes_data(Formats(config.flit_w, config.gid_w), change);
  own<btin::Spec>(spec).reflect = reflect;
  spec.checkers = checkers;
  CAPTURE(spec.seed, reflect, checkers);
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains(checkers ? "data" : "all members' data make"));
}

TEST_CASE("a wrong bit among those above the 64th is found at the release", "[workload][data]") {
  const bool checkers = GENERATE(false, true);
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  spec.engine = changes_data(Formats(80, 8), [](auto b, auto, auto type, Payload& data) {
    if (b == 4 && type == MessageType::kReduction) data.hi ^= 0x20;
  });
  btin::Spec& choice = own<btin::Spec>(spec);
  choice.op = fabric::ReduceOp::kSum;
  choice.data_bits = 64;
  spec.config = fabric::SwitchConfig{.name = "wide", .flit_w = 80, .kind = &btin::kBarrierSwitch};
  spec.checkers = checkers;
  CAPTURE(spec.seed, checkers);
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains("data"));
}

TEST_CASE("a switch with fewer operations runs those that it has and refuses the others",
          "[workload][data]") {
  using enum fabric::ReduceOp;
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  btin::Spec& choice = own<btin::Spec>(spec);
  choice.op = GENERATE(kOr, kAnd, kSum, kMin);
  choice.data_bits = GENERATE(std::optional<std::uint32_t>(), std::optional<std::uint32_t>(3));
  const std::uint32_t ops = GENERATE(1u, 2u);
  spec.config = fabric::SwitchConfig{
      .name = "lean", .kind = &btin::kBarrierSwitch, .variant = btin::values({.ops = ops})};
  CAPTURE(spec.seed, choice.op, choice.data_bits.value_or(0), ops);
  const bool there =
      ops == 1 ? choice.op == kOr || choice.op == kAnd : choice.op == kOr && !choice.data_bits;
  if (there)
    CHECK(run_barriers(spec).end == End::kComplete);
  else
    CHECK_THROWS_WITH(run_barriers(spec), Contains("'lean'") && Contains("Ops"));
}

}  // namespace
}  // namespace muster::run
