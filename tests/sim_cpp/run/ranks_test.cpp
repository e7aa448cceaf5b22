// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "muster/run/run.hpp"
#include "run/engines.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/seed.hpp"
#include "support/thread_ranks.hpp"

namespace muster::test {

/// On Figure 1: the paper's group by any scheme that supports deaths, a switch that dies and one
/// that is reset.
inline run::RunSpec dying_spec(const Subject& subject, const std::string& scheme,
                               std::uint64_t seed) {
  run::RunSpec spec = death_spec(subject, seed);
  spec.groups = {{"paper", topology::parse_group(subject.graph, "paper", 1)}};
  spec.scheme = scheme;
  spec.deaths = {{.id = 8, .cycle = 300}, {.id = 2, .cycle = 400, .reset = true}};
  return spec;
}

/// On Figure 1: flits are lost on a link, which a checker sees.
inline run::RunSpec breached_spec(const Subject& subject) {
  run::RunSpec spec = subject.spec({"paper"});
  spec.load_flits = 0.3 * subject.route_bound();
  spec.stopped = {{.channel = 3, .cycle = 250, .flits = true, .credits = false}};
  return spec;
}

}  // namespace muster::test

namespace muster::run {
namespace {

using test::result_with_threads;

TEST_CASE("results are the same for any number of threads", "[workload][threads]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 6; ++i) {
    test::RandomRun run(seed + 7, i, 10);
    CAPTURE(seed, i, run.text());
    run.spec.skip = i % 2 == 0;
    const std::string one = result_with_threads(run.spec, 1);
    for (const std::uint32_t threads : {2u, 3u, 8u})
      CHECK(result_with_threads(run.spec, threads) == one);
  }
}

TEST_CASE("so are those of every scheme, with links that retry and blocks that die",
          "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  const std::uint64_t seed = muster_seed();
  const auto* scheme = GENERATE("btin", "unicast", "nic-gather");
  CAPTURE(seed, scheme);
  const RunSpec spec = test::dying_spec(subject, scheme, seed);
  const std::string one = result_with_threads(spec, 1);
  CHECK(result_with_threads(spec, 2) == one);
  CHECK(result_with_threads(spec, 5) == one);
}

TEST_CASE("a breach is the same one, with the same counts", "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  const RunSpec spec = test::breached_spec(subject);
  const std::string one = result_with_threads(spec, 1);
  CHECK(one.find("\"violations\":0") == std::string::npos);
  CHECK(result_with_threads(spec, 2) == one);
  CHECK(result_with_threads(spec, 4) == one);
}

TEST_CASE("numbers of threads that cannot be are refused", "[workload][threads]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  for (const std::uint32_t threads : {0u, kMostThreads + 1}) {
    spec.threads = threads;
    CHECK_THROWS_WITH(run_barriers(spec), Catch::Matchers::Contains("a run has 1 to 256 threads"));
  }
}

using test::result_of;
using test::result_of_ranks;

/// Golden models that say they are as slow as hardware, so that home has some of them.
class SlowGolden final : public fabric::BankFactory {
 public:
  SlowGolden() : BankFactory(make_golden_engine()->makers()) {}
  std::string name() const override { return golden_->name(); }
  bool has_models() const override { return true; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return golden_->supports(config);
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return golden_->make_switches(config, blocks, options);
  }

 private:
  std::shared_ptr<const fabric::BankFactory> golden_ = make_golden_engine();
};

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

TEST_CASE("home may have blocks of its own", "[workload][ranks]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.engine = std::make_shared<SlowGolden>();
  spec.load_flits = 0.3 * subject.route_bound();
  spec.skip = false;
  test::ThreadRanks(3).run([&](std::shared_ptr<core::Ranks> ranks) {
    if (ranks->rank() != 0) return;
    RunSpec own = spec;
    own.ranks = std::move(ranks);
    const std::vector<std::uint32_t> owners = divide_network(own).switches;
    CHECK(std::count(owners.begin(), owners.end(), 0u) > 1);
  });
  check_ranks(spec, {2, 3});
  RunSpec dying = test::dying_spec(subject, "btin", muster_seed());
  dying.engine = spec.engine;
  check_ranks(dying, {3});
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
