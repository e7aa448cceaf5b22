// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace muster;

namespace {

/// The first jobs end last, so that a result by order of their ends would show.
void end_late(std::uint32_t job) {
  std::this_thread::sleep_for(std::chrono::microseconds(job < 4 ? 4000 - 1000 * job : 50));
}

}  // namespace

TEST_CASE("results of independent jobs are in order on any number of threads", "[experiment]") {
  std::vector<std::uint32_t> expected(40);
  for (std::uint32_t i = 0; i < 40; ++i) expected[i] = i * i;
  for (const unsigned threads : {0u, 1u, 2u, 3u, 64u}) {
    CAPTURE(threads);
    CHECK(core::run_parallel(40, threads, [](std::uint32_t i, unsigned /*worker*/) {
            end_late(i);
            return i * i;
          }) == expected);
  }
  CHECK(core::run_parallel(0, 4, [](std::uint32_t i, unsigned /*worker*/) { return i; }).empty());
}

TEST_CASE("a job is told which thread runs it, and a thread runs one at a time", "[experiment]") {
  CHECK(core::worker_count(0, 4) == 1);
  CHECK(core::worker_count(3, 0) == 1);
  CHECK(core::worker_count(3, 4) == 3);
  std::vector<std::atomic<int>> running(core::worker_count(60, 3));
  std::atomic<int> together = 0;
  std::vector<std::atomic<int>> calls(60);
  core::run_jobs(60, 3, [&](std::uint32_t i, unsigned worker) {
    if (running.at(worker)++ != 0) ++together;
    ++calls[i];
    end_late(i);
    --running[worker];
  });
  CHECK(together == 0);
  CHECK(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; }));
}

TEST_CASE("the error of the first job that fails is thrown, whichever thread is first",
          "[experiment]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    CAPTURE(threads);
    std::atomic<std::uint32_t> started = 0;
    const auto run = [&] {
      core::run_jobs(1000, threads, [&](std::uint32_t i, unsigned /*worker*/) {
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
    const auto results = core::run_parallel(
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

TEST_CASE("the number of finished jobs is told once for each", "[experiment]") {
  std::vector<std::uint32_t> told;
  core::run_jobs(
      50, 4, [](std::uint32_t i, unsigned /*worker*/) { end_late(i); },
      [&](std::uint32_t done) { told.push_back(done); });
  REQUIRE(told.size() == 50);
  CHECK(told.front() == 1);
  CHECK(told.back() == 50);
  CHECK(std::is_sorted(told.begin(), told.end()));
}
