// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using test::Subject;

RunSpec with_links(const Subject& subject, const LinkSpec& links) {
  RunSpec spec = subject.spec({"paper"});
  spec.links = links;
  spec.links.retry = true;
  return spec;
}

TEST_CASE("over links that lose, corrupt and double frames all barriers and packets arrive",
          "[workload][link]") {
  const Subject subject = Subject::figure1();
  const double share = GENERATE(0.0, 1e-3, 0.05);
  const double load = GENERATE(0.0, 0.3);
  const char* const config = GENERATE("sw8v1", "sw8", "sw8s");
  CAPTURE(share, load, config);
  RunSpec spec = with_links(subject, {.drop = share, .corrupt = share, .duplicate = share});
  spec.seed = muster_seed();
  spec.config = configuration(config);
  spec.load_flits = load * subject.route_bound();
  spec.min_cycles = 3000;
  const RunResult result = run_barriers(spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.barriers.size() == spec.barriers);
  REQUIRE(result.wires);
  CHECK(result.wires->down.empty());
  CHECK((result.wires->dropped != 0) == (share != 0.0));
  CHECK((result.wires->replayed != 0) == (share != 0.0));
}

TEST_CASE("messages that are repeated lack places at links that lose, which stay up",
          "[workload][link][retry][lossy]") {
  const Subject subject = Subject::figure1();
  const std::uint32_t period = GENERATE(5, 40);
  const double share = GENERATE(0.0, 0.01, 0.05);
  const double load = GENERATE(0.0, 0.3);
  CAPTURE(period, share, load);
  RunSpec spec = subject.spec({"paper", "all", "random:5"}, muster_seed());
  spec.links = {.retry = true, .drop = share};
  spec.load_flits = load * subject.route_bound();
  spec.barriers = 100;
  btin::Spec& own = spec.parts.make<btin::Spec>();
  own.retry = true;
  own.retries.period = period;
  const RunResult result = run_barriers(spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.barriers.size() == 3 * spec.barriers);
  REQUIRE(result.wires);
  CHECK(result.wires->down.empty());
  REQUIRE(result.wires->lost);
  const std::uint64_t lost = result.parts.get<btin::Result>().retries->dropped;
  CHECK(lost >= *result.wires->lost);  // of which an end counts no more than 255
  if (period == 5 && share == 0.05) CHECK(*result.wires->lost > 100);
  if (period == 40 && share == 0.0) CHECK(lost == 0);
}

TEST_CASE("registers that repeat lose nothing on healthy links, and take as long as others",
          "[workload][link][retry][lossy]") {
  const std::uint64_t seed = muster_seed();
  const std::uint32_t period = GENERATE(30, 300);
  const std::uint32_t channels = GENERATE(1, 2);
  CAPTURE(seed, period, channels);
  const Subject subject(topology::generate_irregular(
      {.switches = 12, .nodes = 30, .ports = 8, .connectivity = 0.75, .seed = seed}));
  const auto run = [&](bool retry) {
    // As many groups as a link can have: one in each register.
    RunSpec spec = subject.spec({"all", "all", "random:10", "random:10"}, seed);
    spec.links.retry = true;
    spec.load_flits = 0.5 * subject.route_bound();
    spec.barriers = 40;
    btin::Spec& own = spec.parts.make<btin::Spec>();
    own.reflect = true;
    own.retry = retry;
    own.retries.period = period;
    spec.config = configuration(retry ? "sw8r" : "sw8v1");
    spec.config->vcs = channels;
    return run_barriers(spec);
  };
  const RunResult plain = run(false), result = run(true);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.barriers.size() == 160);
  CHECK(*result.wires->lost == 0);
  CHECK(result.parts.get<btin::Result>().retries->dropped == 0);
  CHECK(result.latency_mean <= 1.05 * plain.latency_mean);
}

TEST_CASE("75 switches with data lose nothing on healthy links with registers that repeat",
          "[workload][link][retry][lossy]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const Subject subject(topology::generate_irregular(
      {.switches = 75, .nodes = 256, .ports = 8, .connectivity = 0.75, .seed = seed}));
  const auto run = [&](bool retry) {
    RunSpec spec = subject.spec({"random:64"}, seed);
    spec.links.retry = true;
    spec.load_flits = 0.2 * subject.route_bound();
    spec.barriers = 20;
    spec.parts.make<btin::Spec>().retry = retry;
    spec.config = configuration(retry ? "sw8r" : "sw8v1");
    return run_barriers(spec);
  };
  const RunResult plain = run(false), result = run(true);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(*result.wires->lost == 0);
  CHECK(result.parts.get<btin::Result>().retries->dropped == 0);
  CHECK(result.latency_mean <= 1.1 * plain.latency_mean);
}

TEST_CASE("a short flap is recovered, a link that stays dead is named", "[workload][link]") {
  const Subject subject = Subject::figure1();
  // 3:0 to 0:1 is a link of the group's tree.
  const fabric::Layout layout(subject.graph);
  core::ChannelId channel = 0;
  while (layout.name(channel) != "3:0 -> 0:1") ++channel;
  const std::uint64_t cycles = GENERATE(20, 100'000);
  RunSpec spec = with_links(subject, {.flaps = {{channel, 300, cycles}}});
  spec.barriers = 50;
  const RunResult result = run_barriers(spec);
  if (cycles == 20) {
    CHECK(result.violations.empty());
    CHECK(result.barriers.size() == 50);
    return;
  }
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("down: ") && Contains("the other end is silent"));
  CHECK_THAT(result.violations[0], Contains("3:0 -> 0:1") || Contains("0:1 -> 3:0"));
  CHECK(result.cycles < 2000);
}

TEST_CASE("what links cannot do is refused", "[workload][link][bad-input]") {
  const Subject subject = Subject::figure1();
  const auto refused = [](const RunSpec& spec, const std::string& reason) {
    CHECK_THROWS_WITH(run_barriers(spec), Contains(reason));
  };
  refused(with_links(subject, {.drop = 0.6}),
          "--link-drop 0.6: must be a share of frames from 0 to 0.5");
  refused(with_links(subject, {.corrupt = -0.1}), "--link-corrupt");
  RunSpec bare = subject.spec({"paper"});
  bare.links.duplicate = 0.1;
  refused(bare, "--link-duplicate: only links that retry can lose frames");
  RunSpec stopped = with_links(subject, {});
  stopped.stopped = {{0, 100}};
  refused(stopped, "stopped by a flap");
  RunSpec preempting = with_links(subject, {});
  preempting.scheme = "bsr-1";
  refused(preempting, "barrier messages of one flit");
  RunSpec pipes = with_links(subject, {});
  pipes.profile = find_profile("btin");
  refused(pipes, "has delay pipes in the links");
  RunSpec large = with_links(subject, {});
  large.config = configuration("sw8");
  large.config->depth = 15;
  refused(large, "a replay buffer holds 32");
  large.config->vcs = 3;
  large.parts.make<btin::Spec>().retry = true;
  refused(large, "46 flits of switch configuration 'sw8-retry' can be in flight");
}

}  // namespace
}  // namespace muster::run
