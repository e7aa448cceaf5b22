// SPDX-License-Identifier: Apache-2.0
#include "topology/route_check.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <utility>

#include "core/parallel.hpp"
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
        std::vector<std::uint32_t> cycle;
        std::ranges::transform(std::ranges::find(path, to, &Step::vertex), path.end(),
                               std::back_inserter(cycle), &Step::vertex);
        return cycle;
      }
    }
  }
  return {};
}

namespace {

/// By a way and in a virtual channel of Phases.
PortMask mask_in(const Routes& routes, std::uint32_t way, std::uint32_t vc, SwitchId s,
                 std::uint32_t d) {
  return vc == 0 ? routes.mask_by(way, s, d) : routes.mask(s, d);
}

std::uint32_t behind(const Phases& phases, SwitchId s, std::uint32_t port, std::uint32_t vc) {
  return vc + (phases.raising(s) >> port & 1);
}

/// Calls visit(s, vc, mask) for each switch and virtual channel in which a packet for `d` by a way
/// may be, wherever it began, and the ports by which it may leave. Channels that the routes do not
/// have are left out.
template <class Visit>
void for_each_state(const Graph& graph, const Routes& routes, std::uint32_t way, std::uint32_t d,
                    Visit&& visit) {
  const Phases& phases = *routes.phases();
  const std::uint32_t channels = phases.channels();
  std::vector<std::uint8_t> seen(std::size_t{graph.switches()} * channels, 0);
  std::vector<std::pair<SwitchId, std::uint32_t>> states;
  for (SwitchId s = 0; s < graph.switches(); ++s) states.emplace_back(s, 0);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto [s, vc] = states[i];
    const PortMask mask = mask_in(routes, way, vc, s, d);
    visit(s, vc, mask);
    graph.each_link(s, [&, s = s, vc = vc](std::uint32_t p, const Peer& peer) {
      const std::uint32_t next = behind(phases, s, p, vc);
      // All are in channel 0, or none.
      if ((mask >> p & 1) == 0 || next == 0 || next >= channels) return;
      if (std::exchange(seen[std::size_t{peer.id} * channels + next], 1) == 0)
        states.emplace_back(peer.id, next);
    });
  }
}

}  // namespace

DependencyGraph::DependencyGraph(const Graph& graph, const Routes& routes, const Steps& steps) {
  const Phases* const phases = routes.phases();
  Places place(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    place[s].resize(graph.ports(s));
    graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
      place[s][p] = static_cast<std::uint32_t>(channels_.size());
      channels_.push_back({{s, p}, {peer.id, peer.port}, std::nullopt});
      if (phases == nullptr) return;
      channels_.back().vc = 0;
      for (std::uint32_t vc = 1; vc < phases->channels(); ++vc)
        channels_.push_back({{s, p}, {peer.id, peer.port}, vc});
    });
  }
  successors_.resize(channels_.size());
  if (phases != nullptr) {
    add_packets(graph, routes, place, steps);
    return;
  }
  core::run_short_jobs(
      graph.switches(),
      [&](SwitchId s, unsigned) {
        const std::array<PortMask, kMaxPorts> onward = onward_ports(graph, routes, s);
        graph.each_link(s, [&](std::uint32_t port, const Peer& peer) {
          graph.each_link(peer.id, [&](std::uint32_t p, const Peer&) {
            if ((onward[port] >> p & 1) != 0)
              successors_[place[s][port]].push_back(place[peer.id][p]);
          });
        });
      },
      [&](std::uint32_t done) {
        if (steps) steps("dependencies", "switches", done, graph.switches());
      });
}

void DependencyGraph::add_packets(const Graph& graph, const Routes& routes, const Places& place,
                                  const Steps& steps) {
  const Phases& phases = *routes.phases();
  std::vector<PortMask> onward(channels_.size(), 0);
  for (std::uint32_t d = 0; d < routes.destinations(); ++d) {
    for (std::uint32_t way = 0; way <= phases.ways(); ++way)
      for_each_state(graph, routes, way, d, [&](SwitchId s, std::uint32_t vc, PortMask mask) {
        graph.each_link(s, [&](std::uint32_t p, const Peer& peer) {
          const std::uint32_t next = behind(phases, s, p, vc);
          if ((mask >> p & 1) != 0 && next != phases.channels())
            onward[place[s][p] + vc] |= mask_in(routes, way, next, peer.id, d);
        });
      });
    if (steps) steps("dependencies", "destinations", d + 1, routes.destinations());
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto& [from, to, vc] = channels_[c];
    const std::uint32_t next = behind(phases, from.sw, from.port, *vc);
    graph.each_link(to.sw, [&, to = to](std::uint32_t p, const Peer&) {
      if ((onward[c] >> p & 1) != 0) successors_[c].push_back(place[to.sw][p] + next);
    });
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
    text += fmt::format("{}{}:{} -> {}:{}{}", text.empty() ? "" : ", ", c.from.sw, c.from.port,
                        c.to.sw, c.to.port, c.vc ? fmt::format(" channel {}", *c.vc) : "");
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
    if (d >= graph.nodes() && !graph.levels.empty() &&
        std::ranges::find(graph.peers(s), Peer::Kind::kNode, &Peer::kind) == graph.peers(s).end())
      return std::nullopt;
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

/// Of the ways of Phases and the virtual channels. That no packet runs in circles is the business
/// of DependencyGraph.
std::optional<std::string> way_fault(const Graph& graph, const Routes& routes) {
  const Phases& phases = *routes.phases();
  std::optional<std::string> fault;
  for (std::uint32_t d = 0; d < graph.destinations() && !fault; ++d)
    for (std::uint32_t way = 0; way <= phases.ways() && !fault; ++way)
      for_each_state(graph, routes, way, d, [&](SwitchId s, std::uint32_t vc, PortMask mask) {
        if (!fault) fault = entry_fault(graph, s, d, mask);
        if (vc + 1 < phases.channels() || (mask & phases.raising(s)) == 0) return;
        fault = fmt::format("{} towards {}: needs a virtual channel above {}",
                            switch_text(graph, s), destination_name(graph, d), vc);
      });
  return fault;
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
  if (routes.phases() != nullptr) return way_fault(graph, routes);
  return std::nullopt;
}

}  // namespace muster::topology
