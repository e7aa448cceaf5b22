// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/routes_left.hpp"

#include "topology/routes/dependency.hpp"
#include "topology/routes/route_check.hpp"

namespace muster::preempt {

using topology::Graph;
using topology::Routes;
using topology::SwitchId;

namespace {

/// Whether the ways from each switch to one destination lead over what is lost.
class Concerned {
 public:
  Concerned(const Graph& rest, const Routes& routes, std::uint32_t destination)
      : rest_(rest),
        routes_(routes),
        destination_(destination),
        known_(rest.switches(), Known::kNo) {}

  bool operator()(SwitchId s) {
    if (known_[s] == Known::kNo) known_[s] = look(s) ? Known::kConcerned : Known::kFree;
    return known_[s] == Known::kConcerned;
  }

 private:
  enum class Known : std::uint8_t { kNo, kConcerned, kFree };
  /// The ways are acyclic, so this ends.
  bool look(SwitchId s) {
    const std::uint32_t mask = routes_.mask(s, destination_);
    for (std::uint32_t p = 0; p < rest_.ports(s); ++p) {
      if ((mask >> p & 1) == 0) continue;
      const topology::Peer& peer = rest_.peer(s, p);
      if (peer.kind == topology::Peer::Kind::kOpen) return true;
      if (peer.kind == topology::Peer::Kind::kSwitch && (*this)(peer.id)) return true;
    }
    return false;
  }

  const Graph& rest_;
  const Routes& routes_;
  std::uint32_t destination_;
  std::vector<Known> known_;
};

bool usable(const Graph& graph, const Routes& routes) {
  return !topology::delivery_fault(graph, routes) &&
         topology::DependencyGraph(graph, routes).deadlock_free();
}

}  // namespace

Routes routes_left(const Graph& rest, const Routes& before, std::vector<std::uint32_t>& levels) {
  if (!levels.empty()) {
    Routes routes = topology::up_down_routes(rest, levels);
    for (std::uint32_t d = 0; d < before.destinations(); ++d) {
      Concerned concerned(rest, before, d);
      for (SwitchId s = 0; s < rest.switches(); ++s)
        if (!concerned(s)) routes.set(s, d, before.mask(s, d));
    }
    if (usable(rest, routes)) return routes;
  }
  levels = topology::up_down_levels(rest);
  return topology::up_down_routes(rest, levels);
}

}  // namespace muster::preempt
