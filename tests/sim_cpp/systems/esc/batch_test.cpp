// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/batch.hpp"

#include "sim_cpp/systems/esc/esc_fixture.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::esc;
using namespace muster::test;

TEST_CASE("every check holds at the extremes of size, buffer, rate and spread", "[esc]") {
  for (const auto& [pes, n] : {Size{4, 2}, {4, 4}, {8, 8}, {16, 2}, {64, 4}})
    for (const std::string policy :
         {"bypass", "isolated-bg", "isolated-hs", "hot-section:2", "all"})
      for (const std::uint32_t depth : {1u, 2u, 64u})
        for (const double rate : {0.0, 0.3, 0.6})
          for (const double sigma : {0.0, 20.0}) {
            Spec spec =
                small_spec(pes, n, policy == "all" ? "hot-section:" + std::to_string(pes) : policy);
            spec.box.depth = depth;
            spec.rate = rate;
            spec.sigma = sigma;
            spec.sessions = 1;
            spec.release = depth == 2 ? Release::kNetwork : Release::kDirect;
            CAPTURE(pes, n, policy, depth, rate, sigma);
            const BatchResult result = run_golden(spec);
            CHECK(result.violation_texts == std::vector<std::string>{});
            CHECK(result.mu_syn.mean.has_value());
            CHECK(result.mu_bg_total.mean.has_value() == (rate > 0));
            CHECK(result.active_session.mean >= pes - 1.0);
            CHECK_FALSE(result.mu_syn.half_width.has_value());
            for (const CheckCount& check : result.checks)
              if (check.name != "purity") CHECK(check.passed > 0);
          }
}

TEST_CASE("a batch is the same for any number of threads", "[esc]") {
  Spec spec = small_spec(64, 4, "hot-section:4");
  spec.sessions = 9;
  const BatchResult one = run_golden(spec);
  for (const unsigned threads : {2u, 3u, 20u}) {
    spec.threads = threads;
    const BatchResult many = run_golden(spec);
    CHECK(many.digest == one.digest);
    CHECK(many.mu_syn.mean == one.mu_syn.mean);
    CHECK(many.mu_bg_total.half_width == one.mu_bg_total.half_width);
    CHECK(many.packets == one.packets);
  }
  spec.seed += 1;
  CHECK(run_golden(spec).digest != one.digest);
}

TEST_CASE("a long run says how far it is", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.mean = 9000;
  spec.sessions = 3;
  spec.threads = 2;
  std::uint32_t most = 0;
  std::uint64_t within = 0;
  run_batch(spec, *run::make_golden_engine(), [&](std::uint32_t done, std::uint64_t cycle) {
    // A report of a finished session repeats the cycle that was told last.
    within += done == most && (cycle == 4096 || cycle == 8192);
    most = std::max(most, done);
  });
  CHECK(most == 3);
  CHECK(within == 6);
}

TEST_CASE("a batch that is interrupted is one of fewer sessions", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.sessions = 50;
  spec.threads = 1;
  spec.mean = 600;
  std::uint32_t finished = 0, asked = 0;
  const BatchResult cut = run_batch(
      spec, *run::make_golden_engine(), [&](std::uint32_t done, std::uint64_t) { finished = done; },
      // Before the fourth session, in its cycle 0, in its cycle 256.
      [&] { return finished == 3 && ++asked > 2; });
  CHECK(asked > 2);
  CHECK(cut.interrupted);
  CHECK(cut.sessions == 3);
  spec.sessions = 3;
  const BatchResult whole = run_golden(spec);
  CHECK_FALSE(whole.interrupted);
  CHECK(cut.digest == whole.digest);
  CHECK(cut.mu_syn.mean == whole.mu_syn.mean);
  spec.sessions = 50;
  const BatchResult none = run_batch(spec, *run::make_golden_engine(), {}, [] { return true; });
  CHECK(none.sessions == 0);
  CHECK_FALSE(none.mu_syn.mean);
}

namespace {

const Provenance kOrigin{"muster esc", "0.1", 1};

}  // namespace

TEST_CASE("a mean over nothing is null, a width of one session too", "[esc]") {
  Spec spec = small_spec(16, 4, "bypass");
  spec.rate = 0;
  spec.sessions = 1;
  const auto json = valid_json(batch_to_json(spec, run_golden(spec), kOrigin));
  CHECK(json["mu_bg_total"]["mean"].is_null());
  CHECK(json["mu_syn"]["mean"].is_number());
  CHECK(json["mu_syn"]["half_width"].is_null());
  CHECK_THAT(batch_to_text(spec, run_golden(spec)),
             Catch::Matchers::Contains("mu_BG(Tot)      none"));
}
