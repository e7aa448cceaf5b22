// SPDX-License-Identifier: Apache-2.0
#include "run/run_parts.hpp"

#include <utility>

#include "muster/run/system.hpp"
#include "muster/run/watcher.hpp"
#include "run/build_network.hpp"

namespace muster::run {

namespace {

/// As the run says, without those that it lets be absent.
std::shared_ptr<const Arrivals> arrivals_of(const RunSpec& spec) {
  std::shared_ptr<const Arrivals> arrivals = spec.arrivals;
  if (!arrivals) arrivals = std::make_shared<UniformArrivals>(spec.spread, spec.seed);
  if (spec.absent.empty()) return arrivals;
  return std::make_shared<WithAbsence>(std::move(arrivals), spec.absent);
}

}  // namespace

RunParts::RunParts(const ResolvedRun& run)
    : resolved(run),
      network(build_network(run)),
      health(*network),
      arrivals(arrivals_of(run.spec)),
      members(run.spec.groups, *arrivals, run.spec.barriers, run.spec.split, run.spec.seed,
              {run.spec.profile.arrive, run.spec.profile.leave}),
      scheme(run.plan->start({*network, run.config, run.spec, run.homes, members})),
      lifecycle(scheme->lifecycle()) {
  const RunSpec& spec = run.spec;
  members.set_scheme(*scheme);
  if (spec.watcher) members.set_watcher(*spec.watcher);
  if (spec.congestion) congestion = std::make_unique<Congestion>(spec, *network, members);
  if (spec.load_flits > 0.0) make_traffic();
  network->endpoints().attach(&scheme->client(members), traffic.get());
  core::Engine& engine = network->engine();
  engine.observe_with(digest);
  if (!spec.groups.empty()) engine.observe_with(scheme->traffic());
  for (const auto& observer : spec.observers) engine.observe_with(*observer);
  if (spec.watcher) {
    engine.observe_with(*spec.watcher);
    spec.watcher->begin(run, *network);
  }
  if (!spec.deaths.empty()) routes = *spec.routes;
  if (spec.checkers) make_checkers();
  if (!spec.deaths.empty())
    deaths = std::make_unique<Deaths>(
        run, Affected{*network, health, members, *scheme, traffic.get(), checkers.get(), *routes});
}

void RunParts::make_traffic() {
  const RunSpec& spec = resolved.spec;
  const TrafficSpec given{.nodes = spec.graph->nodes(),
                          .flits_per_node_cycle = spec.load_flits,
                          .packet_length = spec.packet_length,
                          .vcs = resolved.config.vcs,
                          .seed = spec.seed,
                          .warmup = spec.warmup,
                          .losses = !spec.deaths.empty()};
  std::shared_ptr<const Pattern> pattern = spec.pattern;
  if (!pattern) pattern = std::make_shared<Uniform>(given.nodes);
  traffic = std::make_unique<DataTraffic>(given, std::move(pattern));
}

void RunParts::make_checkers() {
  const RunSpec& spec = resolved.spec;
  const fabric::SwitchConfig& config = resolved.config;
  const bool worms = config.kind->last_channel == fabric::LastChannel::kWorms;
  const auto last = static_cast<std::uint8_t>(config.vcs - 1);
  const topology::Routes* in_force = routes ? &*routes : scheme->routes();
  const checkers::Subject subject{.graph = *spec.graph,
                                  .layout = network->layout(),
                                  .routes = in_force != nullptr ? *in_force : *spec.routes,
                                  .vcs = config.vcs,
                                  .depth = config.depth,
                                  .formats = fabric::Formats(config.flit_w, config.gid_w),
                                  .own = spec.own_barrier_vc,
                                  .sync_credits = fabric::sync_credits(config),
                                  .cuttable = config.kind->cuttable,
                                  .worm_channel = worms ? last : checkers::kNoWorms,
                                  .held = spec.congestion.has_value(),
                                  .pads = config.kind->pads,
                                  .units = config.kind->units,
                                  .pipe = spec.profile.pipe};
  checkers = run::make_checkers(subject, resolved.bounds, resolved.plan->checked());
  if (spec.add_checkers) spec.add_checkers(*checkers);
  network->engine().observe_with(*checkers);
  scheme->check_with(*checkers);
}

}  // namespace muster::run
