// SPDX-License-Identifier: Apache-2.0
#include "core/thread_pool.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <string>

#include "muster/core/rng.hpp"
#include "support/seed.hpp"

namespace muster::core {
namespace {

const auto kNothing = [] {};

TEST_CASE("every piece is done once, in call after call", "[threads]") {
  const std::uint64_t seed = muster_seed();
  const unsigned threads = GENERATE(1u, 2u, 3u, 8u);
  CAPTURE(seed, threads);
  ThreadPool pool(threads);
  CHECK(pool.threads() == threads);
  Rng rng(seed);
  for (int call = 0; call < 3000; ++call) {
    std::vector<std::uint32_t> done(rng.below(40), 0);
    bool meanwhile = false;
    pool.run(
        done.size(), [&](std::size_t i) { ++done[i]; }, [&] { meanwhile = true; });
    REQUIRE(meanwhile);
    for (const std::uint32_t times : done) REQUIRE(times == 1);
  }
}

TEST_CASE("of pieces that throw the lowest is heard of, and all others are done", "[threads]") {
  ThreadPool pool(4);
  for (int call = 0; call < 200; ++call) {
    std::vector<std::uint32_t> done(30, 0);
    const auto piece = [&](std::size_t i) {
      ++done[i];
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(pool.run(done.size(), piece, kNothing), "7");
    for (const std::uint32_t times : done) REQUIRE(times == 1);
    pool.run(
        5, [](std::size_t) {}, kNothing);  // and it has been forgotten
  }
}

TEST_CASE("threads that have gone to sleep wake up for the next call", "[threads]") {
  ThreadPool pool(3);
  for (int call = 0; call < 5; ++call) {
    std::atomic<std::uint32_t> done = 0;
    pool.run(
        100, [&](std::size_t) { ++done; }, kNothing);
    CHECK(done == 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_CASE("a pool may end while its threads wait", "[threads]") {
  for (int i = 0; i < 200; ++i) {
    ThreadPool pool(4);
    if (i % 2 == 0)
      pool.run(
          3, [](std::size_t) {}, kNothing);
  }
}

}  // namespace
}  // namespace muster::core
