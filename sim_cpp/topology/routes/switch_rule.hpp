// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Routes that depend on the destination's switch: nodes share the entry of their switch, at which
/// the mask is their port.
class SwitchRule : public RouteRule {
 public:
  explicit SwitchRule(const Graph& graph);
  std::uint16_t mask(SwitchId s, std::uint32_t d) const final;
  std::uint32_t run_end(SwitchId s, std::uint32_t d) const final;

 protected:
  /// The ports of the links from one switch to another.
  static std::uint16_t ports_to(const Graph& graph, SwitchId s, SwitchId neighbour);

 private:
  /// From one switch to another; 0 from a switch to itself.
  virtual std::uint16_t towards(SwitchId s, SwitchId t) const = 0;
  /// Above `t`: all switches below it have its mask.
  virtual SwitchId run_towards(SwitchId /*s*/, SwitchId t) const { return t + 1; }
  std::uint16_t spread(SwitchId s, std::uint16_t mask, std::uint32_t destination) const;
  /// Above `first`: what spread() makes of the mask is the same for all destinations below it.
  std::uint32_t spread_end(SwitchId s, std::uint16_t mask, std::uint32_t first) const;

  std::vector<PortRef> at_;         // by node
  std::vector<NodeId> first_node_;  // of a switch or those after it; empty if nodes lie otherwise
  std::vector<std::uint32_t>
      depth_;  // of a switch in a network of stages, 0 at the nodes; or empty
};

}  // namespace muster::topology
