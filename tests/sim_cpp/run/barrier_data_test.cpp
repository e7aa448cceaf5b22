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
  CAPTURE(seed);
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

TEST_CASE("data have the width of a message, and one member has all ones of it",
          "[workload][data]") {
  for (const unsigned width : {2u, 6u, 63u, 64u, 65u, 74u}) {
    CAPTURE(width);
    const BarrierData data(9, width);
    const Payload all = Formats::low_bits({~std::uint64_t{0}, 0xffff}, width);
    CHECK(data.of(0, 1, 0, 5) == all);  // 1 with a probability of 1 / members
    for (std::uint64_t b = 0; b < 20; ++b) {
      const Payload some = data.of(0, 3, 1, b);
      CHECK(Formats::low_bits(some, width) == some);
    }
  }
}

TEST_CASE("members may bring fewer bits than a message has, and sums of them fit",
          "[workload][data]") {
  constexpr std::uint32_t kMembers = 8;
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  int carried = 0;
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    CAPTURE(named.name);
    const BarrierData data(seed, 70, named.op, 64);
    for (std::uint64_t b = 0; b < 50; ++b) {
      std::uint64_t low = 0, carries = 0;
      for (std::uint32_t m = 0; m < kMembers; ++m) {
        const Payload part = data.of(0, kMembers, m, b);
        REQUIRE(part.hi == 0);
        low += part.lo;
        carries += low < part.lo ? 1 : 0;
      }
      const Payload all = data.of_all(0, kMembers, b);
      if (named.op != fabric::ReduceOp::kSum) {
        REQUIRE(all.hi == 0);
        continue;
      }
      REQUIRE(all == Payload{low, static_cast<std::uint16_t>(carries)});
      carried += carries != 0 ? 1 : 0;
    }
  }
  CHECK(carried > 0);
}

TEST_CASE("with AND and MIN a bit is 0 where it is 1 with the others", "[workload][data]") {
  const BarrierData ones(4, 30);
  for (const auto op : {fabric::ReduceOp::kAnd, fabric::ReduceOp::kMin}) {
    const BarrierData zeros(4, 30, op);
    for (std::uint64_t b = 0; b < 20; ++b)
      CHECK((zeros.of(1, 6, 2, b).lo ^ ones.of(1, 6, 2, b).lo) == (1u << 30) - 1);
  }
}

TEST_CASE("only members that take part count, and without any the neutral data are left",
          "[workload][data]") {
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    CAPTURE(named.name);
    const BarrierData data(11, 40, named.op);
    const auto third = [](std::uint32_t m) { return m == 3; };
    CHECK(data.of_all(2, 8, 1, third) == data.of(2, 8, 3, 1));
    CHECK(data.of_all(2, 8, 1, [](std::uint32_t) { return false; }) ==
          fabric::neutral(named.op, 40));
    const auto rest = [&](std::uint32_t m) { return !third(m); };
    CHECK(data.both(data.of_all(2, 8, 1, rest), data.of(2, 8, 3, 1)) == data.of_all(2, 8, 1));
  }
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

TEST_CASE("switches are chosen whose messages have room for the members' data",
          "[workload][data][config]") {
  RunSpec spec = test::figure1().spec({"paper"}, muster_seed());
  btin::Spec& choice = own<btin::Spec>(spec);
  const auto width = [&](std::uint32_t bits) {
    choice.data_bits = bits;
    const auto run = resolve(spec);
    return Formats(run->config.flit_w, run->config.gid_w).data_width();
  };
  CHECK(width(6) == 6);
  CHECK(width(7) == 7);
  CHECK(width(64) == 64);
  choice.retry = true;
  CHECK(width(64) == 68);
  choice.retry = false;
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
    CAPTURE(named.name);
    choice.op = named.op;
    choice.data_bits = 64;
    CHECK(run_barriers(spec).violations.empty());
  }
  choice.data_bits = 74;
  CHECK_THROWS_WITH(resolve(spec), Contains("74 bits of data need flits of 84 bits"));
  spec.config = run::configuration("sw8");
  choice.data_bits = 64;
  CHECK_THROWS_WITH(resolve(spec), Contains("6 bits of data where 64 are needed"));
  choice.data_bits = 75;
  CHECK_THROWS_WITH(resolve(spec), Contains("--data-bits 75: is not in 1..74"));
}

TEST_CASE("the data of the root node reach the members", "[workload][data]") {
  // A star: what the switch distributes is what the root node sent.
  const test::Subject subject(test::star(3));
  const fabric::SwitchConfig config = run::configuration("sw8");
  const Formats formats(config.flit_w, config.gid_w);
  std::vector<Payload> distributed;
  RunSpec spec = subject.spec({"all"}, muster_seed());
  spec.config = config;
  spec.engine = changes_data(formats, [&](auto, auto, auto type, Payload& data) {
    if (type == MessageType::kDistribution) distributed.push_back(data);
  });
  spec.barriers = 4;
  CAPTURE(spec.seed);
  REQUIRE(run_barriers(spec).violations.empty());
  REQUIRE(distributed.size() == 8);  // two members hear of each barrier, the root node decides it
  const BarrierData data(spec.seed, formats.data_width());
  for (std::uint32_t b = 0; b < 4; ++b) {
    CHECK(distributed[2 * b] == data.of_all(0, 3, b));
    CHECK(distributed[2 * b + 1] == data.of_all(0, 3, b));
  }
}

}  // namespace
}  // namespace muster::run
