// SPDX-License-Identifier: Apache-2.0
#include "run/run_parts.hpp"

#include <algorithm>

#include "fabric/sharing.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

namespace regs = fabric::registers;

namespace {

void load_registers(const RunSpec& spec, const fabric::SwitchConfig& config,
                    const fabric::HomeNodes& homes, core::Bank& switches) {
  if (auto* const shares = core::as<fabric::SharesRoutes>(&switches.local()))
    shares->share_routes(spec.routes);
  else
    for (topology::SwitchId s = 0; s < spec.graph->switches(); ++s)
      write_routes(*spec.graph, *spec.routes, config.dests, s, switches);
  for (topology::SwitchId s = 0; s < spec.graph->switches(); ++s)
    regs::write_mask(regs::kPermits, homes.permits[s], spec.graph->ports(s),
                     writer_of(switches, s));
}

std::unique_ptr<fabric::Network> build(const RunSpec& spec, const fabric::SwitchConfig& config,
                                       const fabric::HomeNodes& homes,
                                       const fabric::BankOptions& options, bool past_hosts,
                                       fabric::NodeDevices devices,
                                       std::shared_ptr<WireFaults> wires) {
  const topology::Graph& graph = *spec.graph;
  auto switches = fabric::share_bank<core::Bank>(
      options, &fabric::Division::switches,
      [&](const fabric::BankOptions& own) {
        return spec.engine->make_switches(config, graph.switches(), own);
      },
      graph.switches(), config.ports);
  load_registers(spec, config, homes, *switches);
  const fabric::EndpointConfig nodes{
      .nodes = graph.nodes(),
      .vcs = config.vcs,
      .depth = config.depth,
      .last_vc_reserved =
          spec.own_barrier_vc || config.kind->last_channel != fabric::LastChannel::kAny,
      .first_vc_only = spec.routes->phases() != nullptr,
      .barrier = {fabric::sync_credits(config), config.kind->cuttable, config.kind->message_flits,
                  fabric::formats(config), fabric::barrier_buffers(config)},
      .send_delay = past_hosts ? 0 : spec.profile.send,
      .receive_delay = past_hosts ? 0 : spec.profile.receive};
  const fabric::PipeConfig pipes{.delay = spec.links.retry ? 0 : spec.profile.pipe,
                                 .vcs = config.vcs,
                                 .depth = config.depth,
                                 .sync_credits = fabric::sync_credits(config),
                                 .occupancy = spec.profile.occupancy,
                                 .buffers = fabric::barrier_buffers(config)};
  auto network = std::make_unique<fabric::Network>(
      graph, std::move(switches),
      std::make_unique<fabric::EndpointBank>(nodes, fabric::formats(config)), pipes,
      std::move(devices), make_links(spec, std::move(wires)));
  network->engine().set_skip(spec.skip);
  network->engine().use_threads(spec.threads);
  return network;
}

/// As the run says, without those that it lets be absent.
std::shared_ptr<const Arrivals> arrivals_of(const RunSpec& spec) {
  std::shared_ptr<const Arrivals> arrivals = spec.arrivals;
  if (!arrivals) arrivals = std::make_shared<UniformArrivals>(spec.spread, spec.seed);
  if (spec.absent.empty()) return arrivals;
  return std::make_shared<WithAbsence>(std::move(arrivals), spec.absent);
}

}  // namespace

std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run,
                                               std::shared_ptr<WireFaults> wires) {
  fabric::BankOptions options = run.spec.bank;
  if (run.found.scheme.waves_of_nodes) options.wave_file.clear();
  return build(run.spec, run.config, run.homes, options, run.times.past_hosts,
               run.plan->node_devices(run.config), std::move(wires));
}

std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config) {
  return build(spec, config, fabric::plan_home_nodes(*spec.graph, *spec.routes), spec.bank, false,
               {}, make_wires(spec, config));
}

RunParts::RunParts(const ResolvedRun& run)
    : resolved(run),
      wires(make_wires(run.spec, run.config)),
      network(build_network(run, wires)),
      health(*network),
      arrivals(arrivals_of(run.spec)),
      members(run.spec.groups, *arrivals, run.spec.programs ? 0 : run.spec.barriers, run.spec.split,
              run.spec.seed, {run.spec.profile.arrive, run.spec.profile.leave}),
      scheme(run.plan->start({*network, run.config, run.spec, run.homes, members})),
      lifecycle(scheme->lifecycle()) {
  const RunSpec& spec = run.spec;
  if (spec.watcher) members.set_watcher(*spec.watcher);
  if (spec.programs) members.set_programs(*spec.programs);
  if (spec.congestion) congestion = std::make_unique<Congestion>(spec, *network, members);
  if (spec.load_flits > 0.0) traffic = std::make_unique<DataTraffic>(spec, run.config.vcs);
  network->endpoints().attach(scheme.get(), traffic.get());
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
    deaths =
        std::make_unique<Deaths>(run, Affected{*network, health, members, scheme->fault_handler(),
                                               traffic.get(), checkers.get(), *routes});
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
                                  .formats = fabric::formats(config),
                                  .own = spec.own_barrier_vc,
                                  .sync_credits = fabric::sync_credits(config),
                                  .buffers = fabric::barrier_buffers(config),
                                  .cuttable = config.kind->cuttable,
                                  .worm_channel = worms ? last : checkers::kNoWorms,
                                  .held = spec.congestion.has_value(),
                                  .pads = config.kind->pads,
                                  .units = config.kind->units,
                                  .pipe = spec.profile.pipe};
  checkers = run::make_checkers(subject, resolved.bounds, *resolved.plan->checked());
  if (spec.add_checkers) spec.add_checkers(*checkers);
  network->engine().observe_with(*checkers);
  scheme->check_with(*checkers);
}

}  // namespace muster::run
