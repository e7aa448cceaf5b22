// SPDX-License-Identifier: Apache-2.0
#include "network/network.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace muster::network {

Network::Network(const topology::Graph& graph, std::unique_ptr<Bank> switches,
                 std::unique_ptr<EndpointBank> endpoints)
    : graph_(graph), layout_(graph), switches_(switches.get()), endpoints_(endpoints.get()) {
  if (switches->blocks() != graph.switches() || endpoints->blocks() != graph.nodes() ||
      switches->ports() < graph.max_ports()) {
    throw InternalError(
        fmt::format("banks of {} switches with {} ports and {} nodes for a network "
                    "of {}, {} and {}",
                    switches->blocks(), switches->ports(), endpoints->blocks(), graph.switches(),
                    graph.max_ports(), graph.nodes()));
  }
  const std::uint32_t switch_bank = engine_.add_bank(std::move(switches));
  const std::uint32_t node_bank = engine_.add_bank(std::move(endpoints));
  const auto terminal = [&](const End& e) {
    return Terminal{e.node ? node_bank : switch_bank, e.id, e.port};
  };
  ChannelId id = 0;
  for (const Channel& c : layout_.channels()) {
    engine_.connect(id++, terminal(c.from), terminal(c.to), c.latency);
  }
}

}  // namespace muster::network
