// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <numeric>

#include "engines.hpp"
#include "models/switch_models.hpp"
#include "support/register_host.hpp"
#include "support/seed.hpp"
#include "support/switch_driver.hpp"

using namespace muster;

namespace {

/// `blocks` switches of one configuration for `cycles` cycles, then until nothing moves. Returns
/// how many barriers under way the host has cleared; it makes `writing` requests a cycle.
std::uint64_t run_random(const network::SwitchConfig& config, const testing::DriverMix& mix,
                         std::uint64_t seed, std::uint32_t blocks, std::uint64_t cycles,
                         double writing = 0.0) {
  CAPTURE(config.name, seed, mix.data, mix.sync, mix.credit, mix.own, writing);
  network::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  auto bank = verif::make_lockstep_engine()->make_switches(config, blocks, options);
  std::vector<testing::SwitchDriver> drivers;
  for (std::uint32_t b = 0; b < blocks; ++b) drivers.emplace_back(*bank, b, config, mix, seed);
  std::vector<testing::RegisterHost> hosts;
  for (std::uint32_t b = 0; writing > 0.0 && b < blocks; ++b)
    hosts.emplace_back(*bank, b, config, writing, seed);
  std::vector<std::uint32_t> all(blocks);
  std::iota(all.begin(), all.end(), 0);

  std::uint64_t cycle = 0;
  for (; cycle < cycles; ++cycle) {
    for (auto& driver : drivers) driver.drive();
    for (auto& host : hosts) host.act();
    bank->clock(cycle, all);
  }
  bool quiet = false;
  for (; cycle < cycles + 5000 && !quiet; ++cycle) {
    quiet = true;
    for (auto& driver : drivers) quiet = driver.drain() && quiet;
    bank->clock(cycle, all);
  }
  CHECK(quiet);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    CHECK(drivers[b].sent() > cycles / 20);
    CHECK(drivers[b].received() > cycles / 40);
    // Every register the map names, compared by lockstep as it is read.
    for (std::uint32_t address = 0; address < 0x100; ++address) bank->read_register(b, address);
  }
  std::uint64_t interrupted = 0;
  for (const auto& host : hosts) {
    CHECK(static_cast<double>(host.writes()) > 0.5 * writing * static_cast<double>(cycles));
    interrupted += host.interrupted();
  }
  return interrupted;
}

testing::DriverMix busy() { return {0.9, 0.1, 0.9, 0.1, 0.002, false}; }
testing::DriverMix barriers() { return {0.2, 0.7, 0.7, 0.05, 0.002, false}; }
testing::DriverMix starved() { return {0.8, 0.3, 0.06, 0.2, 0.05, false}; }
testing::DriverMix sparse() { return {0.05, 0.05, 0.3, 0.3, 0.05, false}; }

}  // namespace

TEST_CASE("every built switch agrees with golden under random traffic", "[lockstep][switch]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::SwitchModel& model : verif::switch_models()) {
    for (testing::DriverMix mix : {busy(), barriers(), starved(), sparse()}) {
      run_random(model.config, mix, seed, 2, 3000);
      if (model.config.vcs == 1) continue;
      mix.own = true;
      run_random(model.config, mix, seed + 1, 2, 3000);
    }
  }
}

TEST_CASE("a host writes and reads registers while traffic flows",
          "[lockstep][switch][registers]") {
  const std::uint64_t seed = muster_seed();
  for (const verif::SwitchModel& model : verif::switch_models()) {
    CAPTURE(model.config.name, seed);
    std::uint64_t interrupted = 0;
    for (testing::DriverMix mix : {busy(), barriers(), starved()})
      for (const double writing : {0.02, 0.5}) {
        mix.own = model.config.vcs > 1 && writing > 0.1;
        interrupted += run_random(model.config, mix, seed + 2, 2, 3000, writing);
      }
    CHECK(interrupted > 10);
  }
}

TEST_CASE("every built switch agrees with golden for a million cycles",
          "[lockstep][switch][soak]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t round = 0;
  for (const verif::SwitchModel& model : verif::switch_models())
    for (testing::DriverMix mix : {busy(), barriers(), starved(), sparse()})
      for (const bool own : {false, true}) {
        if (own && model.config.vcs == 1) continue;
        mix.own = own;
        run_random(model.config, mix, seed + ++round, 4, 40000);
        run_random(model.config, mix, seed + ++round, 4, 40000, 0.05);
      }
}
