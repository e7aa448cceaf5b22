// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/figures/nic_model.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace muster;

TEST_CASE("the NIC model has the paper's values at its constants", "[analysis][nic]") {
  const nic::NicModel myrinet{3.60, 3.50, 3.84}, quadrics{2.25, 2.32, -1.00};
  CHECK(myrinet.latency_us(2) == Approx(7.44));
  CHECK(myrinet.latency_us(1024) == Approx(38.94));
  CHECK(quadrics.latency_us(2) == Approx(1.25));
  CHECK(quadrics.latency_us(1024) == Approx(22.13));
  CHECK(quadrics.latency_us(513) == quadrics.latency_us(1024));
}

TEST_CASE("a fit finds the constants that made its samples", "[analysis][nic]") {
  const nic::NicModel made{5.0, 2.5, 0.75};
  std::vector<nic::NicSample> samples;
  for (const std::uint32_t n : {2u, 3u, 4u, 7u, 8u, 64u})
    samples.push_back({n, made.latency_us(n)});
  samples[0].latency_us = made.init_us + made.adjust_us;
  const nic::NicModel found = nic::fit_nic_model(samples);
  CHECK(found.trigger_us == Approx(2.5));
  CHECK(found.init_us == Approx(5.75));
  CHECK(found.adjust_us == Approx(0.0).margin(1e-9));
  CHECK(found.latency_us(1024) == Approx(made.latency_us(1024)));
}
