// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <numeric>

#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/nic_bench.hpp"
#include "support/seed.hpp"
#include "systems/nic/nic_factory.hpp"

using namespace muster;
using nic::ListForm;
using nic::StepAlgorithm;
using testing::NicBench;
using testing::NicGroup;
using testing::NicMix;

namespace {

struct Algorithm {
  StepAlgorithm algorithm;
  std::uint32_t degree;
};
constexpr Algorithm kAlgorithms[] = {{StepAlgorithm::kGatherBroadcast, 2},
                                     {StepAlgorithm::kGatherBroadcast, 5},
                                     {StepAlgorithm::kPairwise, 0},
                                     {StepAlgorithm::kDissemination, 2},
                                     {StepAlgorithm::kDissemination, 4}};

NicGroup group_of(std::uint32_t members, const Algorithm& a, bool direct, bool chained) {
  NicGroup group;
  group.nodes.resize(members);
  std::iota(group.nodes.begin(), group.nodes.end(), 0u);
  group.lists = nic::step_lists(a.algorithm, members, a.degree);
  group.direct = direct;
  group.form = chained ? ListForm::kChained : ListForm::kList;
  return group;
}

bool fits(const NicGroup& group, const nic::NicConfig& config) {
  for (const auto& list : group.lists)
    if (nic::entries_of(list, group.form) > config.steps ||
        (group.direct && list.size() > config.conns))
      return false;
  return true;
}

/// Faults of every kind, back-pressure on link and events, NACKs apart. An event unit tolerates
/// delays and any order.
NicMix faulty(Rng& rng, bool chained) {
  NicMix mix;
  const auto rate = [&] { return rng.below(3) == 0 ? 0.0 : 0.15 * rng.uniform(); };
  mix.faults = {rate(), rate(), rate(), rate(), rate(), 200};
  if (chained) mix.faults.drop = mix.faults.duplicate = mix.faults.corrupt = 0.0;
  mix.latency = 1 + static_cast<std::uint32_t>(rng.below(20));
  mix.credit = 0.2 + 0.8 * rng.uniform();
  mix.gap = 0.5 * rng.uniform();
  mix.ready = 0.1 + 0.9 * rng.uniform();
  mix.work = rng.below(2) ? 0 : 1 << rng.below(10);
  mix.timeout = 100 + static_cast<std::uint32_t>(rng.below(400));
  mix.nack_gap = static_cast<std::uint32_t>(rng.below(50));
  return mix;
}

/// A few barriers of every algorithm, on both paths, of groups of `n`. Returns how many groups
/// there were.
unsigned run_groups(const nic::NicConfig& config, std::uint32_t n, bool faults, Rng& rng) {
  unsigned groups = 0;
  const bool chained = config.chained != 0;
  for (const Algorithm& a : kAlgorithms) {
    for (const bool direct : {false, true}) {
      NicGroup group = group_of(n, a, direct, chained);
      if ((direct && chained) || !fits(group, config)) continue;
      group.first_sequence = static_cast<std::uint32_t>(rng.below(256));
      CAPTURE(config.name, n, faults, static_cast<int>(a.algorithm), a.degree, direct);
      fabric::BankOptions options;
      options.random_init = true;
      const auto bank = nic::nics_of(*verif::make_lockstep_engine())->make_nics(config, n, options);
      NicMix mix;
      mix.timeout = 2000;
      if (faults) mix = faulty(rng, chained);
      NicBench bench(*bank, config, {group}, mix, rng.next());
      REQUIRE(bench.run(4, faults ? 1'000'000 : 100'000));
      CHECK(bench.odd_events().empty());
      ++groups;
      if (faults) continue;
      for (int i = 0; i < 500 && !bench.quiet(); ++i) bench.step();
      CHECK(bench.quiet());
    }
  }
  return groups;
}

}  // namespace

TEST_CASE("groups of NICs pass barriers in lockstep with golden", "[lockstep][nic]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config)) {
    unsigned groups = 0;
    for (const std::uint32_t n : {2u, 3u, 8u, 13u})
      for (const bool faults : {false, true}) groups += run_groups(config, n, faults, rng);
    CHECK((groups > 0 || config.steps < 4));
  }
}

TEST_CASE("groups of 1 to 64 NICs pass barriers in lockstep, with and without faults",
          "[lockstep][nic][soak]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  constexpr unsigned kAlways = 8;  // dissemination of radix 4 outgrows the lists of what is built
  for (std::uint32_t n = 1; n <= 64; ++n) {
    for (const bool faults : {false, true}) {
      unsigned most = 0;
      for (const nic::NicConfig& config : verif::listed("nic", nic::nic_config))
        most = std::max(most, run_groups(config, n, faults, rng));
      CAPTURE(n, faults);
      CHECK(most >= kAlways);
    }
  }
}
