// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// The deterministic routes of switches to one of them.
class WaysTo {
 public:
  WaysTo(const Graph& graph, const Routes& routes, SwitchId target)
      : graph_(graph), routes_(routes), target_(target), level_(graph.switches(), kUnknown) {
    level_[target] = 0;
  }

  /// Links from `s` to the target. Calls enter(parent, port of the parent, child) for each switch
  /// on the way that no earlier call has met, the nearest to the target first.
  template <class Enter>
  std::uint32_t walk(SwitchId s, Enter&& enter) {
    path_.clear();
    for (SwitchId at = s; level_[at] == kUnknown; at = next(at).id) path_.push_back(at);
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      const Peer& above = next(*at);
      level_[*at] = level_[above.id] + 1;
      enter(above.id, above.port, *at);
    }
    return level_[s];
  }

 private:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

  const Peer& next(SwitchId s) const {
    return graph_.peer(s, routes_.next_port(s, graph_.nodes() + target_));
  }

  const Graph& graph_;
  const Routes& routes_;
  SwitchId target_;
  std::vector<std::uint32_t> level_;
  std::vector<SwitchId> path_;
};

}  // namespace muster::topology
