// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::topology {

Graph assemble(const std::vector<std::uint32_t>& ports, std::vector<Edge> edges,
               const std::vector<Attachment>& nodes) {
  std::vector<std::uint32_t> used(ports.size(), 0);
  const auto use = [&](SwitchId s) {
    if (s >= ports.size())
      throw InputError("switch {} does not exist; the network has {}", s, ports.size());
    return used[s]++;
  };
  for (const Edge& edge : edges) use(edge.a), use(edge.b);
  for (const Attachment& node : nodes) use(node.sw);

  Graph graph;
  for (SwitchId s = 0; s < ports.size(); ++s) {
    const std::uint32_t size = ports[s] != 0 ? ports[s] : std::max(used[s], 1u);
    if (used[s] > size || used[s] > kMaxPorts)
      throw InputError("switch {} needs {} ports and has {}; use fewer links or nodes", s, used[s],
                       std::min(size, kMaxPorts));
    graph.add_switch(size);
  }

  // In this order the lower neighbours of a switch come before its higher ones, each in ascending
  // order, so counting up gives every neighbour its port.
  for (Edge& edge : edges)
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
  std::ranges::stable_sort(edges, [](const Edge& x, const Edge& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  std::vector<std::uint32_t> next(ports.size(), 0);
  for (const Edge& edge : edges) {
    const PortRef a{edge.a, next[edge.a]++};
    const PortRef b{edge.b, next[edge.b]++};
    graph.add_link(a, b, edge.latency);
  }
  for (const Attachment& node : nodes) graph.add_node({node.sw, next[node.sw]++}, node.latency);
  return graph;
}

namespace {

/// Refuses sizes of a regular network before anything is allocated; `what` names the request.
/// Throws InputError.
void check_size(const std::string& what, std::uint64_t switches, std::uint64_t nodes,
                std::uint64_t ports) {
  if (switches < 1 || switches > kMaxSwitches)
    throw InputError("{}: {} switches; 1 to {} are possible", what, switches, kMaxSwitches);
  if (nodes < 1 || nodes > kMaxNodes)
    throw InputError("{}: {} nodes; 1 to {} are possible", what, nodes, kMaxNodes);
  if (ports > kMaxPorts)
    throw InputError(
        "{}: a switch would need {} ports; {} are possible, use fewer nodes or links per switch",
        what, ports, kMaxPorts);
}

/// A network of switches of `ports` each. `text`: how it is made.
Graph named_network(std::string name, std::string text, std::uint64_t switches, std::uint64_t ports,
                    std::vector<Edge> edges, const std::vector<Attachment>& nodes,
                    std::vector<std::uint32_t> levels = {}) {
  Graph graph = assemble(std::vector<std::uint32_t>(switches, static_cast<std::uint32_t>(ports)),
                         std::move(edges), nodes);
  graph.name = std::move(name);
  graph.generator = std::move(text);
  graph.levels = std::move(levels);
  return graph;
}

/// `switches` of `ports` each, or of 1 without, with the nodes and, once the sizes are known to be
/// possible, the links that `add_links` puts into a list. `text`: how it is made.
template <class AddLinks>
Graph regular_network(const std::string& name, const std::string& text, std::uint64_t switches,
                      std::uint64_t ports, std::uint32_t nodes_per_switch, AddLinks&& add_links) {
  ports += nodes_per_switch;
  const std::uint64_t most = kMaxSwitches + 1;  // so that the product does not overflow
  check_size(text, switches, std::min(switches, most) * nodes_per_switch, ports);
  std::vector<Edge> edges;
  add_links(edges);
  std::vector<Attachment> nodes;
  for (SwitchId s = 0; s < switches; ++s) nodes.insert(nodes.end(), nodes_per_switch, {s});
  return named_network(name, text, switches, std::max<std::uint64_t>(ports, 1), std::move(edges),
                       nodes);
}

/// Links of a switch to its neighbours in a dimension: none, one or two.
std::uint32_t links_in(std::uint32_t size) { return std::min(std::max(size, 1u) - 1, 2u); }

/// Group i numbers its global channels 0 to routers * globals - 1, router by router. Channel k of
/// the first groups - 1 goes to group k if that is below i, to group k + 1 otherwise: the absolute
/// arrangement. What channels are left over repeat this as often as it goes.
void add_global_links(const DragonflySpec& spec, std::vector<Edge>& edges) {
  if (spec.groups < 2) return;
  const std::uint32_t others = spec.groups - 1;
  const auto end = [&](std::uint32_t group, std::uint32_t channel) {
    return SwitchId{group * spec.routers + channel / spec.globals};
  };
  for (std::uint32_t first = 0; first + others <= spec.routers * spec.globals; first += others)
    for (std::uint32_t low = 0; low < spec.groups; ++low)
      for (std::uint32_t high = low + 1; high < spec.groups; ++high)
        edges.push_back({end(low, first + high - 1), end(high, first + low)});
}

/// Of numbers that are no network any more, something above kMaxNodes.
std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t value = 1;
  if (base == 1) return value;
  for (std::uint32_t i = 0; i < exponent && value <= kMaxNodes; ++i) value *= base;
  return value;
}

}  // namespace

Graph generate_mesh(std::uint32_t width, std::uint32_t height, std::uint32_t nodes_per_switch) {
  const std::uint64_t count = std::uint64_t{width} * height;
  Graph graph = regular_network(
      fmt::format("mesh-{}x{}", width, height),
      fmt::format("mesh {} x {}, nodes per switch {}", width, height, nodes_per_switch), count,
      links_in(width) + links_in(height), nodes_per_switch, [&](std::vector<Edge>& edges) {
        for (SwitchId s = 0; s < count; ++s) {
          if ((s + 1) % width != 0) edges.push_back({s, s + 1});
          if (s + width < count) edges.push_back({s, s + width});
        }
      });
  graph.mesh = Mesh{width, height};
  return graph;
}

Graph generate_tree(std::uint32_t arity, std::uint32_t height, std::uint32_t nodes_per_leaf) {
  const std::string text = fmt::format("tree of arity {} and height {}, nodes per leaf switch {}",
                                       arity, height, nodes_per_leaf);
  if (arity < 1) throw InputError(text + ": an arity of at least 1 is needed");
  std::uint64_t inner = 0, leaves = 1;  // switches with children, and without
  for (std::uint32_t level = 0; level < height && inner <= kMaxSwitches; ++level) {
    inner += leaves;
    leaves *= arity;
  }
  const std::uint64_t child_ports = height > 0 ? arity + (height > 1 ? 1ull : 0ull) : 0;
  const std::uint64_t leaf_ports = nodes_per_leaf + (height > 0 ? 1ull : 0ull);
  const std::uint64_t ports = std::max<std::uint64_t>({child_ports, leaf_ports, 1});
  check_size(text, inner + leaves, leaves * nodes_per_leaf, ports);
  std::vector<Edge> edges;
  for (SwitchId s = 1; s < inner + leaves; ++s) edges.push_back({(s - 1) / arity, s});
  std::vector<Attachment> nodes;
  for (std::uint64_t s = inner; s < inner + leaves; ++s)
    nodes.insert(nodes.end(), nodes_per_leaf, {static_cast<SwitchId>(s)});
  return named_network(fmt::format("tree-{}x{}", arity, height), text, inner + leaves, ports,
                       std::move(edges), nodes);
}

Graph generate_complete(std::uint32_t switches, std::uint32_t nodes_per_switch) {
  return regular_network(
      fmt::format("complete-{}", switches),
      fmt::format("complete graph of {} switches, nodes per switch {}", switches, nodes_per_switch),
      switches, std::max(switches, 1u) - 1, nodes_per_switch, [&](std::vector<Edge>& edges) {
        for (SwitchId s = 0; s < switches; ++s)
          for (SwitchId t = s + 1; t < switches; ++t) edges.push_back({s, t});
      });
}

Graph generate_torus(const std::vector<std::uint32_t>& sizes, std::uint32_t nodes_per_switch) {
  std::uint64_t count = 1, ports = 0;
  for (const std::uint32_t size : sizes) {
    // The product of what is possible so far and a size of 32 bits does not overflow.
    count = count > kMaxSwitches ? count : count * size;
    ports += links_in(size);
  }
  if (sizes.empty()) throw InputError("torus: no dimension; give at least one size");
  return regular_network(
      fmt::format("torus-{}", fmt::join(sizes, "x")),
      fmt::format("torus {}, nodes per switch {}", fmt::join(sizes, " x "), nodes_per_switch),
      count, ports, nodes_per_switch, [&](std::vector<Edge>& edges) {
        std::uint64_t stride = 1;  // between neighbours in a dimension
        for (const std::uint32_t size : sizes) {
          for (std::uint64_t s = 0; s < count; ++s) {
            const std::uint64_t at = s / stride % size;
            // In a ring of two the link back would be a second one between the same switches.
            if (at + 1 == size && size <= 2) continue;
            const std::uint64_t next = at + 1 < size ? s + stride : s - (size - 1) * stride;
            edges.push_back({static_cast<SwitchId>(s), static_cast<SwitchId>(next)});
          }
          stride *= size;
        }
      });
}

Graph generate_hypercube(std::uint32_t dimension, std::uint32_t nodes_per_switch) {
  const std::uint64_t count = std::uint64_t{1} << std::min(dimension, 31u);
  return regular_network(
      fmt::format("hypercube-{}", dimension),
      fmt::format("hypercube of dimension {}, nodes per switch {}", dimension, nodes_per_switch),
      count, dimension, nodes_per_switch, [&](std::vector<Edge>& edges) {
        for (SwitchId s = 0; s < count; ++s)
          for (std::uint32_t bit = 0; bit < dimension; ++bit)
            if ((s >> bit & 1) == 0) edges.push_back({s, s | 1u << bit});
      });
}

Graph generate_dragonfly(const DragonflySpec& spec) {
  const std::string text = fmt::format(
      "dragonfly of {} groups of {} routers, global links per router {}, nodes per "
      "router {}",
      spec.groups, spec.routers, spec.globals, spec.nodes);
  const std::uint64_t routers = std::max(spec.routers, 1u), channels = routers * spec.globals;
  const std::uint64_t count = std::uint64_t{spec.groups} * spec.routers;
  const auto add_links = [&](std::vector<Edge>& edges) {
    if (spec.groups > channels + 1)
      throw InputError(
          "{}: the {} global links of a group reach at most {} groups; use fewer groups or more "
          "links",
          text, channels, channels + 1);
    for (SwitchId first = 0; first < count; first += spec.routers)
      for (SwitchId a = 0; a < spec.routers; ++a)
        for (SwitchId b = a + 1; b < spec.routers; ++b) edges.push_back({first + a, first + b});
    add_global_links(spec, edges);
  };
  return regular_network(fmt::format("dragonfly-{}x{}", spec.groups, spec.routers), text, count,
                         routers - 1 + spec.globals, spec.nodes, add_links);
}

Graph generate_fat_tree(std::uint32_t arity, std::uint32_t dimension, std::uint32_t taper) {
  const std::string text = fmt::format("fat tree of arity {} and dimension {}{}", arity, dimension,
                                       taper == 1 ? "" : fmt::format(", taper {}", taper));
  if (taper < 1 || (taper > 1 && arity % taper != 0))
    throw InputError("{}: use a taper that divides the arity", text);
  const std::uint32_t up = arity / taper, most = kMaxPorts * taper / (taper + 1);
  if (arity < 2 || arity > most || dimension < 1)
    throw InputError("{}: an arity of 2 to {} and a dimension of at least 1 are possible", text,
                     most);
  // A switch of a level has one digit for each level above it, which says below which of `arity`
  // links it is, and one for each level below it, which of `up` switches it is there.
  std::vector<std::uint64_t> widths;
  std::uint64_t count = 0;
  for (std::uint32_t level = 0; level < dimension && count <= kMaxSwitches; ++level) {
    widths.push_back(power(arity, level) * power(up, dimension - 1 - level));
    count += widths.back();
  }
  if (power(arity, dimension) > kMaxNodes || count > kMaxSwitches)
    throw InputError("{}: up to {} nodes and {} switches are possible; use a smaller dimension",
                     text, kMaxNodes, kMaxSwitches);
  std::vector<Edge> edges;
  std::vector<std::uint32_t> levels;
  std::uint64_t first = 0;  // switch of the level
  for (std::uint32_t level = 0; level < dimension; first += widths[level++]) {
    levels.insert(levels.end(), widths[level], level);
    if (level + 1 == dimension) break;
    const std::uint64_t place = power(up, dimension - 2 - level);  // of the digit that changes
    for (std::uint64_t w = 0; w < widths[level]; ++w) {
      const std::uint64_t above = w / (place * up), rest = w % place;
      for (std::uint32_t digit = 0; digit < arity; ++digit)
        edges.push_back({static_cast<SwitchId>(first + w),
                         static_cast<SwitchId>(first + widths[level] +
                                               (above * arity + digit) * place + rest)});
    }
  }
  std::vector<Attachment> nodes;
  for (std::uint64_t n = 0; n < power(arity, dimension); ++n)
    nodes.push_back({static_cast<SwitchId>(first + n / arity)});
  const std::string tapered = taper == 1 ? "" : fmt::format("-taper-{}", taper);
  return named_network(fmt::format("fat-tree-{}x{}{}", arity, dimension, tapered), text, count,
                       arity + up, std::move(edges), nodes, std::move(levels));
}

Graph generate_pods(std::uint32_t ports) {
  const std::string text = fmt::format("fat tree of {} pods, ports per switch {}", ports, ports);
  if (ports < 4 || ports > kMaxPorts || ports % 2 != 0)
    throw InputError("{}: an even number of ports from 4 to {} is possible", text, kMaxPorts);
  const std::uint32_t half = ports / 2, cores = half * half, in_level = ports * half;
  std::vector<std::uint32_t> levels(cores, 0);
  levels.insert(levels.end(), in_level, 1);
  levels.insert(levels.end(), in_level, 2);
  std::vector<Edge> edges;
  std::vector<Attachment> nodes;
  for (std::uint32_t pod = 0; pod < ports; ++pod) {
    const SwitchId aggregation = cores + pod * half, edge = aggregation + in_level;
    for (std::uint32_t i = 0; i < half; ++i)
      for (std::uint32_t j = 0; j < half; ++j) {
        edges.push_back({i * half + j, aggregation + i});
        edges.push_back({aggregation + i, edge + j});
        nodes.push_back({edge + i});
      }
  }
  return named_network(fmt::format("pods-{}", ports), text, 2 * in_level + cores, ports,
                       std::move(edges), nodes, std::move(levels));
}

Graph generate_clos(std::uint32_t ports, std::uint32_t leaves) {
  const std::string text = fmt::format("Clos network of {} crossbars of {} ports", leaves, ports);
  if (ports < 4 || ports > kMaxPorts || ports % 2 != 0)
    throw InputError("{}: an even number of ports from 4 to {} is possible", text, kMaxPorts);
  if (leaves < 1 || leaves > ports)
    throw InputError("{}: a spine has {} ports; use 1 to {} leaves", text, ports, ports);
  const bool alone = leaves == 1;
  const std::uint32_t half = ports / 2, spines = alone ? 0 : half;
  std::vector<Edge> edges;
  std::vector<Attachment> nodes;
  std::vector<std::uint32_t> levels(spines, 0);
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    for (SwitchId spine = 0; spine < spines; ++spine) edges.push_back({spine, spines + leaf});
    nodes.insert(nodes.end(), alone ? ports : half, {spines + leaf});
    levels.push_back(alone ? 0 : 1);
  }
  return named_network(fmt::format("clos-{}x{}", ports, leaves), text, spines + leaves, ports,
                       std::move(edges), nodes, std::move(levels));
}

}  // namespace muster::topology
