// SPDX-License-Identifier: Apache-2.0
#include "run/barrier_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "run/barrier_records.hpp"
#include "run/congestion.hpp"
#include "run/run_setup.hpp"
#include "run/scheme_registry.hpp"
#include "run/suite.hpp"
#include "run/wait_bounds.hpp"
#include "run/watchdog.hpp"
#include "systems/btin/groups/dynamics.hpp"
#include "systems/btin/groups/in_band.hpp"
#include "systems/btin/groups/spill_cost.hpp"

namespace muster::run {
namespace {

/// All parts of one run, in the order in which they need each other.
class BarrierRun {
 public:
  explicit BarrierRun(RunSpec& spec)
      : spec_((check_spec(spec), spec)),
        plan_(plan_scheme(spec)),
        config_(choose_config(spec, *plan_)),
        network_(build_network(spec, config_, plan_->nics(spec, config_))),
        arrivals_(make_arrivals(spec)),
        members_(spec.groups, *arrivals_, spec.barriers, spec.split, spec.seed,
                 {spec.profile.arrive, spec.profile.leave}),
        keepers_(btin::plan_keepers(*spec.graph, *spec.routes)),
        spill_(spec.spill ? std::make_unique<btin::SpillNodes>(
                                *spec.graph, keepers_, network_->endpoints(),
                                fabric::Formats(config_.flit_w, config_.gid_w))
                          : nullptr),
        scheme_(plan_->start({*network_, config_, spec, members_, spill_.get()})),
        routes_(*spec.routes),
        patience_(default_patience(spec)) {
    members_.set_scheme(*scheme_);
    if (spec.congestion) congestion_ = std::make_unique<Congestion>(spec, *network_, members_);
    fabric::EndpointBank& nodes = network_->endpoints();
    if (spec.load_flits > 0.0) make_traffic();
    if (spec.in_band)
      in_band_ = std::make_unique<btin::InBandSetup>(spec, *network_, members_, spill_.get());
    fabric::SyncClient* client = &members_;
    if (in_band_) client = in_band_.get();
    if (spill_) spill_->set_next(*client);
    nodes.attach(spill_ ? spill_.get() : client, traffic_.get());
    if (!spec.wishes.empty() || !spec.killed.empty()) {
      dynamics_ = std::make_unique<btin::Dynamics>(spec, *network_, *scheme_, members_,
                                                   in_band_->life(), routes_);
    }
    network_->engine().observe_with(digest_);
    if (!spec.groups.empty()) network_->engine().observe_with(scheme_->traffic());
    if (spec.observer != nullptr) network_->engine().observe_with(*spec.observer);
    if (spec.checkers) make_checkers();
  }

  RunResult run() {
    RunResult result;
    const auto start = std::chrono::steady_clock::now();
    try {
      create_groups();
      if (violation_.empty()) work();
      if (violation_.empty() && in_band_) release_groups();
      if (violation_.empty()) drain();
      if (violation_.empty() && in_band_) violation_ = in_band_->residue();
      if (violation_.empty()) network_->engine().finish(true);
    } catch (const checkers::Breach& breach) {
      violation_ = breach.what();
      if (breach.checker() == checkers_->waits().name()) violation_ += unfinished();
    } catch (const InternalError& error) {
      violation_ = error.what();
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fill(result);
    return result;
  }

 private:
  void make_traffic() {
    const TrafficSpec traffic{.nodes = spec_.graph->nodes(),
                              .flits_per_node_cycle = spec_.load_flits,
                              .packet_length = spec_.packet_length,
                              .vcs = config_.vcs,
                              .seed = spec_.seed,
                              .warmup = spec_.warmup};
    traffic_ = std::make_unique<DataTraffic>(traffic, std::make_unique<Uniform>(traffic.nodes));
  }

  void make_checkers() {
    const bool own = spec_.own_barrier_vc || info(config_.kind).preempts;
    const checkers::Subject subject{
        .graph = *spec_.graph,
        .layout = network_->layout(),
        .routes = routes_,
        .vcs = config_.vcs,
        .depth = config_.depth,
        .formats = fabric::Formats(config_.flit_w, config_.gid_w),
        .barrier_channel = static_cast<std::uint8_t>(own ? config_.vcs - 1 : 0),
        .own = own,
        .worm_channel = info(config_.kind).worms ? static_cast<std::uint8_t>(config_.vcs - 1)
                                                 : checkers::kNoWorms,
        .preempts = info(config_.kind).preempts,
        .pipe = spec_.profile.pipe,
        .spill_ports = spec_.spill ? keepers_.spill_ports : std::span<const std::uint16_t>{}};
    bounds_ =
        wait_bounds(spec_, config_, plan_->packet_flits(), most_spilled(spec_, *plan_, config_));
    checkers_ = std::make_unique<checkers::CheckerSuite>(subject, plan_->checked(), bounds_);
    network_->engine().observe_with(*checkers_);
    scheme_->check_with(*checkers_);
    wait_edges_ = check_waits(spec_, *plan_);
    if (dynamics_) dynamics_->tell(*checkers_);
  }

  /// In band or not at all; afterwards the members may arrive.
  void create_groups() {
    core::Engine& engine = network_->engine();
    if (in_band_) {
      in_band_->create_groups(engine.cycle());
      settle();
      if (violation_.empty()) violation_ = in_band_->refusals();
      in_band_->let_members_go();
    }
    registers_ = scheme_->registers().slots;
    if (dynamics_ && violation_.empty()) dynamics_->begin();
    members_.begin(std::max(spec_.warmup, engine.cycle()));
  }

  void release_groups() {
    in_band_->release_groups(network_->engine().cycle());
    settle();
    while (dynamics_ && violation_.empty() && !dynamics_->done()) step_and_look(true);
  }

  /// Until all groups are created, or released.
  void settle() {
    core::Engine& engine = network_->engine();
    const std::uint64_t start = engine.cycle();
    while (!in_band_->settled()) {
      step();
      if (engine.cycle() - start > patience_.stuck) {
        violation_ = fmt::format("cycle {}: set-up in band stands still: {}", engine.cycle(),
                                 in_band_->unsettled());
        return;
      }
    }
  }

  /// Steps until all barriers are done; sets violation_ if they never will be.
  void work() {
    core::Engine& engine = network_->engine();
    const Watchdog watchdog(*network_, members_, *scheme_, digest_, traffic_.get(), patience_);
    while (!members_.done() || engine.cycle() < spec_.min_cycles ||
           (dynamics_ && !dynamics_->settled())) {
      step_and_look(false);
      if (!violation_.empty()) return;
      if (engine.cycle() % Watchdog::kPeriod == 0) {
        violation_ = watchdog.look(engine.cycle());
        if (!violation_.empty()) return;
        if (spec_.progress) spec_.progress(engine.cycle(), barriers_done());
      }
    }
  }

  void step_and_look(bool released) {
    step();
    const std::uint64_t cycle = network_->engine().cycle();
    if (dynamics_ && cycle % Watchdog::kPeriod == 0)
      violation_ = dynamics_->trouble(cycle, patience_.stuck, released);
  }

  void step() {
    core::Engine& engine = network_->engine();
    if (dynamics_) dynamics_->step(engine.cycle());
    if (congestion_) congestion_->step(engine.cycle());
    for (const StoppedChannel& s : spec_.stopped) {
      if (s.cycle == engine.cycle()) engine.stop_channel(s.channel, s.flits, s.credits);
    }
    if (traffic_) traffic_->sample(engine.cycle());
    scheme_->before_cycle(engine.cycle());
    engine.step();
  }

  void drain() {
    core::Engine& engine = network_->engine();
    if (traffic_) statistics_ = traffic_->statistics(engine.cycle());
    network_->endpoints().stop_packets();
    drain_start_ = engine.cycle();
    const auto limit = spec_.drain_limit != 0 ? spec_.drain_limit : patience_.absent;
    while (!engine.idle() || !network_->endpoints().drained() || !scheme_->idle()) {
      if (engine.cycle() - drain_start_ >= limit) {
        violation_ = fmt::format(
            "cycle {}: the network is not empty {} cycles after the last packet was started; {} "
            "packets are under way",
            engine.cycle(), limit, traffic_ ? traffic_->in_flight() : 0);
        return;
      }
      scheme_->before_cycle(engine.cycle());
      if (congestion_) congestion_->step(engine.cycle());
      engine.step();
    }
  }

  /// What the groups that are not done wait for: of a wait that is too long, the cause.
  std::string unfinished() {
    std::string text;
    for (std::uint32_t g = 0; g < members_.groups(); ++g)
      if (!members_.done(g)) text += "\n" + scheme_->explain(members_, g);
    return text;
  }

  std::uint64_t barriers_done() const {
    std::uint64_t done = 0;
    for (std::uint32_t g = 0; g < members_.groups(); ++g) done += members_.current(g);
    return done;
  }

  void fill(RunResult& result) {
    if (in_band_) {
      for (std::uint32_t g = 0; g < members_.groups(); ++g)
        result.lives.push_back(in_band_->times(g));
      result.repeated_requests = in_band_->repetitions();
    }
    if (dynamics_) dynamics_->fill(result);
    core::Engine& engine = network_->engine();
    result.engine = spec_.engine->name();
    result.scheme = spec_.scheme;
    result.config = config_;
    result.digest = fmt::format("{:016x}", digest_.value());
    result.cycles = engine.cycle();
    result.drain_cycles = drain_start_ != 0 ? engine.cycle() - drain_start_ : 0;
    for (std::uint32_t g = 0; g < members_.groups(); ++g)
      result.planned_hops.push_back(plan_->hops(g));
    add_barrier_records(result, spec_.barriers, members_, scheme_->traffic());
    result.registers = registers_;
    if (spill_) btin::add_spill_cost(result, *spill_);
    scheme_->fill(result);
    result.wait_mean = members_.wait_mean();
    if (traffic_ && !statistics_) statistics_ = traffic_->statistics(engine.cycle());
    result.data = statistics_;
    if (checkers_) {
      add_bounds(result, checkers_->bsr_bound());
      for (const auto& [name, checks] : checkers_->totals())
        result.checks.push_back({name, checks});
      result.checks.push_back({"waits acyclic", wait_edges_});
      const auto& w = checkers_->waits();
      result.waits = {bounds_.packet, w.longest_packet(), bounds_.barrier, w.longest_barrier()};
    }
    if (const std::uint64_t compared = network_->switches().comparisons(); compared != 0)
      result.checks.push_back({"lockstep", compared});
    if (!violation_.empty()) result.violations.push_back(violation_);
    // A node's last flit is counted when it is sent, seen one cycle later. Behind a pipe a flit is
    // seen once more.
    const std::uint64_t flits = digest_.flits() / network_->segments();
    result.flit_hops = flits - std::min(flits, network_->node_flits());
    result.switch_cycles = engine.cycle() * spec_.graph->switches();
    result.switches_clocked = network_->switches_clocked();
  }

  RunSpec& spec_;
  std::unique_ptr<SchemePlan> plan_;
  fabric::SwitchConfig config_;
  std::unique_ptr<fabric::Network> network_;
  std::unique_ptr<Arrivals> arrivals_;
  Members members_;
  btin::Keepers keepers_;
  std::unique_ptr<btin::SpillNodes> spill_;
  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<btin::InBandSetup> in_band_;
  topology::Routes routes_;  ///< in force
  std::unique_ptr<btin::Dynamics> dynamics_;
  std::unique_ptr<Congestion> congestion_;
  Patience patience_;
  core::Digest digest_;
  std::unique_ptr<DataTraffic> traffic_;
  std::uint64_t wait_edges_ = 0;
  checkers::Bounds bounds_;
  std::unique_ptr<checkers::CheckerSuite> checkers_;
  std::optional<TrafficStatistics> statistics_;
  std::uint64_t drain_start_ = 0;
  std::vector<btin::RegisterSlot> registers_;
  std::string violation_;
};

}  // namespace

RunResult run_barriers(RunSpec& spec) { return BarrierRun(spec).run(); }

}  // namespace muster::run
