// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/random.hpp"

namespace muster::core {
namespace {

const auto kNothing = [] {};

TEST_CASE("every piece is done once, in call after call", "[threads]") {
  const unsigned threads = GENERATE(1u, 2u, 3u, 8u);
  CAPTURE(threads);
  ThreadPool pool(threads);
  CHECK(pool.threads() == threads);
  Random rng(muster_seed());
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

TEST_CASE("a pool may end while its threads wait", "[threads]") {
  for (int i = 0; i < 5000; ++i) {
    ThreadPool pool(3);
    if (i % 2 == 0)
      pool.run(
          3, [](std::size_t) {}, kNothing);
  }
}

/// The first jobs end last, so that a result by order of their ends would show.
void end_late(std::uint32_t job) {
  std::this_thread::sleep_for(std::chrono::microseconds(job < 4 ? 4000 - 1000 * job : 50));
}

TEST_CASE("results of independent jobs are in order on any number of threads", "[experiment]") {
  std::vector<std::uint32_t> expected(40);
  for (std::uint32_t i = 0; i < 40; ++i) expected[i] = i * i;
  for (const unsigned threads : {0u, 1u, 2u, 3u, 64u}) {
    CAPTURE(threads);
    CHECK(run_parallel(40, threads, [](std::uint32_t i, unsigned /*worker*/) {
            end_late(i);
            return i * i;
          }) == expected);
  }
  CHECK(run_parallel(0, 4, [](std::uint32_t i, unsigned /*worker*/) { return i; }).empty());
}

TEST_CASE("the error of the first job that fails is thrown, whichever thread is first",
          "[experiment]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    CAPTURE(threads);
    std::atomic<std::uint32_t> started = 0;
    const auto run = [&] {
      run_jobs(1000, threads, [&](std::uint32_t i, unsigned /*worker*/) {
        ++started;
        end_late(i);
        if (i >= 2) throw std::runtime_error("job " + std::to_string(i));
      });
    };
    CHECK_THROWS_WITH(run(), "job 2");
    CHECK(started <= 2 + threads);  // none after the first failure
  }
}

TEST_CASE("jobs that are stopped are those of the highest indices", "[experiment]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    CAPTURE(threads);
    std::atomic<std::uint32_t> asked = 0;
    std::vector<std::uint32_t> expected;
    const auto results = run_parallel(
        1000, threads,
        [](std::uint32_t i, unsigned /*worker*/) {
          end_late(i);
          return i;
        },
        {}, [&] { return ++asked > 20; });
    for (std::uint32_t i = 0; i < 20; ++i) expected.push_back(i);
    CHECK(results == expected);
  }
}

}  // namespace

}  // namespace muster::core
