// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "muster/topology/routes.hpp"

namespace muster::topology {

/// For each port of switch `s`: the ports by which packets that have left it by that port may leave
/// the next switch. 0 for ports without one.
inline std::array<std::uint32_t, kMaxPorts> onward_ports(const Graph& graph, const Routes& routes,
                                                         SwitchId s) {
  std::array<std::uint32_t, kMaxPorts> onward{};
  const std::uint32_t ports = (1u << graph.ports(s)) - 1;
  for (std::uint32_t d = 0; d < routes.destinations();) {
    std::uint32_t end = routes.run_end(s, d);
    for (std::uint32_t left = routes.mask(s, d) & ports; left != 0; left &= left - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(left));
      const Peer& peer = graph.peer(s, port);
      if (peer.kind != Peer::Kind::kSwitch) continue;
      onward[port] |= routes.mask(peer.id, d);
      end = std::min(end, routes.run_end(peer.id, d));
    }
    d = end;
  }
  return onward;
}

/// The ports by which packets to any destination may leave a switch.
inline std::uint32_t used_ports(const Routes& routes, SwitchId s) {
  std::uint32_t ports = 0;
  for (std::uint32_t d = 0; d < routes.destinations(); d = routes.run_end(s, d))
    ports |= routes.mask(s, d);
  return ports;
}

}  // namespace muster::topology
