// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/borrowed.hpp"
#include "fabric/register_map.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/run/resolve.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/routes.hpp"
#include "run/build_network.hpp"
#include "systems/btin/groups/group_manager.hpp"
#include "systems/btin/switch_kinds.hpp"

namespace muster::btin {

/// A network of golden switches whose nodes run the software of group membership and nothing else.
class GroupNetwork : public fabric::SyncClient {
 public:
  /// `checked`: under all checkers, which object to forged barrier messages. `spills`: groups that
  /// find no register may live in spill nodes, and if `evict_after` is not 0, move.
  GroupNetwork(topology::Graph g, std::uint32_t registers, bool checked = true, bool spills = false,
               std::uint64_t evict_after = 0)
      : graph(std::move(g)),
        routes(topology::routes_for(graph)),
        homes(fabric::plan_home_nodes(graph, routes)) {
    run::RunSpec spec;
    spec.graph = core::borrowed(graph);
    spec.routes = core::borrowed(routes);
    spec.engine = engine_;
    const fabric::SwitchConfig config{.name = "groups",
                                      .ports = 16,
                                      .regs = registers,
                                      .kind = &btin::kBarrierSwitch,
                                      .spill = spills};
    network = run::build_network(spec, config);
    if (spills)
      for (topology::SwitchId s = 0; s < graph.switches(); ++s)
        network->switches().write_register(s, fabric::registers::kSpill, homes.home_ports[s]);
    spill =
        std::make_unique<SpillNodes>(graph, homes, network->endpoints(), fabric::Formats(16, 8));
    spill->set_next(*this);
    manager = std::make_unique<GroupManager>(
        graph, routes, network->endpoints(),
        ManagerOptions{.spill = spills ? spill.get() : nullptr, .evict_after = evict_after});
    network->endpoints().attach(spill.get(), nullptr);
    const checkers::Subject subject{.graph = graph,
                                    .layout = network->layout(),
                                    .routes = routes,
                                    .vcs = 2,
                                    .depth = 4,
                                    .formats = fabric::Formats(16, 8),
                                    .sync_credits = fabric::sync_credits(config)};
    checkers_ = run::make_checkers(subject, {100'000, 100'000}, {});
    if (checked) network->engine().observe_with(*checkers_);
    registers_ = registers;
  }

  void receive_sync(std::uint64_t, std::uint32_t, const core::Flit&) override {}
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    manager->receive_packet(cycle, node, flits);
  }
  void clock(std::uint64_t cycle) override { manager->clock(cycle); }

  std::uint64_t now() const { return network->engine().cycle(); }
  /// Until all groups are settled; false if that takes more than `limit` cycles.
  bool settle(std::uint64_t limit = 200'000) {
    for (std::uint64_t i = 0; i < limit && !manager->settled(); ++i) network->engine().step();
    return manager->settled();
  }
  bool drain() {
    for (int i = 0; i < 10'000; ++i) {
      if (network->engine().idle() && network->endpoints().drained()) {
        checkers_->finish(now(), true);
        return true;
      }
      network->engine().step();
    }
    return false;
  }
  /// Words of barrier registers that are not 0, of all switches.
  std::uint32_t used_words() {
    std::uint32_t used = 0;
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t address = 0x040; address < 0x040 + 4 * registers_; ++address)
        used += network->switches().read_register(s, address) != 0;
    return used;
  }
  std::uint32_t read(SwitchId s, std::uint32_t address) {
    return network->switches().read_register(s, address);
  }

  const topology::Graph graph;
  const topology::Routes routes;
  const fabric::HomeNodes homes;
  std::unique_ptr<fabric::Network> network;
  std::unique_ptr<SpillNodes> spill;
  std::unique_ptr<GroupManager> manager;

 private:
  std::shared_ptr<const fabric::BankFactory> engine_ = run::make_golden_engine();
  std::uint32_t registers_ = 0;
  std::unique_ptr<checkers::CheckerList> checkers_;
};

}  // namespace muster::btin
