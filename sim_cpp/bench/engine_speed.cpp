// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "bench/bench.hpp"
#include "run/configurations.hpp"
#include "systems/esc/batch.hpp"
#include "topology/route_walk.hpp"

namespace muster::bench {
namespace {

constexpr double kShare = 0.8;  // of the route bound
constexpr unsigned kThreads = 2;

/// `how` on switches of an engine.
Variant on(const Setting& setting, const char* engine, Variant how = {},
           const char* config = "sw8") {
  how.engine = setting.engines->find(engine);
  how.config = run::configuration(config);
  return how;
}

/// An irregular network at kShare of its route bound.
Scenario loaded(const Setting& setting, std::uint32_t switches, std::uint32_t nodes) {
  return at_share_of_bound(irregular(switches, nodes, setting.seed), kShare, setting.seed);
}

std::string work_text(const Scenario& scenario) {
  return fmt::format(
      "irregular, {} switches, {} nodes, k = 8, f = 0.75, load {} of the route bound; nothing "
      "skipped",
      scenario.graph.switches(), scenario.graph.nodes(), kShare);
}

core::Replayable& replayable(TrafficNetwork& network) {
  core::Replayable* const bank = network.network().switches().replayable();
  if (bank == nullptr) throw InternalError("the switches of engine rtl cannot replay");
  return *bank;
}

/// Flits that a switch sends in a cycle if every node sends one.
double flits_per_switch(const Scenario& scenario) {
  const double hops = topology::uniform_loads(scenario.graph, scenario.routes).average_hops + 1.0;
  return hops * scenario.graph.nodes() / scenario.graph.switches();
}

/// What a switch-cycle costs in a large network.
struct SizeCost {
  double ratio;  ///< over that in a small network
  double flits;  ///< that a switch sends in a cycle, in both
};

/// Switches get as many addresses as the network has.
Variant fitting(Variant variant, const Scenario& scenario) {
  fabric::SwitchConfig& config = variant.config;
  config.dests = std::max(config.dests, scenario.graph.destinations());
  config.flit_w = std::max(config.flit_w, fabric::flit_width_for(config.dests));
  return variant;
}

/// With the large network at kShare of its route bound. Ways are longer and the bound is lower
/// there, so equal shares of it would be less work for each of its switches: the small one gets the
/// load that gives its switches as many flits.
SizeCost size_cost(topology::Graph small, topology::Graph large, const Setting& setting,
                   const Variant& variant) {
  const std::uint64_t warmup = setting.size(1000, 20), cycles = setting.size(100, 10);
  const Scenario much = at_share_of_bound(std::move(large), kShare, setting.seed);
  Scenario little = at_load(std::move(small), 0.0, setting.seed);
  const double flits = much.load_flits * flits_per_switch(much);
  little.load_flits = flits / flits_per_switch(little);
  TrafficNetwork few(little, fitting(variant, little)), many(much, fitting(variant, much));
  few.run(warmup);
  many.run(warmup);
  const std::uint32_t few_size = little.graph.switches(), many_size = much.graph.switches();
  const std::uint32_t factor = many_size / few_size;
  const Timings t =
      alternate({[&] { many.run(cycles); }, [&] { few.run(factor * cycles); }}, setting.rounds());
  return {t.ratio(0, 1) * factor * few_size / many_size, flits};
}

struct Speed {
  double flit_hops, switch_cycles;  // millions per second
};

/// Of golden. The timed network has no observer; a second one, which counts, tells how many flits
/// were sent in the same cycles.
Speed golden_speed(const Scenario& scenario, const Setting& setting, const char* config) {
  const std::uint64_t warmup = setting.size(2000, 100), cycles = setting.size(4000, 100);
  const unsigned rounds = setting.rounds();
  TrafficNetwork timed(scenario, on(setting, "golden", {.skip = true}, config));
  TrafficNetwork counting(scenario, on(setting, "golden", {.skip = true, .count = true}, config));
  timed.run(warmup);
  const double seconds = alternate({[&] { timed.run(cycles); }}, rounds).best(0);
  counting.run(warmup);
  const std::uint64_t before = counting.flit_hops();
  counting.run(cycles * rounds);
  const double flit_hops = static_cast<double>(counting.flit_hops() - before) / rounds;
  return {flit_hops / seconds / 1e6,
          static_cast<double>(cycles) * scenario.graph.switches() / seconds / 1e6};
}

/// What 256 boxes were given in the first cycles of a session: the paper's network, gamma 0.5,
/// input stage bypassed.
struct BoxInputs final : esc::Observer {
  explicit BoxInputs(std::size_t cycles) : wanted(cycles) {}
  void start(const esc::SessionPlan& plan) override { seed = plan.box_seed; }
  void observe(const esc::CycleView& view) override {
    if (rx.size() == wanted) return;
    rx.emplace_back(view.rx.begin(), view.rx.end());
    tx_ready.emplace_back(view.tx_ready.begin(), view.tx_ready.end());
  }
  std::size_t wanted;
  std::uint16_t seed = 0;
  std::vector<std::vector<esc::BoxPacket>> rx;
  std::vector<std::vector<std::uint8_t>> tx_ready;
};

void replay(const BoxInputs& inputs, esc::BoxBank& bank) {
  std::vector<std::uint16_t> seeds;
  for (std::uint32_t b = 0; b < bank.blocks(); ++b)
    seeds.push_back(static_cast<std::uint16_t>(inputs.seed ^ (b * 40503u)));
  bank.reset(seeds);
  for (std::size_t t = 0; t < inputs.rx.size(); ++t) {
    std::copy(inputs.rx[t].begin(), inputs.rx[t].end(), bank.rx().begin());
    std::copy(inputs.tx_ready[t].begin(), inputs.tx_ready[t].end(), bank.tx_ready().begin());
    bank.settle();
    bank.clock(t);
  }
}

double nanoseconds_a_box(const BoxInputs& inputs, const esc::Spec& spec,
                         const esc::BoxFactory& factory, bool quick) {
  std::vector<std::uint8_t> stages;
  for (std::uint8_t stage = 0; stage < 4; ++stage) stages.insert(stages.end(), 64, stage);
  const auto bank = factory.make_boxes(spec.box, stages);
  const Timings t = alternate({[&] { replay(inputs, *bank); }}, quick ? 1 : 9);
  return t.best(0) * 1e9 / static_cast<double>(inputs.rx.size() * bank->blocks());
}

/// CPU time of one session at each point of the paper's Figure 5.
double figure_5_seconds(std::uint64_t seed, const fabric::BankFactory& engine) {
  const double before = cpu_seconds();
  for (const char* policy : {"bypass", "isolated-bg"}) {
    for (const double rate : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8}) {
      esc::Spec spec;
      esc::set_policy(spec, policy);
      spec.rate = rate;
      spec.seed = seed;
      spec.sessions = 1;
      esc::run_batch(spec, engine);
    }
  }
  return cpu_seconds() - before;
}

/// On the same work, and what checkers and assertions cost.
void measure_engine_speed(const Setting& setting, Report& report) {
  const Scenario scenario = loaded(setting, setting.size(300, 30), setting.size(1024, 60));
  const std::uint64_t warmup = setting.size(2000, 100), cycles = setting.size(400, 20);
  std::vector<std::unique_ptr<TrafficNetwork>> networks;
  std::vector<std::function<void()>> subjects;
  const auto add = [&](const Variant& variant) {
    networks.push_back(std::make_unique<TrafficNetwork>(scenario, variant));
    networks.back()->run(warmup);
    subjects.emplace_back([network = networks.back().get(), cycles] { network->run(cycles); });
    return subjects.size() - 1;
  };
  const std::size_t rtl = add(on(setting, "rtl"));
  const std::size_t rtl_one_vc = add(on(setting, "rtl", {}, "sw8v1"));
  const std::size_t rtl_checked = add(on(setting, "rtl", {.checkers = true}));
  const std::size_t rtl_asserted = add(on(setting, "rtl", {.assertions = true}));
  const std::size_t rtl_skip = add(on(setting, "rtl", {.skip = true}));
  const std::size_t golden = add(on(setting, "golden"));
  const std::size_t golden_checked = add(on(setting, "golden", {.checkers = true, .count = true}));
  const std::size_t golden_skip = add(on(setting, "golden", {.skip = true}));
  const std::size_t lockstep = add(on(setting, "lockstep"));
  const Timings t = alternate(subjects, setting.rounds());
  const double switch_cycles = static_cast<double>(cycles) * scenario.graph.switches();
  const auto time = [&](std::size_t s) { return t.best(s) / switch_cycles * 1e9; };
  const auto added = [&](std::size_t s, std::size_t to) { return 100.0 * (t.ratio(s, to) - 1.0); };
  const std::string work = work_text(scenario), bare = work + "; no assertions, no checkers";
  const char* const unit = "ns/switch-cycle";
  std::vector<Measure>& m = report.measures;
  m.push_back({"rtl_sw8_time", "RTL, 2 virtual channels", time(rtl), unit, bare, at_most(1000)});
  m.push_back(
      {"rtl_sw8v1_time", "RTL, 1 virtual channel", time(rtl_one_vc), unit, bare, at_most(500)});
  m.push_back({"golden_sw8_time", "golden, 2 virtual channels", time(golden), unit, work});
  m.push_back(
      {"checkers_cost", "checkers add to RTL", added(rtl_checked, rtl), "%", work, at_most(15)});
  m.push_back({"golden_checkers_cost", "checkers add to golden", added(golden_checked, golden), "%",
               work + "; all checkers and the digest against neither", at_most(40)});
  m.push_back({"assertions_cost", "assertions add to RTL", added(rtl_asserted, rtl), "%", work});
  m.push_back(
      {"golden_speedup", "golden faster than RTL", t.ratio(rtl, golden), "x", work, at_least(5)});
  m.push_back({"golden_speedup_skipping", "golden faster than RTL, both skipping",
               t.ratio(rtl_skip, golden_skip), "x", "the same load; quiescent switches sleep"});
  m.push_back({"lockstep_cost", "lockstep time over RTL time", t.ratio(lockstep, rtl), "x", work,
               at_most(1.5)});
}

/// Three networks of equal state: one records its first cycles, untimed; then one runs these cycles
/// as usual and one has its bare models driven with the recorded inputs, in turn.
void measure_harness_overhead(const Setting& setting, Report& report) {
  const std::uint64_t warmup = setting.size(1000, 100), cycles = setting.size(200, 20);
  const Scenario scenario = loaded(setting, setting.size(300, 30), setting.size(1024, 60));
  const Variant rtl = on(setting, "rtl");
  std::unique_ptr<core::Recording> recording;
  {
    TrafficNetwork recorded(scenario, rtl);
    replayable(recorded).start_recording();
    recorded.run(warmup + setting.rounds() * cycles);
    recording = replayable(recorded).stop_recording();
  }
  TrafficNetwork whole(scenario, rtl), bare(scenario, rtl);
  core::Replayable& models = replayable(bare);
  whole.run(warmup);
  models.replay(*recording, 0, warmup);
  std::uint64_t next = warmup;
  const auto replay = [&] {
    models.replay(*recording, next, next + cycles);
    next += cycles;
  };
  const Timings t = alternate({[&] { whole.run(cycles); }, replay}, setting.rounds());
  report.measures.push_back(
      {"harness_cost", "harness adds to the bare models", 100.0 * (t.ratio(0, 1) - 1.0), "%",
       fmt::format("RTL sw8, {} switches, load 0.8 of the route bound; nodes, links and traffic "
                   "against a loop that sets recorded inputs and evaluates",
                   scenario.graph.switches()),
       at_most(25)});
}

/// On a mesh and on an irregular network.
void measure_golden_speed(const Setting& setting, Report& report) {
  const Scenario mesh = at_load(topology::generate_mesh(8, 8), 0.1, setting.seed);
  const Scenario half = at_share_of_bound(irregular(75, 256, setting.seed), 0.5, setting.seed);
  const Speed on_mesh = golden_speed(mesh, setting, "sw5v1");
  const std::string mesh_work =
      "8x8 mesh, 8-flit packets, 0.1 flits/node/cycle; 1 virtual channel, 4 flits a queue, 3-stage "
      "switch, skipping";
  report.measures.push_back({"golden_mesh_flit_hops", "golden, 8x8 mesh", on_mesh.flit_hops,
                             "M flit-hops/s", mesh_work, at_least(10)});
  report.measures.push_back({"golden_mesh_router_cycles", "golden, 8x8 mesh", on_mesh.switch_cycles,
                             "M router-cycles/s", mesh_work});
  report.measures.push_back(
      {"golden_irregular_flit_hops", "golden, irregular network",
       golden_speed(half, setting, "sw8").flit_hops, "M flit-hops/s",
       fmt::format("75 switches, 256 nodes, k = 8, f = 0.75, half of the route bound ({:.4f} "
                   "flits/node/cycle); 2 virtual channels, skipping",
                   half.load_flits),
       at_least(10)});
}

void measure_golden_size(const Setting& setting, Report& report) {
  const std::uint32_t side = setting.size(100, 30);
  const SizeCost cost =
      size_cost(topology::generate_mesh(20, 15), topology::generate_mesh(side, side), setting,
                on(setting, "golden", {}, "sw5"));
  report.measures.push_back(
      {"golden_size", fmt::format("time of a switch-cycle, {} switches over 300", side * side),
       cost.ratio, "x",
       fmt::format("golden, meshes of {0}x{0} and 20x15, nothing skipped; the large one at 0.8 of "
                   "its route bound, the small one with as many flits a switch and cycle ({1:.3f})",
                   side, cost.flits),
       at_most(1.3)});
}

/// An empty network that skips against a loaded one that does not; then the same rate of
/// switch-cycles in a small and in a large network, two nodes for three switches.
void measure_scaling(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.size(75, 15), nodes = setting.size(256, 30);
  const std::uint64_t cycles = setting.size(1000, 100);
  const unsigned longer = 100;  // the empty network runs so many times as long, to be timed at all
  const Scenario much = loaded(setting, switches, nodes);
  const Scenario none = at_load(irregular(switches, nodes, setting.seed), 0.0, setting.seed);
  TrafficNetwork busy(much, on(setting, "rtl")), empty(none, on(setting, "rtl", {.skip = true}));
  busy.run(cycles);
  empty.run(cycles);
  const Timings t =
      alternate({[&] { empty.run(longer * cycles); }, [&] { busy.run(cycles); }}, setting.rounds());
  report.measures.push_back(
      {"quiescent_cost", "time of a quiescent switch over a busy one",
       100.0 * t.ratio(0, 1) / longer, "%",
       fmt::format("RTL sw8, {} switches; empty and skipping against load 0.8, nothing skipped",
                   switches),
       at_most(2)});

  const std::uint32_t small = 75, large = setting.size(1200, 150);
  const SizeCost cost =
      size_cost(irregular(small, small * 2 / 3, setting.seed),
                irregular(large, large * 2 / 3, setting.seed), setting, on(setting, "rtl"));
  report.measures.push_back(
      {"scaling", fmt::format("switch-cycles/s, {} switches over {}", large, small),
       100.0 / cost.ratio, "%",
       fmt::format("RTL sw8, nothing skipped, {} and {} nodes; the large one at 0.8 of its route "
                   "bound, the small one with as many flits a switch and cycle ({:.3f})",
                   large * 2 / 3, small * 2 / 3, cost.flits),
       at_least(80)});
}

/// What two threads that take turns wait for: nanoseconds for a cache line to the other and back.
double line_round_trip() {
  constexpr std::uint32_t kTrips = 200'000;
  alignas(64) std::atomic<std::uint32_t> turn = 0;
  const std::jthread other([&] {
    for (std::uint32_t i = 0; i < kTrips; ++i) {
      while (turn.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      turn.store(2 * i + 2, std::memory_order_release);
    }
  });
  const double begin = wall_seconds();
  for (std::uint32_t i = 0; i < kTrips; ++i) {
    turn.store(2 * i + 1, std::memory_order_release);
    while (turn.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  return (wall_seconds() - begin) * 1e9 / kTrips;
}

/// How many times as many cycles in a second of the clock on the wall.
void measure_thread_speed(const Setting& setting, Report& report) {
  const Scenario scenario = loaded(setting, setting.size(300, 48), setting.size(1024, 96));
  const std::uint32_t side = setting.size(64, 8);
  const Scenario mesh =
      at_share_of_bound(topology::generate_mesh(side, side), kShare, setting.seed);
  const auto add = [&](const char* id, const char* engine, const Scenario& work,
                       const std::string& text, const Variant& variant, std::uint64_t cycles,
                       double goal) {
    TrafficNetwork one(work, variant), several(work, variant);
    several.network().engine().use_threads(kThreads);
    one.run(4 * cycles);
    several.run(4 * cycles);
    const Timings t = alternate({[&] { one.run(cycles); }, [&] { several.run(cycles); }},
                                setting.rounds(), wall_seconds);
    report.measures.push_back({id, fmt::format("{} threads faster than one, {}", kThreads, engine),
                               t.ratio(0, 1), "x", text + "; time of the clock on the wall",
                               at_least(goal)});
  };
  const std::uint64_t cycles = setting.size(400, 20);
  const std::string irregular = work_text(scenario);
  const std::string meshed =
      fmt::format("{0}x{0} mesh, load {1} of the route bound; nothing skipped", side, kShare);
  report.measures.push_back({"line_round_trip", "a cache line to the other core and back",
                             line_round_trip(), "ns", "before the rows of threads"});
  add("threads_rtl", "RTL", scenario, irregular, on(setting, "rtl"), cycles, 1.8);
  add("threads_checked", "RTL with checkers", scenario, irregular,
      on(setting, "rtl", {.checkers = true}), cycles, 1.85);
  add("threads_golden", "golden", scenario, irregular, on(setting, "golden"), 10 * cycles, 1.6);
  add("threads_golden_checked", "golden with checkers", scenario, irregular,
      on(setting, "golden", {.checkers = true}), 10 * cycles, 1.6);
  add("threads_golden_mesh", "golden, mesh", mesh, meshed,
      fitting(on(setting, "golden", {}, "sw5"), mesh), cycles, 1.6);
  add("threads_golden_mesh_checked", "golden with checkers, mesh", mesh, meshed,
      fitting(on(setting, "golden", {.checkers = true}, "sw5"), mesh), cycles, 1.6);
}

/// Of the Extra Stage Cube on every engine that has boxes; the time of its figure esc-5.
void measure_box_speed(const Setting& setting, Report& report) {
  esc::Spec spec;
  spec.seed = setting.seed;
  BoxInputs inputs(setting.size(1000, 50));
  const auto golden = setting.engines->find("golden");
  esc::SessionRunner runner(spec, *esc::boxes_of(*golden));
  runner.attach(inputs);
  runner.run(0);
  for (const std::string& name : setting.engines->names()) {
    const esc::BoxFactory* const boxes = esc::boxes_of(*setting.engines->find(name));
    if (name == "lockstep" || boxes == nullptr || !boxes->supports(spec.box)) continue;
    report.measures.push_back({fmt::format("{}_box_time", name),
                               fmt::format("{}, a box-cycle", name),
                               nanoseconds_a_box(inputs, spec, *boxes, setting.quick), "ns",
                               "256 boxes of 4x4, 12 packets a buffer, on the inputs of a network "
                               "of 256 PEs at gamma 0.5",
                               at_most(name == "golden" ? 45.0 : 200.0)});
  }

  const double session = figure_5_seconds(setting.seed, *golden);
  report.measures.push_back({"esc_5_time", "figure esc-5, golden", session * 125 / 2, "s",
                             "10 rates, 2 policies, checks on; CPU time of one session a point, "
                             "times 125 sessions, by two cores",
                             at_most(90)});
}

}  // namespace

std::vector<Group> speed_groups() {
  return {{"engine speed", {"rtl", "lockstep"}, measure_engine_speed},
          {"harness overhead", {"rtl"}, measure_harness_overhead},
          {"golden speed", {}, measure_golden_speed},
          {"golden size", {}, measure_golden_size},
          {"box speed", {}, measure_box_speed},
          {"scaling", {"rtl"}, measure_scaling},
          {"threads", {"rtl"}, measure_thread_speed}};
}

}  // namespace muster::bench
