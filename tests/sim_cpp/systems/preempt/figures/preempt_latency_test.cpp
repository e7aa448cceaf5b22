// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_latency.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace muster;

namespace {
constexpr std::array kSchemes = {preempt::PreemptScheme::kSwitch1, preempt::PreemptScheme::kSwitch2,
                                 preempt::PreemptScheme::kSwitch3, preempt::PreemptScheme::kTree};
}  // namespace

TEST_CASE("the four equations at L = 9, tau = 100, Tp = 6", "[analysis][preempt]") {
  const preempt::PreemptModel model;
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch1, model) ==
        Approx(614.7).margin(0.05));
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch2, model) ==
        Approx(688.8).margin(0.05));
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch3, model) ==
        Approx(623.2).margin(0.05));
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kTree, model) == Approx(1892));
}

TEST_CASE("probabilities that are powers of two give exact values", "[analysis][preempt]") {
  const preempt::PreemptModel model{.startup_cycles = 7,
                                    .hop_cycles = 3,
                                    .preempting_cycles = 16,
                                    .congestion_cycles = 64,
                                    .occupied = 0.5,
                                    .blocked = 0.25,
                                    .ports = 2,
                                    .levels = 4};
  const double free = 7 + 6 * 3 + 6 * 3;
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch1, model) == free + 6 * 4);
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch2, model) == free + 6 * 8);
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kSwitch3, model) ==
        free + 6 * (0.25 * (12 + 16)));
  CHECK(preempt::preempt_latency(preempt::PreemptScheme::kTree, model) == free + 6 * 32);
}

TEST_CASE("only the third switch and the tree feel how long congestion lasts",
          "[analysis][preempt]") {
  preempt::PreemptModel one, two;
  one.congestion_cycles = 0;
  two.congestion_cycles = 1000;
  for (const preempt::PreemptScheme scheme :
       {preempt::PreemptScheme::kSwitch1, preempt::PreemptScheme::kSwitch2})
    CHECK(preempt::preempt_latency(scheme, one) == preempt::preempt_latency(scheme, two));
  for (const preempt::PreemptScheme scheme :
       {preempt::PreemptScheme::kSwitch3, preempt::PreemptScheme::kTree})
    CHECK(preempt::preempt_latency(scheme, one) < preempt::preempt_latency(scheme, two));
}

TEST_CASE("without data all four are twice Theorem 2 and the start-up", "[analysis][preempt]") {
  preempt::PreemptModel model;
  model.occupied = 0;
  for (const preempt::PreemptScheme scheme : kSchemes)
    CHECK(preempt::preempt_latency(scheme, model) == 100 + 2 * (2 * 16 * 8));
  model.levels = 1;  // a tree of one node
  for (const preempt::PreemptScheme scheme : kSchemes)
    CHECK(preempt::preempt_latency(scheme, model) == 100);
}
