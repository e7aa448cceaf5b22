// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "muster/topology/generate.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "support/test.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/info.hpp"
#include "topology/route_check.hpp"

/// \file
/// What tests of networks have in common, with the headers that most of them need.

namespace muster::topology {

/// A random request for an irregular network that can be built: 2 to 60 switches, from a tree to
/// every port connected, switches without nodes included.
inline IrregularSpec random_spec(Random& rng) {
  while (true) {
    IrregularSpec spec;
    spec.switches = 2 + rng.below(59);
    spec.ports = 3 + rng.below(14);
    spec.nodes = 1 + rng.below(spec.switches * (spec.ports - 1));
    spec.connectivity = 0.05 + 0.95 * rng.uniform();
    spec.seed = rng.next();
    spec.model = rng.below(2) == 0 ? RandomModel::kUniform : RandomModel::kAttachment;
    const std::int64_t links = irregular_links(spec);
    // The least and most that any choice of the remaining switches allows.
    const std::uint32_t base = spec.nodes / spec.switches;
    const std::int64_t free = std::int64_t{spec.ports} * spec.switches - spec.nodes;
    if (links < (base == 0 ? spec.switches : spec.switches - 1)) continue;
    if (base + 2 > spec.ports || spec.switches <= spec.ports || links > free / 2) continue;
    return spec;
  }
}

/// A random connected network with parallel links, latencies and open ports, built link by link.
inline Graph random_multigraph(Random& rng) {
  const std::uint32_t count = 2 + rng.below(12);
  std::vector<Edge> edges;
  std::vector<std::uint32_t> used(count, 0);
  const auto latency = [&] { return 1 + rng.below(kMaxLatency); };
  const auto join = [&](SwitchId a, SwitchId b) {
    if (a == b || used[a] >= 12 || used[b] >= 12) return;
    edges.push_back({a, b, latency()});
    ++used[a], ++used[b];
  };
  for (SwitchId s = 1; s < count; ++s)
    join(static_cast<SwitchId>(s < 10 ? rng.below(s) : s - 1), s);
  for (std::uint64_t i = rng.below(2 * count); i > 0; --i)
    join(static_cast<SwitchId>(rng.below(count)), static_cast<SwitchId>(rng.below(count)));
  std::vector<Attachment> nodes{{static_cast<SwitchId>(rng.below(count)), latency()}};
  for (SwitchId s = 0; s < count; ++s)
    for (std::uint64_t i = rng.below(4); i > 0; --i) nodes.push_back({s, latency()});
  return assemble(std::vector<std::uint32_t>(count, kMaxPorts), edges, nodes);
}

using Parser = Graph (*)(std::string_view content, const std::string& name);

/// The line with which `parse` refuses the content of a file `net`; none if it takes it.
inline std::string refusal(Parser parse, const std::string& content) {
  try {
    parse(content, "net");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A content that is refused, at a place of the file, for what the rest of the line names.
struct Refused {
  std::string content, place, token;
};

inline void check_refused(Parser parse, const std::vector<Refused>& list) {
  for (const auto& [content, place, token] : list) {
    CAPTURE(content.substr(0, 500));
    const std::string line = refusal(parse, content);
    CHECK_THAT(line, Catch::StartsWith("net: " + place + ": ") && Contains(token));
    CHECK(line.find('\n') == std::string::npos);
  }
}

inline Graph ready_network(const std::string& file) {
  return read_topology(fmt::format("{}/topologies/{}", MUSTER_SOURCE_DIR, file));
}

/// On every switch links take the lowest ports in order of the neighbour, nodes the next ones.
inline void check_port_order(const Graph& graph) {
  NodeId next_node = 0;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    Peer::Kind stage = Peer::Kind::kSwitch;
    SwitchId last = 0;
    for (const Peer& peer : graph.peers(s)) {
      if (peer.kind == Peer::Kind::kSwitch) {
        REQUIRE(stage == Peer::Kind::kSwitch);
        REQUIRE(peer.id >= last);
        last = peer.id;
      } else if (peer.kind == Peer::Kind::kNode) {
        REQUIRE(stage != Peer::Kind::kOpen);
        REQUIRE(peer.id == next_node++);
      }
      stage = peer.kind;
    }
  }
}

/// The first route that goes up after it went down, with up and down as up_down_routes() defines
/// them, or nothing. Looks at all bits of all masks and knows nothing of how they were made.
inline std::optional<std::string> up_down_fault(const Graph& graph, const Routes& routes) {
  const std::vector<std::uint32_t> level =
      graph.levels.empty() ? bfs_levels(graph, routing_root(graph)) : graph.levels;
  const auto goes_up = [&](SwitchId from, SwitchId to) {
    return level[to] < level[from] || (level[to] == level[from] && to < from);
  };
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (const Peer& above : graph.peers(s)) {
      if (above.kind != Peer::Kind::kSwitch || goes_up(above.id, s)) continue;
      for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
        if ((routes.mask(above.id, d) >> above.port & 1) == 0) continue;
        for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
          const Peer& next = graph.peer(s, p);
          if (next.kind == Peer::Kind::kSwitch && (routes.mask(s, d) >> p & 1) != 0 &&
              goes_up(s, next.id))
            return fmt::format("towards destination {}: down from switch {} to {}, then up to {}",
                               d, above.id, s, next.id);
        }
      }
    }
  }
  return std::nullopt;
}

/// The routes of the network deliver, go up and then down, and are free of deadlock.
inline void check_routes_of(const Graph& graph) {
  const Routes routes = routes_for(graph);
  CHECK(delivery_fault(graph, routes).value_or("") == "");
  CHECK(up_down_fault(graph, routes).value_or("") == "");
  CHECK(describe(DependencyGraph(graph, routes).cycle()) == "");
}

/// Links between switches of different parts.
inline std::uint32_t links_cut(const Graph& graph, std::span<const std::uint32_t> part) {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      graph.links(), [&](const Link& link) { return part[link.a.sw] != part[link.b.sw]; }));
}

}  // namespace muster::topology
