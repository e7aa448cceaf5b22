// SPDX-License-Identifier: Apache-2.0

#include "run/links/host_writes.hpp"
#include "run/links/link_plan.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"

namespace muster::run {
namespace {

const fabric::LinkConfig kLink;

/// Bits in which two frames differ.
unsigned distance(const core::Flit& a, const core::Flit& b) {
  const fabric::LinkFormat format(kLink);
  unsigned bits = 0;
  for (unsigned at = 0; at < format.width(); ++at) bits += format.bit(a, at) != format.bit(b, at);
  return bits;
}

core::Flit frame_with_flit(std::uint32_t seq) {
  return fabric::LinkFormat(kLink).pack({.flit = true, .seq = seq, .payload = 0x1234});
}

TEST_CASE("shares of frames are lost, corrupted and duplicated, and counted", "[workload][link]") {
  const std::uint64_t seed = muster_seed();
  const LinkSpec spec{.retry = true, .drop = 0.1, .corrupt = 0.2, .duplicate = 0.3};
  WireFaults wires(spec, kLink, 4, seed), again(spec, kLink, 4, seed);
  constexpr std::uint64_t kFrames = 20000;
  const core::Flit frame = frame_with_flit(3);
  std::uint64_t lost = 0, corrupted = 0, duplicated = 0;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    const core::Arriving arriving = wires.pass(i % 4, i / 4, frame);
    const core::Arriving same = again.pass(i % 4, i / 4, frame);
    REQUIRE(arriving.count == same.count);
    REQUIRE(arriving.flits == same.flits);
    lost += arriving.count == 0;
    duplicated += arriving.count == 2;
    if (arriving.count == 0 || arriving.flits[0] == frame) continue;
    ++corrupted;
    CHECK(distance(arriving.flits[0], frame) <= 3);
  }
  CHECK(wires.counts().dropped == lost);
  CHECK(wires.counts().corrupted == corrupted);
  CHECK(wires.counts().duplicated == duplicated);
  // Six standard deviations.
  CHECK(lost == Approx(0.1 * kFrames).margin(260));
  CHECK(corrupted == Approx(0.9 * 0.2 * kFrames).margin(330));
  CHECK(duplicated == Approx(0.9 * 0.3 * kFrames).margin(380));
}

TEST_CASE("in a flap both wires of the link are dead, and no others", "[workload][link]") {
  WireFaults wires({.retry = true, .flaps = {{.channel = 3, .first = 10, .cycles = 5}}}, kLink, 6,
                   1);
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle)
    for (std::uint32_t wire = 0; wire < 6; ++wire) {
      CAPTURE(cycle, wire);
      const bool dead = wire / 2 == 1 && cycle >= 10 && cycle < 15;
      CHECK(wires.pass(wire, cycle, frame_with_flit(0)).count == (dead ? 0u : 1u));
    }
  CHECK(wires.counts().flapped == 10);
}

RunSpec with_links(const test::Subject& subject, const LinkSpec& links) {
  RunSpec spec = subject.spec({"paper"});
  spec.links = links;
  spec.links.retry = true;
  return spec;
}

TEST_CASE("over links that lose, corrupt and double frames all barriers and packets arrive",
          "[workload][link]") {
  const double share = GENERATE(0.0, 1e-3, 0.05);
  const double load = GENERATE(0.0, 0.3);
  const char* const config = GENERATE("sw8v1", "sw8", "sw8s");
  CAPTURE(share, load, config);
  RunSpec spec = with_links(test::figure1(), {.drop = share, .corrupt = share, .duplicate = share});
  spec.seed = muster_seed();
  spec.config = configuration(config);
  spec.load_flits = load * test::figure1().route_bound();
  spec.min_cycles = 3000;
  const RunResult result = test::completes(spec);
  REQUIRE(result.wires);
  CHECK(result.wires->down.empty());
  CHECK((result.wires->dropped != 0) == (share != 0.0));
  CHECK((result.wires->replayed != 0) == (share != 0.0));
}

TEST_CASE("messages that are repeated lack places at links that lose, which stay up",
          "[workload][link][retry][lossy]") {
  const std::uint32_t period = GENERATE(5, 40);
  const double share = GENERATE(0.0, 0.01, 0.05);
  const double load = GENERATE(0.0, 0.3);
  CAPTURE(period, share, load);
  RunSpec spec = test::figure1().spec({"paper", "all", "random:5"}, muster_seed());
  spec.links = {.retry = true, .drop = share};
  spec.load_flits = load * test::figure1().route_bound();
  spec.barriers = 100;
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.retry = true;
  own.retries.period = period;
  const RunResult result = test::completes(spec);
  REQUIRE(result.wires);
  CHECK(result.wires->down.empty());
  REQUIRE(result.wires->lost);
  const std::uint64_t lost = run::own<btin::Result>(result).retries->dropped;
  CHECK(lost >= *result.wires->lost);  // of which an end counts no more than 255
  if (period == 5 && share == 0.05) CHECK(*result.wires->lost > 100);
  if (period == 40 && share == 0.0) CHECK(lost == 0);
}

/// The run with registers that repeat loses nothing, and takes little longer than with others.
void loses_nothing(RunSpec spec, double longer) {
  spec.links.retry = true;
  const auto run = [&](bool retry) {
    run::own<btin::Spec>(spec).retry = retry;
    const std::uint32_t channels = spec.config->vcs;
    spec.config = configuration(retry ? "sw8r" : "sw8v1");
    spec.config->vcs = channels;
    return test::completes(spec);
  };
  const RunResult plain = run(false), result = run(true);
  CHECK(*result.wires->lost == 0);
  CHECK(run::own<btin::Result>(result).retries->dropped == 0);
  CHECK(result.latency_mean <= longer * plain.latency_mean);
}

TEST_CASE("registers that repeat lose nothing on healthy links, and take as long as others",
          "[workload][link][retry][lossy]") {
  const std::uint64_t seed = muster_seed();
  const std::uint32_t period = GENERATE(30, 300);
  const std::uint32_t channels = GENERATE(1, 2);
  CAPTURE(period, channels);
  const test::Subject subject(topology::generate_irregular(
      {.switches = 12, .nodes = 30, .ports = 8, .connectivity = 0.75, .seed = seed}));
  // As many groups as a link can have: one in each register.
  RunSpec spec = subject.spec({"all", "all", "random:10", "random:10"}, seed);
  spec.load_flits = 0.5 * subject.route_bound();
  spec.barriers = 40;
  spec.config = configuration("sw8v1");
  spec.config->vcs = channels;
  run::own<btin::Spec>(spec).reflect = true;
  run::own<btin::Spec>(spec).retries.period = period;
  loses_nothing(spec, 1.05);
}

TEST_CASE("links whose replay buffers are too small for the queues are refused",
          "[workload][link][bad-input]") {
  const auto refused = [](RunSpec spec, std::uint32_t vcs, const std::string& reason) {
    spec.config = configuration("sw8");
    spec.config->depth = 15;
    spec.config->vcs = vcs;
    CHECK_THROWS_WITH(run_barriers(spec), Contains(reason));
  };
  RunSpec spec = with_links(test::figure1(), {});
  refused(spec, 2, "a replay buffer holds 32");
  run::own<btin::Spec>(spec).retry = true;
  refused(spec, 3, "46 flits of switch configuration 'sw8-retry' can be in flight");
}

/// The network is found empty, in this cycle.
std::uint64_t emptied(btin::GroupNetwork& net, DrainWatch& watch) {
  net.network->endpoints().hold_packets(true);
  watch.begin(net.now());
  const std::uint64_t start = net.now();
  while (!watch.empty(net.now())) {
    REQUIRE(net.now() < start + 1000);
    net.network->engine().step();
  }
  return net.now();
}

TEST_CASE("no packet comes after the network has been found empty, each time that it is held",
          "[workload][change]") {
  btin::GroupNetwork net(topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json"), 2);
  fabric::EndpointBank& nodes = net.network->endpoints();
  DrainWatch watch(*net.network, 0);
  std::uint64_t last = 0;
  const auto packets = test::on_flits([&](std::uint64_t cycle, const core::FlitEvent& e) {
    if (!e.flit.sync()) last = cycle;
  });
  net.network->engine().observe_with(watch);
  net.network->engine().observe_with(*packets);
  std::vector<topology::NodeId> all;
  for (topology::NodeId n = 0; n < net.graph.nodes(); ++n) all.push_back(n);
  net.manager->create(0, 1, all, {});
  std::uint32_t held = 0;
  for (std::uint64_t run = 1; !net.manager->settled(); run = run % 11 + 1) {
    nodes.hold_packets(false);
    for (std::uint64_t i = 0; i < run; ++i) net.network->engine().step();
    const std::uint64_t empty = emptied(net, watch);
    for (int i = 0; i < 60; ++i) net.network->engine().step();
    CAPTURE(held, empty);
    REQUIRE(last < empty);
    ++held;
  }
  CHECK(held > 20);
}

RunResult run(const test::Subject& subject, std::uint64_t seed, bool reflect,
              const btin::RetrySpec* retries, std::uint32_t barriers = 8, double load = 0.0) {
  RunSpec spec = subject.spec({"random:5", "random:7"}, seed);
  spec.barriers = barriers;
  spec.load_flits = load * subject.route_bound();
  // All that repeat are built with one virtual channel.
  if (retries == nullptr) spec.config = configuration("sw8v1");
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.reflect = reflect;
  own.retry = retries != nullptr;
  if (retries != nullptr) own.retries = *retries;
  return run_barriers(spec);
}

TEST_CASE("barriers complete where half of all messages are lost", "[run][retry]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  for (const bool reflect : {false, true}) {
    CAPTURE(reflect);
    const btin::RetrySpec lossy{.period = 30, .drop = 0.5, .duplicate = 0.5};
    const RunResult result = run(subject, muster_seed(), reflect, &lossy, 20, 0.3);
    CHECK(result.violations == std::vector<std::string>{});
    CHECK(result.barriers.size() == 40);
    const auto counts = run::own<btin::Result>(result).retries.value();
    CHECK(counts.dropped > counts.messages / 3);
    CHECK(counts.repeated > counts.messages / 3);
  }
}

TEST_CASE("10^6 barriers complete at a loss of 10^-3", "[run][retry][soak]") {
  const btin::RetrySpec lossy{.period = 60, .drop = 1e-3, .duplicate = 1e-3};
  const RunResult result = run(test::figure1(), muster_seed(), true, &lossy, 500'000);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.barriers.size() == 1'000'000);
}

}  // namespace
}  // namespace muster::run
