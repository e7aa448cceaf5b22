// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/spill_waits.hpp"

#include <bit>

namespace muster::btin {

std::vector<run::PortWait> spill_waits(const topology::Graph& graph,
                                       std::span<const std::uint16_t> ports) {
  std::vector<run::PortWait> waits;
  for (topology::SwitchId s = 0; s < ports.size(); ++s) {
    if (ports[s] == 0) continue;
    const auto spill = static_cast<std::uint32_t>(std::countr_zero(ports[s]));
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      if (graph.peer(s, p).kind == topology::Peer::Kind::kOpen) continue;
      waits.push_back({s, p, spill});
      waits.push_back({s, spill, p});
    }
  }
  return waits;
}

}  // namespace muster::btin
