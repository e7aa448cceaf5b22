// SPDX-License-Identifier: Apache-2.0
#include "topology/route_check.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstddef>

#include "muster/topology/group_spec.hpp"

namespace muster::topology {

std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& successors) {
  // Depth first, with the path kept: meeting a vertex of the path again closes a cycle.
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint32_t vertex;
    std::size_t next;  // place in successors[vertex]
  };
  std::vector<State> state(successors.size(), State::kNew);
  std::vector<Step> path;
  const auto enter = [&](std::uint32_t vertex) {
    state[vertex] = State::kOnPath;
    path.push_back({vertex, 0});
  };
  for (std::uint32_t start = 0; start < successors.size(); ++start) {
    if (state[start] != State::kNew) continue;
    enter(start);
    while (!path.empty()) {
      const std::uint32_t at = path.back().vertex;
      if (path.back().next == successors[at].size()) {
        state[at] = State::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = successors[at][path.back().next++];
      if (state[to] == State::kNew) {
        enter(to);
      } else if (state[to] == State::kOnPath) {
        auto first = path.begin();
        while (first->vertex != to) ++first;
        std::vector<std::uint32_t> cycle;
        for (; first != path.end(); ++first) cycle.push_back(first->vertex);
        return cycle;
      }
    }
  }
  return {};
}

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
  std::array<PortMask, kMaxPorts> onward{};  // of the switch at hand
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

namespace {

std::string destination_name(const Graph& graph, std::uint32_t d) {
  return d < graph.nodes() ? fmt::format("node {}{}", d, label_of(graph.node_names, d))
                           : switch_text(graph, d - graph.nodes());
}

SwitchId home(const Graph& graph, std::uint32_t d) {
  return d < graph.nodes() ? graph.node(d).at.sw : d - graph.nodes();
}

bool has_node(const Graph& graph, SwitchId s) {
  return std::ranges::any_of(graph.peers(s),
                             [](const Peer& peer) { return peer.kind == Peer::Kind::kNode; });
}

std::optional<std::string> entry_fault(const Graph& graph, SwitchId s, std::uint32_t d,
                                       PortMask mask) {
  const auto fault = [&](const std::string& reason) {
    return fmt::format("{} towards {}: {}", switch_text(graph, s), destination_name(graph, d),
                       reason);
  };
  if (home(graph, d) == s) {
    const PortMask right = d < graph.nodes() ? core::port_bit(graph.node(d).at.port) : 0;
    if (mask != right) return fault(fmt::format("mask {:#x} instead of {:#x}", mask, right));
    return std::nullopt;
  }
  if (mask == 0) {
    // In a network of stages a switch without nodes need not reach every other switch.
    if (d >= graph.nodes() && !graph.levels.empty() && !has_node(graph, s)) return std::nullopt;
    return fault("no port");
  }
  for (std::uint32_t p = 0; p < kMaxPorts; ++p)
    if ((mask >> p & 1) != 0 &&
        (p >= graph.ports(s) || graph.peer(s, p).kind != Peer::Kind::kSwitch))
      return fault(fmt::format("port {} leads to no switch", p));
  return std::nullopt;
}

/// A switch from which some choice of bits never arrives. Switches are taken off from the
/// destination backwards, each when all it may choose are off; what stays runs in circles. `masks`:
/// of all switches to `d`.
std::optional<SwitchId> endless(const Graph& graph, const std::vector<PortMask>& masks,
                                std::uint32_t d) {
  std::vector<std::uint32_t> choices(graph.switches(), 0);
  std::size_t without = 0;  // switches from which no way is asked for, see entry_fault
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (s == home(graph, d)) continue;
    choices[s] = static_cast<std::uint32_t>(std::popcount(masks[s]));
    without += choices[s] == 0;
  }
  std::vector<SwitchId> off{home(graph, d)};
  for (std::size_t head = 0; head < off.size(); ++head) {
    for (const Peer& peer : graph.peers(off[head])) {
      if (peer.kind != Peer::Kind::kSwitch || (masks[peer.id] >> peer.port & 1) == 0) continue;
      if (--choices[peer.id] == 0) off.push_back(peer.id);
    }
  }
  if (off.size() + without == graph.switches()) return std::nullopt;
  for (SwitchId s = 0;; ++s)
    if (choices[s] != 0) return s;
}

}  // namespace

std::optional<std::string> delivery_fault(const Graph& graph, const Routes& routes) {
  std::vector<PortMask> masks(graph.switches());
  for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      masks[s] = routes.mask(s, d);
      if (auto fault = entry_fault(graph, s, d, masks[s])) return fault;
    }
    if (const auto s = endless(graph, masks, d))
      return fmt::format("from {} a packet for {} may run in circles", switch_text(graph, *s),
                         destination_name(graph, d));
  }
  return std::nullopt;
}

}  // namespace muster::topology
