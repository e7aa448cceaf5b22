// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "fabric/golden/switch_bank.hpp"
#include "support/preempt_driver.hpp"
#include "support/seed.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"
#include "systems/preempt/switch_kinds.hpp"

/// The neighbours of the lockstep tests (tests/verif/lockstep) against the golden model alone, with
/// lost flits, strays and flits of every kind.

using namespace muster;
using testing::PreemptDriver;
using testing::PreemptMix;

namespace {

struct FaultTotals {
  std::uint64_t cuts = 0, messages = 0, malformed = 0;
  std::uint32_t vcs = 0, longest_wait = 0;  // of one switch
};

/// W of docs/systems/preempting-switches.md, Bounded waits; III has none.
std::uint32_t bound(const fabric::SwitchKind& kind, std::uint32_t vcs) {
  if (vcs == 1) return 19;
  return &kind == &preempt::kBsr1 ? 3 : 20;
}

FaultTotals exercise(const fabric::SwitchKind& kind, const PreemptMix& mix, std::uint64_t seed) {
  Rng rng(seed, 1);
  const auto of = [&](std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(rng.below(most + 1 - least));
  };
  const fabric::SwitchConfig config{.name = "test",
                                    .ports = of(3, 6),
                                    .vcs = of(1, 3),
                                    .depth = of(kind.min_depth, 6),
                                    .regs = of(1, 4),
                                    .dests = 64,
                                    .kind = &kind};
  golden::SwitchBank<golden::PreemptSwitch> bank(1, config);
  PreemptDriver driver(bank, config, mix, seed);
  const std::uint32_t all[] = {0};
  std::uint64_t cycle = 0;
  for (; cycle < 1000; ++cycle) {
    driver.drive(true);
    bank.clock(cycle, all);
  }
  for (; cycle < 20'000 && !driver.quiet(); ++cycle) {
    driver.drive(false);
    bank.clock(cycle, all);
  }
  INFO(bank.describe(0));
  CHECK(driver.quiet());
  CHECK(driver.cuts == driver.ends);
  FaultTotals one{driver.cuts, driver.messages, 0, config.vcs, bank.read_register(0, 0x00C)};
  for (std::uint32_t p = 0; p < config.ports; ++p)
    one.malformed += bank.read_register(0, 0x010 + p) & 0xff;
  return one;
}

}  // namespace

TEST_CASE("a preempting switch comes to rest with all credits, whatever its neighbours send",
          "[golden][preempt]") {
  const PreemptMix mixes[] = {
      // data messages here controls faults send credit stuck host held
      {0.10, 0.05, 0.3, 0.01, 0.0, 1.0, 0.95, 0.001, 8, false},  // no faults
      {0.20, 0.05, 0.1, 0.10, 0.05, 0.9, 0.3, 0.005, 5, false},  // many
      {0.05, 0.30, 0.3, 0.02, 0.02, 1.0, 0.9, 0.001, 5, false},  // in many messages
      {0.20, 0.30, 0.0, 0.0, 0.001, 1.0, 0.9, 0.01, 0, false},   // few, long cuts
  };
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3}) {
    FaultTotals total;
    std::uint32_t longest[4] = {};  // by virtual channels
    for (const PreemptMix& mix : mixes)
      for (int round = 0; round < 40; ++round) {
        CAPTURE(kind->name, mix.faults, ++seed);
        const FaultTotals one = exercise(*kind, mix, seed);
        total.cuts += one.cuts;
        total.messages += one.messages;
        total.malformed += one.malformed;
        longest[one.vcs] = std::max(longest[one.vcs], one.longest_wait);
        if (kind != &preempt::kBsr3) CHECK(one.longest_wait <= bound(*kind, one.vcs));
        if (mix.faults == 0.0) CHECK(one.malformed == 0);
      }
    CAPTURE(kind->name);
    CHECK(total.cuts > 1000);
    CHECK(total.messages > 5000);
    CHECK(total.malformed > 1000);
    // Some waited behind a guard, where there is no way round it.
    if (kind != &preempt::kBsr3) CHECK(longest[1] > 16);
    if (kind == &preempt::kBsr2) CHECK((longest[2] > 16 && longest[3] > 16));
  }
}
