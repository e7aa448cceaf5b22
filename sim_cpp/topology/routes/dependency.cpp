// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/dependency.hpp"

#include <fmt/format.h>

#include <array>

#include "topology/routes/find_cycle.hpp"
#include "topology/routes/onward.hpp"

namespace muster::topology {

DependencyGraph::DependencyGraph(const Graph& graph, const Routes& routes, const Steps& steps) {
  std::vector<std::vector<std::uint32_t>> place(graph.switches());  // of the channel out of a port
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    place[s].resize(graph.ports(s));
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      const Peer& peer = graph.peer(s, p);
      if (peer.kind != Peer::Kind::kSwitch) continue;
      place[s][p] = static_cast<std::uint32_t>(channels_.size());
      channels_.push_back({{s, p}, {peer.id, peer.port}});
    }
  }
  successors_.resize(channels_.size());
  std::array<std::uint32_t, kMaxPorts> onward{};  // of the switch at hand
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto [from, to] = channels_[c];
    if (c == 0 || channels_[c - 1].from.sw != from.sw)
      onward = onward_ports(graph, routes, from.sw);
    for (std::uint32_t p = 0; p < graph.ports(to.sw); ++p)
      if ((onward[from.port] >> p & 1) != 0 && graph.peer(to.sw, p).kind == Peer::Kind::kSwitch)
        successors_[c].push_back(place[to.sw][p]);
    if (steps) steps("dependencies", "switches", from.sw + 1, graph.switches());
  }
}

std::vector<Channel> DependencyGraph::cycle() const {
  std::vector<Channel> result;
  for (const std::uint32_t c : find_cycle(successors_)) result.push_back(channels_[c]);
  return result;
}

std::string describe(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& c : channels)
    text += fmt::format("{}{}:{} -> {}:{}", text.empty() ? "" : ", ", c.from.sw, c.from.port,
                        c.to.sw, c.to.port);
  return text;
}

}  // namespace muster::topology
