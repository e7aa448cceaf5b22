// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/fabric/formats.hpp"
#include "muster/run/result.hpp"
#include "muster/run/run.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

/// `serial`: switches that take one barrier message a cycle.
void run_all(std::uint64_t networks, std::uint32_t barriers, bool serial = false) {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed, i, barriers);
    CAPTURE(seed, i, run.text());
    run::own<btin::Spec>(run.spec).serial = serial;
    const RunResult result = test::completes_as_planned(run.spec);
    completed += result.barriers.size();
  }
  CHECK(completed >= networks * barriers);
}

TEST_CASE("random barriers on random networks under load keep every property",
          "[workload][random]") {
  run_all(20, 25);
}

TEST_CASE("so they do where a switch takes one barrier message a cycle",
          "[workload][random][serial]") {
  run_all(20, 25, true);
}

TEST_CASE("ten thousand random barriers on 200 random networks", "[workload][random][soak]") {
  run_all(200, 50);
  run_all(200, 50, true);
}

// Queues all full, packets of 16 to 64 flits at 1.5 times the route bound
// (docs/reference/deadlock.md). run_barriers() ends with a violation if a barrier or a packet stays
// for ever.
void end_on_full_networks(std::uint64_t networks) {
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t saturated = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(seed, 10 * i + 9, 8);
    REQUIRE(run.load == 1.5);
    run.spec.packet_length = static_cast<std::uint32_t>(16 + i % 49);
    run.spec.warmup = 2000;
    run::own<btin::Spec>(run.spec).serial = i % 5 == 1;
    CAPTURE(seed, i, run.text(), run.spec.packet_length);
    const RunResult result = test::completes(run.spec);
    saturated += result.data->saturated ? 1 : 0;
  }
  // Some runs are too short to tell.
  CHECK(saturated > networks * 8 / 10);
}

TEST_CASE("barriers end on 150 full networks with long packets", "[workload][stress]") {
  end_on_full_networks(150);
}

TEST_CASE("barriers end on 500 full networks with long packets", "[workload][stress][soak]") {
  end_on_full_networks(500);
}

// The same with groups in spill nodes: now barrier messages do stand at the heads of full queues.
// Every second network has switches that take one of them a cycle; of those above every fifth.
TEST_CASE("spilled barriers end on full networks with long packets", "[workload][stress][spill]") {
  constexpr std::uint64_t kNetworks = 60;
  const std::uint64_t seed = muster_seed();
  const auto golden = run::make_golden_engine();
  std::uint64_t saturated = 0, spilled = 0;
  for (std::uint64_t i = 0; i < kNetworks; ++i) {
    test::RandomRun run(seed + 3, 10 * i + 9, 8);
    REQUIRE(run.load == 1.5);
    run.spec.packet_length = static_cast<std::uint32_t>(16 + i % 49);
    run.spec.barriers = 2;
    run.spec.warmup = 2000;
    run::own<btin::Spec>(run.spec).serial = i % 2 == 1;
    run.spill(12, seed + i);
    CAPTURE(seed, i, run.text(), run.spec.packet_length);
    const RunResult result = test::completes(run.spec);
    saturated += result.data->saturated ? 1 : 0;
    spilled += run::own<btin::Result>(result).spill->spilled_barriers;
  }
  CHECK(saturated > kNetworks / 2);
  CHECK(spilled > 12 * kNetworks);
}

using Catch::Matchers::Contains;

fabric::SwitchConfig chosen(const test::Subject& subject, const std::string& scheme) {
  RunSpec spec = subject.spec({"random:6"});
  spec.scheme = scheme;
  return resolve(spec)->config;
}

TEST_CASE("all schemes of a network get the same channels, depth and width", "[run][fair]") {
  const topology::Graph large = topology::generate_irregular(
      {.switches = 40, .nodes = 200, .ports = 12, .connectivity = 0.75, .seed = 3});
  for (const test::Subject& subject :
       {test::Subject::figure1(), test::Subject(topology::generate_mesh(4, 4)),
        test::Subject(large)}) {
    const fabric::SwitchConfig first = chosen(subject, "btin");
    CHECK((first.vcs == 2 && first.depth == 4 && first.flit_w == 16));
    for (const auto& system : systems())
      for (const SchemeFactory& scheme : system->schemes()) {
        CAPTURE(subject.graph.name, scheme.name);
        const fabric::SwitchConfig config = chosen(subject, scheme.name);
        CHECK(config.vcs == first.vcs);
        CHECK(config.flit_w == first.flit_w);
        // An input queue of a switch with a barrier unit holds a message of it.
        CHECK(config.depth ==
              (scheme.name == "tree-units" ? fabric::kBarrierPacketFlits : first.depth));
      }
  }
}

TEST_CASE("the first line of a report tells the switches and who else gets them", "[run][fair]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  const auto line = [&] { return switches_to_text(spec, resolve(spec)->config); };
  CHECK(line() ==
        "switches     sw8: 8 ports, 2 virtual channels of 4 flits, 16 bits wide, barrier kind; "
        "every scheme gets the same channels\n");
  run::own<btin::Spec>(spec).retry = true;
  CHECK_THAT(line(), Contains("sw8r: 8 ports, 1 virtual channel of 4 flits") &&
                         Contains("other schemes get 2 virtual channels"));
  spec.config = resolve(spec)->config;
  CHECK_THAT(line(), Contains("; as named"));
}

/// 2112 destinations: switches from 992 on have addresses of 12 bits.
TEST_CASE("every scheme that golden switches have runs where 11 bits do not name all",
          "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(33, 32));
  for (const char* scheme : {"btin", "bsr-1", "bsr-2", "bsr-3", "unicast", "star", "tree",
                             "tree-units", "multicast", "nic-dissemination"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"n0,n5,n600,n991,n992,n993,n1024,n1055"});
    spec.scheme = scheme;
    spec.barriers = 3;
    spec.load_flits = 0.002;
    spec.min_cycles = 1500;
    const RunResult result = test::completes(spec);
    CHECK(result.config.flit_w == 17);
    CHECK(result.data->delivered > 200);
  }
}

TEST_CASE("flits of 16 bits are refused for more than 2048 destinations", "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(33, 32));
  RunSpec spec = subject.spec({"n0,n5"});
  spec.config = fabric::SwitchConfig{.name = "narrow", .ports = 5, .dests = 2112};
  spec.config->kind = find_scheme("btin").system.switch_kinds().front();
  CHECK_THROWS_WITH(run_barriers(spec),
                    Catch::Matchers::Contains("dests = 2112 is not in 16..2048"));
}

/// Golden switches that get each entry of their routing tables from the host.
class WrittenTables : public fabric::BankFactory {
 public:
  std::string name() const override { return "written"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return std::make_unique<MutantBank>(
        make_golden_engine()->make_switches(config, blocks, options),
        [](std::uint64_t, MutantBank&) {});
  }
};

TEST_CASE("switches that share the network's routes do what those do whose tables are written",
          "[workload][addresses]") {
  const test::Subject subjects[] = {test::Subject(topology::generate_mesh(5, 4, 2)),
                                    test::Subject(topology::generate_fat_tree(3, 3))};
  for (const test::Subject& subject : subjects)
    for (const char* scheme : {"btin", "bsr-2", "tree-units", "multicast"}) {
      CAPTURE(subject.graph.name, scheme);
      RunSpec spec = subject.spec({"random:8", "random:5"});
      spec.scheme = scheme;
      spec.load_flits = 0.02;
      const RunResult shared = test::passes(spec);
      spec.engine = std::make_shared<WrittenTables>();
      CHECK(run_barriers(spec).digest == shared.digest);
    }
}

/// A run without a violation.
RunResult pass(const RunSpec& spec) {
  RunResult result = test::completes(spec);
  return result;
}

/// 65 536 nodes and 16 384 switches: only nodes have addresses.
TEST_CASE("65 536 nodes are served where no message names a switch", "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(128, 128, 4));
  for (const char* scheme : {"btin", "unicast"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"n0,n255,n2048,n30000,n32768,n65535"});
    spec.scheme = scheme;
    spec.barriers = 2;
    CHECK(pass(spec).config.dests == 65536);
  }
  RunSpec spec = subject.spec({"n0,n65535"});
  spec.scheme = "tree-units";
  CHECK_THROWS_WITH(run_barriers(spec), Catch::Matchers::Contains("81920 destinations"));
}

TEST_CASE("every member of 65 536 passes a barrier", "[soak][workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(128, 128, 4));
  for (const char* scheme : {"btin", "unicast"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"all"});
    spec.scheme = scheme;
    spec.barriers = 1;
    pass(spec);
  }
}

TEST_CASE("every scheme serves 4096 members on a mesh and on a fat tree",
          "[soak][workload][addresses]") {
  const test::Subject subjects[] = {test::Subject(topology::generate_mesh(64, 64)),
                                    test::Subject(topology::generate_fat_tree(8, 4))};
  for (const test::Subject& subject : subjects)
    for (const char* scheme : {"btin", "unicast", "tree", "tree-units", "bsr-1", "bsr-2", "bsr-3",
                               "nic-dissemination", "nic-pairwise", "nic-gather"}) {
      CAPTURE(subject.graph.name, scheme);
      RunSpec spec = subject.spec({"all"});
      spec.scheme = scheme;
      spec.barriers = 2;
      pass(spec);
    }
}

TEST_CASE("BSR trees grow on 1200 switches with a node each", "[workload][addresses][bsr]") {
  const test::Subject subject(
      topology::generate_irregular({.switches = 1200, .nodes = 1200, .ports = 8}));
  for (const char* scheme : {"bsr-1", "bsr-2", "bsr-3"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"all"});
    spec.scheme = scheme;
    spec.barriers = 2;
    pass(spec);
  }
}

}  // namespace

}  // namespace muster::run
