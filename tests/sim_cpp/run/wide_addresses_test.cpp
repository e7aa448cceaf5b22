// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/system.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"

namespace muster::run {
namespace {

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
    const RunResult result = run_barriers(spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == 3);
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
      const RunResult shared = run_barriers(spec);
      CHECK(shared.violations == std::vector<std::string>{});
      spec.engine = std::make_shared<WrittenTables>();
      CHECK(run_barriers(spec).digest == shared.digest);
    }
}

/// A run without a violation.
RunResult pass(const RunSpec& spec) {
  RunResult result = run_barriers(spec);
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.barriers.size() == spec.barriers);
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
