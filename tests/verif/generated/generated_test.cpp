// SPDX-License-Identifier: Apache-2.0
// Modules of `muster topo export --format verilog`, whose hosts and streams are driven at their AXI
// ports, cycle by cycle beside the network that the harness simulates.
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "muster/core/observer.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/load_file.hpp"
#include "rtl/clocked.hpp"
#include "run/configurations.hpp"
#include "run/load_recorder.hpp"
#include "support/seed.hpp"
#include "verif/generated/members.hpp"
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
  static constexpr const char* kFile = "synth/pair.json";
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
  spec.parts.make<btin::Spec>().reflect = true;
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

/// A flit on a channel.
using Sent = std::map<std::pair<std::uint64_t, core::ChannelId>, core::Flit>;

/// A generated module, its hosts, and the reference beside it, compared in every cycle.
template <class Made>
class Bench {
  using Top = typename Made::Top;

 public:
  Bench(std::uint32_t barriers, bool traffic, std::uint64_t seed)
      : run_(run::resolve(spec_of<Made>())),
        layout_(*run_->spec.graph),
        reference_(*run_, loads_of(spec_of<Made>())),
        dut_(seed) {
    for (unsigned n = 0; n < nodes(); ++n) {
      programs_.emplace_back(*dut_, n, run_->spec.groups, barriers, seed);
      if (traffic) traffic_.emplace_back(*dut_, n, nodes(), run_->config.vcs, log_, seed);
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
      const std::size_t before = sent.size();
      cycle();
      bool done = sent.size() == before;
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
  Top& top() { return *dut_; }

  Sent sent;  ///< all flits, by cycle and channel

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
    for (core::ChannelId c = 0; c < layout_.channels().size(); ++c) {
      const fabric::End& from = layout_.channels()[c].from;
      const EndWires wires =
          out(from.node ? first() + from.id : run_->config.ports * from.id + from.port);
      if (wires.valid) sent[{cycle_, c}] = wires.flit;
    }
  }

  std::unique_ptr<const run::ResolvedRun> run_;
  fabric::Layout layout_;
  Reference reference_;
  Clocked<Top> dut_;
  std::deque<Program<Top>> programs_;
  std::deque<Traffic<Top>> traffic_;
  PacketLog log_;
  std::uint64_t cycle_ = 0;
};

class Recorder : public core::Observer {
 public:
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& event : flits) sent[{cycle, event.channel}] = event.flit;
  }
  Sent sent;
};

}  // namespace

TEMPLATE_TEST_CASE("a generated network with barriers and packets is golden's on all wires",
                   "[generated]", Mesh, Pair, Tree) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Bench<TestType> bench(60, true, seed);
  bench.run();
  const PacketLog& packets = bench.packets();
  CHECK(packets.sent == packets.received);
  CHECK(packets.sent.size() >= 12);  // all ways
}

TEMPLATE_TEST_CASE("barriers of a generated network are those of the run that was simulated",
                   "[generated]", Mesh, Pair, Tree) {
  const std::uint64_t seed = muster_seed() + 1;
  constexpr std::uint32_t kBarriers = 40;
  CAPTURE(seed);
  Bench<TestType> bench(kBarriers, false, seed);
  bench.run();
  REQUIRE(!bench.sent.empty());
  // A member of a run arrives in the cycle before its message is on the wires. Data differ, as a
  // run draws its own; all else is compared.
  const std::uint64_t start = bench.sent.begin()->first.first - 1;
  run::RunSpec spec = spec_of<TestType>();
  const fabric::Layout layout(*spec.graph);
  run::ListedArrivals::List times(spec.groups.size());
  const fabric::Formats formats(spec.config->flit_w, spec.config->gid_w);
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    times[g].resize(kBarriers);
    for (const topology::NodeId n : spec.groups[g].members) {
      std::uint32_t barrier = 0;
      for (const auto& [at, flit] : bench.sent) {
        if (at.second != layout.into_switch(n)) continue;
        if ((flit.lo >> formats.data_width() & 255u) != g) continue;
        REQUIRE(barrier < kBarriers);
        times[g][barrier++].push_back(at.first - 1 - start);
      }
      REQUIRE(barrier == kBarriers);
    }
  }
  spec.barriers = kBarriers;
  spec.arrivals = std::make_shared<run::ListedArrivals>(times);
  const auto recorder = std::make_shared<Recorder>();
  spec.observers.push_back(recorder);
  const run::RunResult result = run::run_barriers(spec);
  REQUIRE(result.violations.empty());
  const std::uint64_t without_data = ~((std::uint64_t{1} << formats.data_width()) - 1);
  Sent module_sent, run_sent;
  for (const auto& [at, flit] : bench.sent) {
    core::Flit bare = flit;
    bare.lo &= without_data;
    module_sent[{at.first - start, at.second}] = bare;
  }
  for (const auto& [at, flit] : recorder->sent) {
    core::Flit bare = flit;
    bare.lo &= without_data;
    run_sent[at] = bare;
  }
  CHECK(module_sent.size() >= 8 * kBarriers);
  CHECK(module_sent == run_sent);
}
