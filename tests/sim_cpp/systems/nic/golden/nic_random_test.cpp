// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <numeric>

#include "support/nic_bench.hpp"
#include "support/seed.hpp"
#include "systems/nic/golden/nic_bank.hpp"

namespace muster::golden {
namespace {

using muster::testing::NicBench;
using muster::testing::NicGroup;
using muster::testing::NicMix;
using nic::ListForm;
using nic::StepAlgorithm;

struct Algorithm {
  StepAlgorithm algorithm;
  std::uint32_t degree;
};
constexpr Algorithm kAlgorithms[] = {{StepAlgorithm::kGatherBroadcast, 2},
                                     {StepAlgorithm::kGatherBroadcast, 5},
                                     {StepAlgorithm::kPairwise, 0},
                                     {StepAlgorithm::kDissemination, 2},
                                     {StepAlgorithm::kDissemination, 4}};

NicGroup group_of(std::uint32_t members, const Algorithm& a, bool direct, ListForm form) {
  NicGroup group;
  group.nodes.resize(members);
  std::iota(group.nodes.begin(), group.nodes.end(), 0u);
  group.lists = nic::step_lists(a.algorithm, members, a.degree);
  group.direct = direct;
  group.form = form;
  return group;
}

const nic::NicConfig kConfig{.contexts = 4, .steps = 32, .conns = 32};
const nic::NicConfig kUnit{.contexts = 4, .steps = 32, .chained = 1};

TEST_CASE("all step lists of 2 to 64 members pass barriers, through either path", "[nic][golden]") {
  for (const Algorithm& a : kAlgorithms) {
    for (const bool direct : {false, true}) {
      for (std::uint32_t n = 2; n <= 64; ++n) {
        CAPTURE(static_cast<int>(a.algorithm), a.degree, direct, n);
        GoldenNicBank bank(kConfig, n);
        NicMix mix;
        mix.timeout = 2000;  // an ACK may wait for a whole tree of others
        NicBench bench(bank, kConfig, {group_of(n, a, direct, ListForm::kList)}, mix, n);
        REQUIRE(bench.run(4, 100'000));
        for (int i = 0; i < 500 && !bench.quiet(); ++i) bench.step();
        CHECK(bench.quiet());
        CHECK(bench.odd_events().empty());
        const std::uint64_t sends = 4 * nic::messages(step_lists(a.algorithm, n, a.degree));
        CHECK(bench.packets() == (direct ? 2 * sends : sends));
      }
    }
  }
}

/// Faults of every kind, harsh enough that all occur.
NicMix faulty(Rng& rng) {
  NicMix mix;
  const auto rate = [&] { return rng.below(3) == 0 ? 0.0 : 0.15 * rng.uniform(); };
  mix.faults = {rate(), rate(), rate(), rate(), rate(), 200};
  mix.latency = 1 + static_cast<std::uint32_t>(rng.below(20));
  mix.credit = 0.2 + 0.8 * rng.uniform();
  mix.gap = 0.5 * rng.uniform();
  mix.ready = 0.1 + 0.9 * rng.uniform();
  mix.work = rng.below(2) ? 0 : 1 << rng.below(10);
  mix.timeout = 100 + static_cast<std::uint32_t>(rng.below(400));
  mix.nack_gap = static_cast<std::uint32_t>(rng.below(50));
  return mix;
}

TEST_CASE("all step lists of 2 to 64 members pass barriers whatever happens to packets",
          "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  nic::FaultCounts sum;
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const Algorithm& a = kAlgorithms[rng.below(std::size(kAlgorithms))];
    const bool direct = rng.below(2) != 0;
    CAPTURE(static_cast<int>(a.algorithm), a.degree, direct, n);
    GoldenNicBank bank(kConfig, n);
    NicBench bench(bank, kConfig, {group_of(n, a, direct, ListForm::kList)}, faulty(rng),
                   rng.next());
    REQUIRE(bench.run(4, 3'000'000));
    CHECK(bench.odd_events().empty());
    sum += bench.faults();
  }
  CHECK(sum.dropped > 50);
  CHECK(sum.duplicated > 50);
  CHECK(sum.delayed > 50);
  CHECK(sum.reordered > 50);
  CHECK(sum.corrupted > 50);
}

/// Delays, any order, back-pressure: what an event unit tolerates.
NicMix reordering(Rng& rng) {
  NicMix mix = faulty(rng);
  mix.faults = {.delay = 0.1 * rng.uniform(), .reorder = 0.1 * rng.uniform(), .longest_delay = 200};
  return mix;
}

TEST_CASE("events of 2 to 64 members pass barriers in whatever order remote writes come",
          "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  std::uint64_t reordered = 0;
  for (const Algorithm& a : kAlgorithms) {
    for (std::uint32_t n = 2; n <= 64; ++n) {
      CAPTURE(static_cast<int>(a.algorithm), a.degree, n);
      const bool calm = n % 2 != 0;
      GoldenNicBank bank(kUnit, n);
      const NicMix mix = calm ? NicMix{} : reordering(rng);
      NicBench bench(bank, kUnit, {group_of(n, a, false, ListForm::kChained)}, mix, rng.next());
      REQUIRE(bench.run(4, 1'000'000));
      for (int i = 0; i < 500 && calm && !bench.quiet(); ++i) bench.step();
      CHECK((!calm || bench.quiet()));
      CHECK(bench.odd_events().empty());
      CHECK(bench.packets() == 4 * nic::messages(step_lists(a.algorithm, n, a.degree)));
      reordered += bench.faults().reordered;
    }
  }
  CHECK(reordered > 50);
}

TEST_CASE("several groups share an event unit, and sequence numbers wrap", "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  constexpr std::uint32_t kNodes = 8;
  for (const std::uint32_t seq_w : {2u, 8u}) {
    nic::NicConfig config = kUnit;
    config.seq_w = seq_w;
    GoldenNicBank bank(config, kNodes);
    std::vector<NicGroup> groups;
    for (std::uint32_t g = 0; g < config.contexts; ++g) {
      groups.push_back(group_of(kNodes - g, kAlgorithms[g], false, ListForm::kChained));
      groups.back().first_sequence = static_cast<std::uint32_t>(rng.below(256));
    }
    NicBench bench(bank, config, groups, reordering(rng), rng.next());
    REQUIRE(bench.run(270, 10'000'000));
    CHECK(bench.odd_events().empty());
  }
}

TEST_CASE("several groups share their NICs, and sequence numbers wrap", "[nic][golden]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (int trial = 0; trial < 2; ++trial) {
    nic::NicConfig config = kConfig;
    config.records = 1 + static_cast<std::uint32_t>(rng.below(4));
    config.depth = 1 + static_cast<std::uint32_t>(rng.below(4));
    constexpr std::uint32_t kNodes = 8;
    GoldenNicBank bank(config, kNodes);
    std::vector<NicGroup> groups;
    for (std::uint32_t g = 0; g < config.contexts; ++g) {
      std::vector<std::uint32_t> nodes;
      for (std::uint32_t n = 0; n < kNodes; ++n)
        if (rng.below(3) != 0) nodes.push_back(n);
      if (nodes.empty()) nodes.push_back(0);
      const auto members = static_cast<std::uint32_t>(nodes.size());
      NicGroup group = group_of(members, kAlgorithms[rng.below(std::size(kAlgorithms))], g % 2 != 0,
                                ListForm::kList);
      group.nodes = nodes;
      group.first_sequence = static_cast<std::uint32_t>(rng.below(256));
      groups.push_back(std::move(group));
    }
    NicBench bench(bank, config, groups, faulty(rng), rng.next());
    REQUIRE(bench.run(270, 10'000'000));
    CHECK(bench.odd_events().empty());
  }
}

TEST_CASE("10^5 barriers at a drop rate of 1e-2 complete with no early release",
          "[nic][golden][soak]") {
  for (const Algorithm& a : kAlgorithms) {
    constexpr std::uint32_t kMembers = 16;
    GoldenNicBank bank(kConfig, kMembers);
    NicMix mix;
    mix.faults.drop = 0.01;
    NicBench bench(bank, kConfig, {group_of(kMembers, a, false, ListForm::kList)}, mix,
                   muster_seed());
    REQUIRE(bench.run(100'000, 100'000'000));
    CHECK(bench.odd_events().empty());
  }
}

}  // namespace
}  // namespace muster::golden
