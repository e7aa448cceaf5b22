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

/// Counts what is done.
struct Counting : ThreadWork {
  explicit Counting(const std::vector<std::uint32_t>& pieces) : opened(pieces.size(), 0) {
    for (const std::uint32_t count : pieces) done.emplace_back(count, 0);
  }
  void open(std::size_t thread) override {
    ++opened[thread];
    ++all_opened;
  }
  void piece(std::size_t thread, std::uint32_t number) override {
    ok = ok && opened[thread] == 1;
    ++done[thread][number];
    if (thread == 0 && number == 0) std::this_thread::sleep_for(pause);
  }
  void meanwhile() override {
    ok = ok && all_opened == opened.size();
    ++beside;
  }
  bool all_once() const {
    bool once = ok && beside == 1;
    for (const std::uint32_t times : opened) once = once && times == 1;
    for (const auto& pieces : done)
      for (const std::uint32_t times : pieces) once = once && times == 1;
    return once;
  }
  std::vector<std::uint32_t> opened;
  std::vector<std::vector<std::uint32_t>> done;
  std::atomic<bool> ok = true;
  std::atomic<std::size_t> all_opened = 0;
  int beside = 0;
  std::chrono::microseconds pause{0};
};

TEST_CASE("every share is opened and every piece of it done once, in call after call",
          "[threads]") {
  const unsigned threads = GENERATE(1u, 2u, 3u, 8u);
  const std::chrono::microseconds pause{GENERATE(0, 20)};
  CAPTURE(threads, pause.count());
  ThreadPool pool(threads);
  CHECK(pool.threads() == threads);
  Random rng(muster_seed());
  for (int call = 0; call < (pause.count() == 0 ? 3000 : 300); ++call) {
    std::vector<std::uint32_t> pieces(threads);
    for (std::uint32_t& count : pieces) count = rng.below(20);
    Counting work(pieces);
    work.pause = pause;
    pool.run(pieces, work);
    REQUIRE(work.all_once());
  }
}

TEST_CASE("a pool may end while its threads wait", "[threads]") {
  for (int i = 0; i < 5000; ++i) {
    ThreadPool pool(3);
    Counting work({1, 1, 1});
    if (i % 2 == 0) pool.run(std::vector<std::uint32_t>{1, 1, 1}, work);
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
