// SPDX-License-Identifier: Apache-2.0
// Modules of `muster topo export --format verilog`, whose hosts and streams are driven at their AXI
// ports, cycle by cycle beside the network that the harness simulates.

#include "muster/systems/btin.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "rtl/clocked.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "verif/generated/reference.hpp"
#include "verif/generated/traffic.hpp"

using namespace muster;
using namespace muster::test;

namespace {

/// As tests/verif/generated/CMakeLists.txt has it made.
struct Mesh {
  using Top = Vmuster_mesh;
  static constexpr const char* kFile = "tests/verif/generated/mesh.json";
  static constexpr const char* kConfig = "sw4";
  static constexpr const char* kGroups[] = {"all", "n0,n3"};
};
struct Pair {
  using Top = Vmuster_pair;
  static constexpr const char* kFile = "tests/verif/generated/pair.json";
  static constexpr const char* kConfig = "sw4v1";
  static constexpr const char* kGroups[] = {"all"};
};
struct Tree {
  using Top = Vmuster_tree;
  static constexpr const char* kFile = "tests/verif/generated/tree.json";
  static constexpr const char* kConfig = "sw4s";
  static constexpr const char* kGroups[] = {"all", "far"};
};

template <class Made>
run::RunSpec spec_of() {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(
      topology::read_topology(MUSTER_SOURCE_DIR "/" + std::string(Made::kFile)));
  spec.engine = run::make_golden_engine();
  spec.scheme = "btin";
  run::own<btin::Spec>(spec).reflect = true;
  spec.config = run::configuration(Made::kConfig);
  for (const char* group : Made::kGroups)
    spec.groups.push_back({group, topology::parse_group(*spec.graph, group, 1)});
  return spec;
}

std::vector<fabric::RegisterLoad> loads_of(run::RunSpec spec) {
  const auto recorder = std::make_shared<run::LoadRecorder>();
  spec.engine = recorder;
  return recorder->loads_of(*run::resolve(std::move(spec)));
}

/// A generated module, its hosts, and the reference beside it, compared in every cycle.
template <class Made>
class Bench {
  using Top = typename Made::Top;

 public:
  Bench(std::uint32_t barriers, std::uint64_t seed)
      : run_(run::resolve(spec_of<Made>())),
        reference_(*run_, loads_of(spec_of<Made>())),
        dut_(seed) {
    for (unsigned n = 0; n < nodes(); ++n) {
      programs_.emplace_back(*dut_, n, run_->spec.groups, barriers, seed);
      traffic_.emplace_back(*dut_, n, nodes(), run_->config.vcs, log_, seed);
    }
    dut_->ctl_awvalid_i = dut_->ctl_wvalid_i = dut_->ctl_arvalid_i = 0;
    dut_->s_axis_tvalid_i = 0;
    dut_.reset();
  }

  void cycle() {
    for (auto& program : programs_) program.step(), program.host.drive();
    for (auto& traffic : traffic_) traffic.drive();
    dut_.settle();
    for (auto& program : programs_) program.host.see();
    for (auto& traffic : traffic_) traffic.see();
    compare_switches();
    for (unsigned n = 0; n < nodes(); ++n) reference_.nodes().tell(n, out(first() + n));
    reference_.step();
    for (unsigned n = 0; n < nodes(); ++n) {
      CAPTURE(cycle_, n);
      REQUIRE(in_wires(*dut_, run_->config, first() + n) == reference_.nodes().in(n));
    }
    dut_.edge();
    ++cycle_;
  }
  /// Until all programs have ended and nothing has been on a wire for a while.
  void run() {
    std::uint64_t quiet = 0;
    while (quiet < 50) {
      const std::uint64_t before = flits_;
      cycle();
      bool done = flits_ == before;
      for (auto& program : programs_) done = done && program.done();
      if (done)
        for (auto& traffic : traffic_) traffic.stop();
      for (auto& traffic : traffic_) done = done && traffic.between();
      quiet = done ? quiet + 1 : 0;
      REQUIRE(cycle_ < 200'000);
    }
  }
  const run::ResolvedRun& resolved() const { return *run_; }
  const PacketLog& packets() const { return log_; }
  /// REQUIRES: the programs have ended.
  std::uint32_t read(unsigned node, std::uint32_t address) {
    verif::AxiHost<Top>& host = programs_[node].host;
    host.read(address);
    for (int i = 0; !host.idle(); ++i) {
      REQUIRE(i < 20);
      cycle();
    }
    return host.word();
  }

 private:
  unsigned nodes() const { return run_->spec.graph->nodes(); }
  unsigned first() const { return run_->config.ports * run_->spec.graph->switches(); }
  EndWires out(unsigned end) { return out_wires(*dut_, run_->config, end); }

  void compare_switches() {
    for (std::uint32_t s = 0; s < run_->spec.graph->switches(); ++s) {
      for (std::uint32_t p = 0; p < run_->config.ports; ++p) {
        CAPTURE(cycle_, s, p);
        REQUIRE(out(run_->config.ports * s + p) == reference_.out(s, p));
      }
    }
    for (unsigned end = 0; end < first() + nodes(); ++end) flits_ += out(end).valid;
  }

  std::unique_ptr<const run::ResolvedRun> run_;
  Reference reference_;
  Clocked<Top> dut_;
  std::deque<Program<Top>> programs_;
  std::deque<Traffic<Top>> traffic_;
  PacketLog log_;
  std::uint64_t cycle_ = 0, flits_ = 0;
};

}  // namespace

TEMPLATE_TEST_CASE("a generated network with barriers and packets is golden's on all wires",
                   "[generated]", Mesh, Pair, Tree) {
  Bench<TestType> bench(60, muster_seed());
  bench.run();
  const PacketLog& packets = bench.packets();
  CHECK(packets.sent == packets.received);
  CHECK(packets.sent.size() >= 12);  // all ways
  // From reset on each endpoint has its own address, and discards packets for no destination.
  for (const auto& [node, count] : packets.discarded) {
    CAPTURE(node);
    CHECK(bench.read(node, MUSTER_ENDPOINT_ADDRESS) == (MUSTER_ENDPOINT_ADDRESS_CHECK_MASK | node));
    CHECK(bench.read(node, MUSTER_ENDPOINT_STREAM_DROPS) == std::min(count, 255u));
  }
  CHECK(packets.discarded.size() == bench.resolved().spec.graph->nodes());
}
