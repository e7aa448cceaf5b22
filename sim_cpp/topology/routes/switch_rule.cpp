// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/switch_rule.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace muster::topology {

SwitchRule::SwitchRule(const Graph& graph) {
  for (const Node& node : graph.node_list()) at_.push_back(node.at);
  const auto before = [](const PortRef& a, const PortRef& b) { return a.sw < b.sw; };
  if (std::is_sorted(at_.begin(), at_.end(), before)) {
    first_node_.assign(graph.switches() + 1, 0);
    for (const PortRef& at : at_) ++first_node_[at.sw + 1];
    for (SwitchId s = 0; s < graph.switches(); ++s) first_node_[s + 1] += first_node_[s];
  }
  if (graph.levels.empty()) return;
  const std::uint32_t lowest = *std::max_element(graph.levels.begin(), graph.levels.end());
  for (const std::uint32_t level : graph.levels) depth_.push_back(lowest - level);
}

std::uint16_t SwitchRule::mask(SwitchId s, std::uint32_t d) const {
  if (d >= at_.size()) {
    const auto t = static_cast<SwitchId>(d - at_.size());
    return spread(s, towards(s, t), t);
  }
  const PortRef at = at_[d];
  return at.sw == s ? static_cast<std::uint16_t>(1u << at.port) : spread(s, towards(s, at.sw), d);
}

std::uint32_t SwitchRule::run_end(SwitchId s, std::uint32_t d) const {
  const auto nodes = static_cast<std::uint32_t>(at_.size());
  if (d >= nodes) {
    const SwitchId t = d - nodes;
    return nodes + std::min(run_towards(s, t), spread_end(s, towards(s, t), t));
  }
  const SwitchId t = at_[d].sw;
  if (first_node_.empty() || t == s) return d + 1;
  return std::min(first_node_[run_towards(s, t)], spread_end(s, towards(s, t), d));
}

std::uint16_t SwitchRule::ports_to(const Graph& graph, SwitchId s, SwitchId neighbour) {
  std::uint16_t mask = 0;
  for (std::uint32_t p = 0; p < graph.ports(s); ++p)
    if (const Peer& peer = graph.peer(s, p);
        peer.kind == Peer::Kind::kSwitch && peer.id == neighbour)
      mask |= 1u << p;
  return mask;
}

/// In a network of stages the links up are equally good. One of them is the route, by a digit of
/// the destination's number, a higher one with each stage, so that destinations share them evenly.
std::uint16_t SwitchRule::spread(SwitchId s, std::uint16_t mask, std::uint32_t destination) const {
  if (depth_.empty()) return mask;
  const auto links = static_cast<std::uint32_t>(std::popcount(mask));
  if (links < 2) return mask;
  for (std::uint32_t i = 0; i < depth_[s]; ++i) destination /= links;
  std::uint16_t rest = mask;
  for (std::uint32_t i = destination % links; i > 0; --i)
    rest = static_cast<std::uint16_t>(rest & (rest - 1));
  return static_cast<std::uint16_t>(rest & ~(rest - 1));
}

std::uint32_t SwitchRule::spread_end(SwitchId s, std::uint16_t mask, std::uint32_t first) const {
  constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  const auto links = static_cast<std::uint32_t>(std::popcount(mask));
  if (depth_.empty() || links < 2) return kNever;
  std::uint64_t period = 1;  // in which the digit changes
  for (std::uint32_t i = 0; i < depth_[s] && period <= first; ++i) period *= links;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>((first / period + 1) * period, kNever));
}

}  // namespace muster::topology
