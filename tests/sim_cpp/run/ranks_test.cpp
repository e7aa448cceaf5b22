// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/troubled_runs.hpp"
#include "support/same_result.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using test::result_of;
using test::result_of_ranks;

void check_ranks(const RunSpec& spec, std::initializer_list<std::uint32_t> counts) {
  const std::string one = result_of(spec);
  for (const std::uint32_t count : counts) {
    CAPTURE(count);
    CHECK(result_of_ranks(spec, count) == one);
  }
}

TEST_CASE("results are the same on any number of ranks", "[workload][ranks]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 2; ++i) {
    test::RandomRun run(seed + 8, i, 3);
    CAPTURE(seed, i, run.text());
    run.spec.skip = i % 2 == 0;
    run.spec.threads = i == 1 ? 2 : 1;
    run.spec.load_flits *= 0.3;
    run.spec.spread = 50;
    check_ranks(run.spec, {3});
  }
}

TEST_CASE("ranks without a block of their own do no harm", "[workload][ranks]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.barriers = 2;
  spec.spread = 0;
  check_ranks(spec, {13});
}

TEST_CASE("every scheme has the same result on ranks, with links that retry and deaths",
          "[workload][ranks]") {
  const test::Subject subject = test::Subject::figure1();
  const std::uint64_t seed = muster_seed();
  const auto* scheme = GENERATE("btin", "unicast", "nic-gather");
  CAPTURE(seed, scheme);
  const RunSpec spec = test::dying_spec(subject, scheme, seed);
  check_ranks(spec, {2});
}

TEST_CASE("a breach is the same one on ranks", "[workload][ranks]") {
  const test::Subject subject = test::Subject::figure1();
  const RunSpec spec = test::breached_spec(subject);
  CHECK(result_of(spec).find("\"violations\":0") == std::string::npos);
  check_ranks(spec, {3});
}

TEST_CASE("one rank that is interrupted ends the run of all", "[workload][ranks]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"all"});
  spec.barriers = 1000;
  for (const std::uint32_t interrupted : {0u, 1u}) {
    std::uint64_t cycles = 0;
    test::ThreadRanks(3).run([&](std::shared_ptr<core::Ranks> ranks) {
      const std::uint32_t rank = ranks->rank();
      RunSpec own = spec;
      own.interrupted = [&] { return rank == interrupted; };
      own.ranks = std::move(ranks);
      const RunResult result = run_barriers(own);
      if (rank == 0 && result.end == End::kInterrupted) cycles = result.cycles;
    });
    CAPTURE(interrupted);
    CHECK(cycles == 256);
  }
}

}  // namespace
}  // namespace muster::run
