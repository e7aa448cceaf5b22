// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/random_graph.hpp"
#include "topology/route_rules.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

using Edges = std::vector<JoinedGraph::Edge>;

/// Whether the edges join all vertices: the parts of a graph, merged edge by edge.
bool all_joined(std::uint32_t vertices, const Edges& edges) {
  std::vector<std::uint32_t> part(vertices);
  std::iota(part.begin(), part.end(), 0);
  for (const auto& [u, v] : edges) {
    const std::uint32_t from = part[u], to = part[v];
    std::ranges::replace(part, from, to);
  }
  return std::ranges::count(part, part[0]) == vertices;
}

bool has(const Edges& edges, std::uint32_t u, std::uint32_t v) {
  return std::ranges::any_of(edges, [&](const JoinedGraph::Edge& e) {
    return e == JoinedGraph::Edge{u, v} || e == JoinedGraph::Edge{v, u};
  });
}

/// A random connected graph, from a tree to a few edges more than vertices.
JoinedGraph grown(std::uint32_t vertices, Random& rng) {
  JoinedGraph graph(vertices, vertices - 1);
  const auto any = [&](std::uint32_t below) { return rng.below(below); };
  for (std::uint32_t v = 1; v < vertices; ++v) graph.add(any(v), v);
  for (std::uint64_t more = rng.below(vertices); more > 0; --more) {
    const std::uint32_t u = any(vertices), v = any(vertices);
    if (u != v && !graph.adjacent(u, v)) graph.add(u, v);
  }
  return graph;
}

TEST_CASE("a graph takes exactly the changes that leave it connected", "[topology][generate]") {
  Random rng(muster_seed(), 21);
  int taken = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t vertices = 4 + rng.below(12);
    JoinedGraph graph = grown(vertices, rng);
    const std::uint64_t count = graph.edges().size();
    for (int change = 0; change < 60; ++change) {
      Edges wanted = graph.edges();
      const std::size_t first = rng.below(count), second = rng.below(count);
      const auto [a, b] = wanted[first];
      auto [c, d] = wanted[second];
      if (rng.below(2) == 0) std::swap(c, d);
      bool done = false, right = false;
      if (rng.below(2) == 0) {
        const std::uint32_t u = rng.below(vertices);
        const std::uint32_t v = rng.below(vertices);
        if (u == v || graph.adjacent(u, v)) continue;
        wanted[first] = {u, v};
        right = all_joined(vertices, wanted);
        if (!right) wanted[first] = {a, b};
        done = graph.move(first, u, v);
      } else {
        if (first == second || a == c || b == d || has(wanted, a, c) || has(wanted, b, d)) continue;
        wanted[first] = {a, c};
        wanted[second] = {b, d};
        right = all_joined(vertices, wanted);
        if (!right) {
          wanted[first] = {a, b};
          wanted[second] = {c, d};
        }
        done = graph.exchange(first, second, {c, d});
      }
      ++(done ? taken : refused);
      REQUIRE(done == right);
      REQUIRE(graph.edges() == wanted);
      for (std::uint32_t v = 0; v < vertices; ++v) {
        std::uint32_t degree = 0;
        for (const auto& [x, y] : wanted) degree += (x == v || y == v) ? 1 : 0;
        REQUIRE(graph.degree(v) == degree);
      }
    }
  }
  CHECK(taken > 1000);
  CHECK(refused > 1000);
}

void check_irregular(const IrregularSpec& spec, const Graph& graph) {
  REQUIRE(graph.switches() == spec.switches);
  REQUIRE(graph.nodes() == spec.nodes);
  REQUIRE(static_cast<std::int64_t>(graph.links().size()) == irregular_links(spec));
  REQUIRE(graph.connected());
  std::set<std::pair<SwitchId, SwitchId>> pairs;
  for (const Link& link : graph.links())
    REQUIRE(pairs.emplace(std::min(link.a.sw, link.b.sw), std::max(link.a.sw, link.b.sw)).second);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    REQUIRE(graph.ports(s) == spec.ports);
    std::uint32_t nodes = 0, used = 0;
    for (const Peer& peer : graph.peers(s)) {
      nodes += peer.kind == Peer::Kind::kNode;
      used += peer.kind != Peer::Kind::kOpen;
    }
    REQUIRE(used >= 2);
    REQUIRE(nodes >= spec.nodes / spec.switches);
    REQUIRE(nodes <= (spec.nodes + spec.switches - 1) / spec.switches);
  }
  check_port_order(graph);
}

/// Connected simple graphs with `edges` edges in which vertex v has most[v] edges at most and
/// least[v] at least: by trying all of them, up to `enough`.
int count_graphs(const DegreeBounds& bounds, std::int64_t edges, int enough) {
  const auto count = static_cast<std::uint32_t>(bounds.most.size());
  EdgeList pairs;
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b) pairs.emplace_back(a, b);
  int found = 0;
  for (std::uint32_t set = 0; set < 1u << pairs.size() && found < enough; ++set) {
    if (std::popcount(set) != edges) continue;
    std::vector<std::uint32_t> degree(count, 0);
    Edges chosen;
    for (std::size_t e = 0; e < pairs.size(); ++e) {
      if ((set >> e & 1) == 0) continue;
      const auto [a, b] = pairs[e];
      ++degree[a], ++degree[b];
      chosen.push_back({a, b});
    }
    bool good = all_joined(count, chosen);
    for (std::uint32_t v = 0; v < count; ++v)
      good = good && degree[v] >= bounds.least[v] && degree[v] <= bounds.most[v];
    found += good ? 1 : 0;
  }
  return found;
}

std::string refusal(const IrregularSpec& spec) {
  try {
    generate_irregular(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("irregular networks keep every promise of the specification", "[topology][generate]") {
  Random rng(muster_seed(), 4);
  for (int i = 0; i < 400; ++i) {
    const IrregularSpec spec = random_spec(rng);
    CAPTURE(i, spec.switches, spec.nodes, spec.ports, spec.connectivity, spec.seed);
    check_irregular(spec, generate_irregular(spec));
  }
}

TEST_CASE("the paper's networks have the links it implies", "[topology][generate]") {
  const auto links = [](std::uint32_t q, std::uint32_t p, double f) {
    return generate_irregular({q, p, 8, f, 1, RandomModel::kUniform}).links().size();
  };
  CHECK(links(75, 256, 0.75) == 97);
  CHECK(links(300, 1024, 0.75) == 388);
  CHECK(links(75, 256, 0.7) == 82);
  CHECK(links(75, 256, 0.9) == 142);
  CHECK(links(75, 256, 1.0) == 172);
  // All nine ports connected, five of them left for links: one stays open.
  CHECK(generate_irregular({3, 4, 3, 1.0, 1, RandomModel::kUniform}).links().size() == 2);
}

TEST_CASE("equal requests give equal networks, other seeds others", "[topology][generate]") {
  for (const RandomModel model : {RandomModel::kUniform, RandomModel::kAttachment}) {
    const IrregularSpec spec{75, 256, 8, 0.75, 7, model};
    IrregularSpec other = spec;
    other.seed = 8;
    CHECK(generate_irregular(spec) == generate_irregular(spec));
    CHECK(generate_irregular(spec).links() != generate_irregular(other).links());
  }
  // The ready network is what its README says, on every machine.
  Graph ready = ready_network("irregular-75.json");
  CHECK(ready == generate_irregular({75, 256, 8, 0.75, 1, RandomModel::kUniform}));
  CHECK_THAT(ready.generator, Contains("uniform") && Contains("seed 1"));
}

TEST_CASE("a request is refused exactly if no such network exists", "[topology][generate]") {
  for (std::uint32_t q = 1; q <= 5; ++q)
    for (std::uint32_t k = 1; k <= 5; ++k)
      for (std::uint32_t p = 1; p <= q * k + 1; ++p)
        for (std::uint32_t connected = 1; connected <= q * k; ++connected) {
          IrregularSpec spec{q, p, k, 0.0, connected, RandomModel::kUniform};
          spec.connectivity = static_cast<double>(connected) / (q * k);
          DegreeBounds bounds;
          bool room = true;
          for (std::uint32_t v = 0; v < q; ++v) {
            const std::uint32_t nodes = p / q + (v < p % q ? 1 : 0);
            room = room && nodes <= k;
            bounds.most.push_back(k - std::min(k, nodes));
            bounds.least.push_back(2 - std::min(nodes, 2u));
          }
          CAPTURE(q, k, p, connected, irregular_links(spec));
          const bool possible = room && count_graphs(bounds, irregular_links(spec), 1) == 1;
          const std::string reason = refusal(spec);
          CAPTURE(reason);
          REQUIRE(possible == reason.empty());
          if (possible) check_irregular(spec, generate_irregular(spec));
        }
}

TEST_CASE("impossible requests say what to change", "[topology][generate]") {
  const std::pair<IrregularSpec, const char*> refused[] = {
      {{75, 256, 8, 0.5, 1, {}}, "22 links cannot connect 75 switches, 74 are needed; raise"},
      {{75, 256, 8, 0.3, 1, {}}, "nodes alone need more"},
      {{10, 80, 8, 1.0, 1, {}}, "no port left for a link"},
      {{5, 5, 16, 0.9, 1, {}}, "parallel links"},
      {{0, 10, 8, 0.75, 1, {}}, "switches are possible"},
      {{10, 0, 8, 0.75, 1, {}}, "nodes are possible"},
      {{10, 10, 65, 0.75, 1, {}}, "ports are possible"},
      {{10, 10, 0, 0.75, 1, {}}, "ports are possible"},
      {{10, 10, 8, 0.0, 1, {}}, "above 0 and at most 1"},
      {{10, 10, 8, 1.01, 1, {}}, "above 0 and at most 1"},
      {{10, 10, 8, std::nan(""), 1, {}}, "above 0 and at most 1"},
      {{4000000000u, 4000000000u, 8, 0.75, 1, {}}, "possible"}};
  for (const auto& [spec, token] : refused) CHECK_THAT(refusal(spec), Contains(token));
}

TEST_CASE("the uniform model makes all connected graphs equally likely", "[topology][generate]") {
  // Five vertices of degree at most 3, five edges: chi-squared over all labelled graphs.
  DegreeBounds bounds{{0, 0, 0, 0, 2}, {3, 3, 3, 3, 3}};
  Random rng(muster_seed(), 5);
  std::map<std::set<std::pair<std::uint32_t, std::uint32_t>>, int> seen;
  const int draws = 40000;
  for (int i = 0; i < draws; ++i) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (auto [a, b] : random_connected_graph(bounds, 5, RandomModel::kUniform, rng))
      edges.emplace(std::min(a, b), std::max(a, b));
    ++seen[edges];
  }
  const int possible = count_graphs(bounds, 5, 1024);
  REQUIRE(static_cast<int>(seen.size()) == possible);
  const double expected = static_cast<double>(draws) / possible;
  double chi = 0.0;
  for (const auto& [graph, count] : seen) chi += (count - expected) * (count - expected) / expected;
  // Mean possible - 1, standard deviation sqrt(2 (possible - 1)); five of them is never chance.
  CHECK(chi < (possible - 1) + 5 * std::sqrt(2.0 * (possible - 1)));
}

TEST_CASE("uniform networks are deeper than those grown by attachment", "[topology][generate]") {
  double height[2] = {0.0, 0.0};
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const RandomModel model : {RandomModel::kUniform, RandomModel::kAttachment}) {
      const Graph graph = generate_irregular({75, 256, 8, 0.75, seed, model});
      const auto level = bfs_levels(graph, routing_root(graph));
      height[static_cast<int>(model)] += *std::ranges::max_element(level) / 40.0;
    }
  // Both ends of the range in which the models of the paper's networks lie.
  CHECK(height[0] == Approx(6.6).margin(0.3));
  CHECK(height[1] == Approx(5.9).margin(0.3));
}

}  // namespace
