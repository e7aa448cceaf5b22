// SPDX-License-Identifier: Apache-2.0
#include "run/build_network.hpp"

#include <algorithm>
#include <utility>

#include "fabric/register_map.hpp"
#include "muster/fabric/shares_routes.hpp"
#include "run/links/link_plan.hpp"

namespace muster::run {

namespace regs = fabric::registers;

void write_routes(const topology::Graph& graph, const topology::Routes& routes, std::uint32_t dests,
                  topology::SwitchId s, core::Bank& switches) {
  const std::uint32_t addresses = std::min(graph.destinations(), dests);
  for (std::uint32_t d = 0; d < addresses; ++d)
    switches.write_register(s, regs::kRoutes + d, routes.mask(s, d));
  if (const std::uint32_t own = graph.nodes() + s; own < addresses)
    switches.write_register(s, regs::kRoutes + own, regs::kRoutesOwn.mask());
}

namespace {

void load_registers(const RunSpec& spec, const fabric::SwitchConfig& config,
                    const fabric::HomeNodes& homes, core::Bank& switches) {
  if (auto* const shares = dynamic_cast<fabric::SharesRoutes*>(&switches))
    shares->share_routes(spec.routes);
  else
    for (topology::SwitchId s = 0; s < spec.graph->switches(); ++s)
      write_routes(*spec.graph, *spec.routes, config.dests, s, switches);
  for (topology::SwitchId s = 0; s < spec.graph->switches(); ++s)
    switches.write_register(s, regs::kPermits, homes.permits[s]);
}

std::unique_ptr<fabric::Network> build(const RunSpec& spec, const fabric::SwitchConfig& config,
                                       const fabric::HomeNodes& homes,
                                       const fabric::BankOptions& options, bool past_hosts,
                                       fabric::NodeDevices devices) {
  const topology::Graph& graph = *spec.graph;
  auto switches = spec.engine->make_switches(config, graph.switches(), options);
  load_registers(spec, config, homes, *switches);
  const fabric::EndpointConfig nodes{
      .nodes = graph.nodes(),
      .vcs = config.vcs,
      .depth = config.depth,
      .last_vc_reserved =
          spec.own_barrier_vc || config.kind->last_channel != fabric::LastChannel::kAny,
      .barrier = {fabric::sync_credits(config), config.kind->cuttable, config.kind->message_flits},
      .send_delay = past_hosts ? 0 : spec.profile.send,
      .receive_delay = past_hosts ? 0 : spec.profile.receive};
  const fabric::PipeConfig pipes{.delay = spec.links.retry ? 0 : spec.profile.pipe,
                                 .vcs = config.vcs,
                                 .depth = config.depth,
                                 .sync_credits = fabric::sync_credits(config),
                                 .occupancy = spec.profile.occupancy};
  auto network = std::make_unique<fabric::Network>(
      graph, std::move(switches),
      std::make_unique<fabric::EndpointBank>(nodes, fabric::Formats(config.flit_w, config.gid_w)),
      pipes, std::move(devices), make_links(spec, config));
  network->engine().set_skip(spec.skip);
  network->engine().use_threads(spec.threads);
  return network;
}

}  // namespace

std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run) {
  fabric::BankOptions options = run.spec.bank;
  if (run.found.scheme.waves_of_nodes) options.wave_file.clear();
  return build(run.spec, run.config, run.homes, options, run.plan->past_hosts(),
               run.plan->node_devices(run.config));
}

std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config) {
  return build(spec, config, fabric::plan_home_nodes(*spec.graph, *spec.routes), spec.bank, false,
               {});
}

}  // namespace muster::run
