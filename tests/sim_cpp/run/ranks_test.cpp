// SPDX-License-Identifier: Apache-2.0
#include "run/engines.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "support/thread_ranks.hpp"

namespace muster::run {
namespace {

/// The result is the same with these numbers of threads, and of ranks.
void check_same(const RunSpec& spec, const std::vector<std::uint32_t>& threads,
                const std::vector<std::uint32_t>& ranks) {
  const std::string one = test::result_of(spec);
  for (const std::uint32_t count : threads) {
    CAPTURE(count);
    CHECK(test::result_with_threads(spec, count) == one);
  }
  for (const std::uint32_t count : ranks) {
    CAPTURE(count);
    CHECK(test::result_of_ranks(spec, count) == one);
  }
}

/// The paper's group by any scheme that supports deaths, a switch that dies and one that is reset.
RunSpec dying_spec(const test::Subject& figure1, const std::string& scheme) {
  RunSpec spec = test::death_spec(figure1, muster_seed());
  spec.groups = figure1.spec({"paper"}).groups;
  spec.scheme = scheme;
  spec.deaths = {{.id = 8, .cycle = 300}, {.id = 2, .cycle = 400, .reset = true}};
  return spec;
}

TEST_CASE("results are the same for any number of threads", "[workload][threads]") {
  for (std::uint64_t i = 0; i < 6; ++i) {
    test::RandomRun run(muster_seed() + 7, i, 10);
    CAPTURE(i, run.text());
    run.spec.skip = i % 2 == 0;
    check_same(run.spec, {2, 3, 8}, {});
  }
}

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

TEST_CASE("results are the same on any number of ranks", "[workload][ranks]") {
  for (std::uint64_t i = 0; i < 2; ++i) {
    test::RandomRun run(muster_seed() + 8, i, 3);
    CAPTURE(i, run.text());
    run.spec.skip = i % 2 == 0;
    run.spec.threads = i == 1 ? 2 : 1;
    run.spec.load_flits *= 0.3;
    run.spec.spread = 50;
    check_same(run.spec, {}, {3});
  }
}

TEST_CASE("home may have blocks of its own", "[workload][ranks]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.engine = std::make_shared<SlowGolden>();
  spec.load_flits = 0.3 * test::figure1().route_bound();
  spec.skip = false;
  test::ThreadRanks(3).run([&](std::shared_ptr<core::Ranks> ranks) {
    if (ranks->rank() != 0) return;
    RunSpec own = spec;
    own.ranks = std::move(ranks);
    const std::vector<std::uint32_t> owners = divide_network(own).switches;
    CHECK(std::ranges::count(owners, 0u) > 1);
  });
  check_same(spec, {}, {2, 3});
  RunSpec dying = dying_spec(test::figure1(), "btin");
  dying.engine = spec.engine;
  check_same(dying, {}, {3});
}

TEST_CASE("ranks without a block of their own do no harm", "[workload][ranks]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.barriers = 2;
  spec.spread = 0;
  check_same(spec, {}, {13});
}

TEST_CASE("every scheme has the same result on threads and ranks, with deaths and resets",
          "[workload][threads][ranks]") {
  const auto* scheme = GENERATE("btin", "unicast", "nic-gather");
  CAPTURE(scheme);
  check_same(dying_spec(test::figure1(), scheme), {2, 5}, {2});
}

TEST_CASE("a breach is the same one on threads and ranks, with the same counts",
          "[workload][threads][ranks]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.load_flits = 0.3 * test::figure1().route_bound();
  // Flits are lost on a link, which a checker sees.
  spec.stopped = {{.channel = 3, .cycle = 250, .flits = true, .credits = false}};
  CHECK(test::result_of(spec).find("\"violations\":0") == std::string::npos);
  check_same(spec, {2, 4}, {3});
}

TEST_CASE("one rank that is interrupted ends the run of all", "[workload][ranks]") {
  RunSpec spec = test::figure1().spec({"all"});
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
