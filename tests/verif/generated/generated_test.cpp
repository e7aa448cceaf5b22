// SPDX-License-Identifier: Apache-2.0
// Modules of `muster topo export --format verilog`, whose hosts and streams are driven at their AXI
// ports, cycle by cycle beside the network that the harness simulates.
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "muster/core/observer.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/group_spec.hpp"
#include "rtl/clocked.hpp"
#include "run/configurations.hpp"
#include "run/engines.hpp"
#include "support/seed.hpp"
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
  Host<Top>& host(unsigned node) { return programs_[node].host; }

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

/// The streams of a module whose programs have no barriers, beat by beat.
template <class Made>
class Streams {
 public:
  struct Beat {
    std::uint32_t data = 0, last = 0, opcode = 0;
    friend bool operator==(const Beat&, const Beat&) = default;
  };

  explicit Streams(std::uint64_t seed) : bench_(0, false, seed) {
    auto& top = bench_.top();
    for (unsigned n = 0; n < kNodes; ++n) set_element(top.m_axis_tready_i, n, 1, 1);
    for (int i = 0; top.ready_o == 0; ++i) {
      REQUIRE(i < 1000);
      bench_.cycle();
    }
  }
  /// One beat, taken before it returns.
  void send(unsigned from, unsigned to, std::uint32_t data, bool last) {
    auto& top = bench_.top();
    set_element(top.s_axis_tvalid_i, from, 1, 1);
    set_element(top.s_axis_tid_i, from, 1, 0);
    set_element(top.s_axis_tdest_i, from, 16, to);
    set_element(top.s_axis_tuser_i, from, 5, 0);
    set_element(top.s_axis_tdata_i, from, 16, data);
    set_element(top.s_axis_tlast_i, from, 1, last);
    bool taken = false;
    for (int i = 0; !taken; ++i) {
      REQUIRE(i < 70'000);
      taken = element(top.s_axis_tready_o, from, 1) != 0;  // depends on no input
      cycle();
    }
    set_element(top.s_axis_tvalid_i, from, 1, 0);
  }
  void cycle() {
    auto& top = bench_.top();
    for (unsigned n = 0; n < kNodes; ++n)
      if (element(top.m_axis_tvalid_o, n, 1) != 0)
        received[n].push_back({element(top.m_axis_tdata_o, n, 16),
                               element(top.m_axis_tlast_o, n, 1),
                               element(top.m_axis_tuser_o, n, 5)});
    bench_.cycle();
  }
  std::uint32_t read(unsigned node, std::uint32_t address) {
    bench_.host(node).read(address);
    for (int i = 0; !bench_.host(node).idle(); ++i) {
      REQUIRE(i < 20);
      bench_.cycle();
    }
    return bench_.host(node).word();
  }

  static constexpr unsigned kNodes = 4;
  std::vector<Beat> received[kNodes];

 private:
  Bench<Made> bench_;
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

TEST_CASE("in a generated network packets for no destination are discarded from reset on",
          "[generated]") {
  Streams<Pair> streams(muster_seed());
  CHECK(streams.read(3, MUSTER_ENDPOINT_ADDRESS) == (MUSTER_ENDPOINT_ADDRESS_CHECK_MASK | 3));
  for (const unsigned to : {64u, 67u, 129u, 2051u}) {
    streams.send(0, to, 1, false);
    streams.send(0, to, 2, true);
  }
  streams.send(0, 1, 3, true);
  for (int i = 0; i < 50; ++i) streams.cycle();
  CHECK(streams.received[0].empty());
  CHECK(streams.received[1] == std::vector<Streams<Pair>::Beat>{{3, 1, 0}});
  CHECK(streams.received[3].empty());
  CHECK(streams.read(0, MUSTER_ENDPOINT_STREAM_DROPS) == 4);
}

TEST_CASE(
    "in a generated network a sender that stops inside a packet blocks others for a bounded time",
    "[generated]") {
  Streams<Pair> streams(muster_seed());
  streams.send(0, 3, 0x11, false);
  streams.send(0, 3, 0x22, false);
  for (int i = 0; i < 50; ++i) streams.cycle();  // it is inside the receiver
  streams.send(1, 3, 0x33, false);
  streams.send(1, 3, 0x44, true);
  for (int i = 0; i < 66'000; ++i) streams.cycle();
  const std::vector<Streams<Pair>::Beat> expected{
      {0x11, 0, 0}, {0x22, 0, 0}, {31 << 11, 1, 31}, {0x33, 0, 0}, {0x44, 1, 0}};
  CHECK(streams.received[3] == expected);
  CHECK(streams.read(0, MUSTER_ENDPOINT_STREAM_DROPS) == 1u << 8);
  CHECK(streams.read(3, MUSTER_ENDPOINT_STREAM_DROPS) == 1u << 16);
  // The rest of the packet comes too late.
  streams.send(0, 3, 0x55, false);
  streams.send(0, 3, 0x66, true);
  streams.send(0, 3, 0x77, true);
  for (int i = 0; i < 50; ++i) streams.cycle();
  CHECK(streams.received[3].size() == expected.size() + 1);
  CHECK(streams.received[3].back() == Streams<Pair>::Beat{0x77, 1, 0});
}
