// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/switch_models.hpp"
#include "support/preempt_exercise.hpp"
#include "support/seed.hpp"
#include "systems/preempt/switch_kinds.hpp"

using namespace muster;

namespace {

constexpr const fabric::SwitchKind* kKinds[] = {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3};

void every_switch(std::uint64_t rounds, std::uint64_t cycles) {
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchKind* kind : kKinds) {
    testing::PreemptResult totals;
    bool guards = false;
    std::uint32_t guarded = 0;  // the longest wait of switches II
    const auto models = verif::switch_models(*kind);
    for (const verif::SwitchModel& model : models) {
      for (const testing::PreemptMix& mix : testing::kPreemptMixes) {
        for (std::uint64_t round = 0; round < rounds; ++round) {
          CAPTURE(model.config.name, ++seed, mix.data, mix.messages, mix.controls, mix.credit,
                  mix.writes);
          const auto t = testing::exercise(model.config, mix, seed, cycles);
          CHECK(t.quiet);
          totals.sent += t.sent;
          totals.cuts += t.cuts;
          totals.pads += t.pads;
          totals.messages += t.messages;
          totals.writes += t.writes;
          // With one channel to cut a message waits for the end of its guard, now and then.
          if (kind == &preempt::kBsr2) {
            guards = true;
            guarded = std::max(guarded, t.wait);
          }
        }
      }
    }
    CAPTURE(seed, kind->name);
    const std::uint64_t all = models.size() * rounds * cycles;
    CHECK(totals.sent >= all);
    CHECK(totals.cuts >= all / 100);
    CHECK(totals.pads >= all / 100);
    CHECK(totals.messages >= all / 20);
    CHECK(totals.writes >= all / 100);
    if (guards) CHECK(guarded > 16);
  }
}

}  // namespace

TEST_CASE("every built preempting switch agrees with golden under random messages and data",
          "[lockstep][preempt]") {
  every_switch(6, 1000);
}

TEST_CASE("every built preempting switch agrees with golden for long",
          "[lockstep][preempt][soak]") {
  every_switch(60, 10'000);
}
