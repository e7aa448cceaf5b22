// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/reroute.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"

namespace muster::run {
namespace {

using test::square_subject;

/// On the square, with these deaths.
RunSpec dying(std::vector<Death> deaths) {
  RunSpec spec = test::death_spec(square_subject());
  spec.deaths = std::move(deaths);
  return spec;
}

std::uint32_t barriers_of(const RunResult& result, std::uint32_t group) {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      result.barriers, [&](const BarrierRecord& b) { return b.group == group; }));
}
bool untouched(const RunResult& result, const std::string& group) {
  const auto& names = result.casualties.untouched;
  return std::ranges::count(names, group) != 0;
}

/// Switches, nodes, and links: of each the deaths in this cycle.
std::vector<Death> deaths_at(std::uint64_t cycle) {
  const topology::Graph& graph = square_subject().graph;
  std::vector<Death> all;
  for (std::uint32_t id = 0; id < graph.switches(); ++id) all.push_back({.id = id, .cycle = cycle});
  for (std::uint32_t id = 0; id < graph.nodes(); ++id)
    all.push_back({.node = true, .id = id, .cycle = cycle});
  for (std::uint32_t id = 0; id < graph.links().size() + graph.nodes(); ++id)
    all.push_back({.id = id, .cycle = cycle, .link = true});
  return all;
}

TEST_CASE("any switch, node or link may be lost at any time, and the others go on",
          "[workload][death]") {
  const auto [scheme, cycle] = GENERATE(table<std::string, std::uint64_t>({{"btin", 0},
                                                                           {"btin", 20},
                                                                           {"btin", 150},
                                                                           {"btin", 400},
                                                                           {"btin", 633},
                                                                           {"unicast", 200},
                                                                           {"tree", 200},
                                                                           {"nic-gather", 200}}));
  const topology::Graph& graph = square_subject().graph;
  const auto links = static_cast<std::uint32_t>(graph.links().size());
  for (const Death& death : deaths_at(cycle)) {
    CAPTURE(scheme, cycle, death.node, death.link, death.id);
    RunSpec spec = dying({death});
    spec.scheme = scheme;
    const RunResult result = test::passes(spec);
    CHECK(result.end == test::end_of(spec, graph, result));
    const Casualties& casualties = result.casualties;
    REQUIRE(casualties.events.size() == 1);
    std::size_t hit = 0;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      CAPTURE(g);
      // The first four groups stay within a switch each, and need links of their nodes only.
      const bool may = death.link ? g == 4 || (death.id >= links && (death.id - links) / 2 == g)
                                  : test::loses(spec, graph, g, death);
      const bool whole = untouched(result, spec.groups[g].name);
      CHECK((whole || may));
      if (whole) CHECK(barriers_of(result, g) == spec.barriers);
      if (!whole) CHECK(casualties.groups_hit.at(hit++).group == g);
    }
    CHECK(hit == casualties.groups_hit.size());
    if (!death.link)
      for (const auto& group : casualties.groups_hit)
        CHECK(group.culprit == (death.node ? "n" : "sw") + std::to_string(death.id));
    REQUIRE(result.data);
    // Counted when no more were started; some were still to come.
    CHECK(casualties.packets_lost <= result.data->started - result.data->delivered);
    for (const Casualties::Detection& d : casualties.detected)
      CHECK(d.block == casualties.detected.front().block);
  }
}

/// To and from the nodes of three of the four switches.
struct PastSwitch : Pattern {
  explicit PastSwitch(std::uint32_t sw) : first(2 * sw) {}
  std::uint32_t destination(std::uint32_t node, Rng& rng) const override {
    while (true) {
      const std::uint32_t to = rng.below(8);
      if (to != node && to != first && to != first + 1) return to;
    }
  }
  std::uint32_t first;
};

TEST_CASE("packets of survivors are led around a dead switch", "[workload][death]") {
  const std::uint32_t dead = GENERATE(range(0u, 4u));
  CAPTURE(dead);
  RunSpec spec = dying({{.id = dead, .cycle = 300},
                        {.node = true, .id = 2 * dead, .cycle = 300},
                        {.node = true, .id = 2 * dead + 1, .cycle = 300}});
  spec.pattern = std::make_shared<PastSwitch>(dead);
  spec.min_cycles = 6000;
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.rerouted.size() == 1);
  const Casualties::Rerouting& rerouted = result.casualties.rerouted[0];
  CHECK(rerouted.connected);
  CHECK(rerouted.held >= rerouted.first_down + 1024);
  CHECK(rerouted.empty > rerouted.held);
  CHECK(rerouted.again > rerouted.empty);
  CHECK(rerouted.words > 0);
  // Those sent later all arrive.
  const std::uint64_t lost = result.casualties.packets_lost;
  spec.min_cycles = 12000;
  const RunResult longer = run_barriers(spec);
  CHECK(longer.casualties.packets_lost == lost);
  CHECK(longer.data->delivered > result.data->delivered + 100);
}

TEST_CASE("a link end that waits for nothing from the dead is shut by the manager",
          "[workload][death]") {
  RunSpec spec = dying({{.id = 0, .cycle = 300}});
  spec.load_flits = 0;
  std::set<std::string> reasons;
  for (const Casualties::Detection& d : test::passes(spec).casualties.detected)
    reasons.insert(d.reason);
  CHECK(reasons ==
        std::set<std::string>{"the manager shut the link end", "the other end is silent"});
}

TEST_CASE("links restart at any flit of the packets on them, and none is mixed with another",
          "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed, 40);
  for (int round = 0; round < 40; ++round) {
    RunSpec spec = test::death_spec(square_subject(), seed + static_cast<std::uint64_t>(round));
    spec.load_flits = 0.9 * square_subject().route_bound();
    spec.packet_length = 3 + rng.below(30);
    for (std::uint64_t cycle = 200; spec.deaths.size() < 3; cycle += 900 + rng.below(100))
      spec.deaths.push_back({.id = rng.below(4), .cycle = cycle + rng.below(300), .reset = true});
    spec.min_cycles = 5000;
    CAPTURE(round, spec.packet_length);
    const RunResult result = test::passes(spec);
    for (const auto& event : result.casualties.events)
      CHECK(event.again.value_or(~std::uint64_t{0}) < event.death.cycle + 4000);
    CHECK(result.wires->down.empty());
  }
}

TEST_CASE("a group that is between two barriers when its switch is reset goes on",
          "[workload][death]") {
  // Members arrive long after the switch has been taken back.
  const test::Subject subject{test::star(3)};
  RunSpec spec = subject.spec({"all"});
  spec.links.retry = true;
  spec.barriers = 3;
  ListedArrivals::List list{{{500, 500, 500}, {9000, 9000, 9000}, {20000, 20000, 20000}}};
  spec.arrivals = std::make_shared<ListedArrivals>(list);
  spec.deaths = {{.id = 0, .cycle = 800, .reset = true}};
  const RunResult result = test::completes(spec);
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK(result.casualties.groups_hit[0].complete);
}

TEST_CASE("nodes that are cut off send into a switch whose routes are old, and the run ends",
          "[workload][death]") {
  // The routes of the two dead switches form a loop through each other.
  const test::Subject subject{topology::generate_mesh(4, 4)};
  RunSpec spec = subject.spec({"n0,n1"}, 690);
  spec.links.retry = true;
  spec.load_flits = 0.3;
  spec.min_cycles = 6000;
  spec.deaths = {{.id = 11, .cycle = 255}, {.id = 6, .cycle = 2006}};
  const RunResult result = test::passes(spec);
  CHECK(result.casualties.rerouted.size() == 2);
}

TEST_CASE("a link that goes down beside a death is a violation as before", "[workload][death]") {
  RunSpec spec = test::death_spec(square_subject(), 1);
  spec.deaths = {{.id = 0, .cycle = 300}};
  // Channel 2 leads from switch 1 to switch 2.
  spec.links.flaps = {{2, 400, kMostCycles}};
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains("down: ") && !Contains("-> 0:"));
}

Survivors without(const topology::Graph& graph, topology::SwitchId dead) {
  Survivors left{std::vector<std::uint8_t>(graph.switches(), 1),
                 std::vector<std::uint8_t>(graph.links().size(), 1)};
  if (dead == graph.switches()) return left;  // none
  left.switches[dead] = 0;
  for (std::size_t l = 0; l < left.links.size(); ++l)
    left.links[l] = graph.links()[l].a.sw != dead && graph.links()[l].b.sw != dead;
  return left;
}

/// Packets of all living nodes: to living ones past the dead switch, to its own up to it. Not by
/// REQUIRE in each hop, which would take a minute.
bool all_reach(const topology::Graph& graph, const topology::Routes& routes,
               topology::SwitchId dead) {
  for (topology::NodeId from = 0; from < graph.nodes(); ++from)
    for (topology::NodeId to = 0; to < graph.nodes(); ++to) {
      topology::SwitchId s = graph.node(from).at.sw;
      if (s == dead) break;
      for (std::uint32_t hops = 0; s != graph.node(to).at.sw; ++hops) {
        if (s == dead || hops == graph.switches()) return false;
        const topology::Peer& peer = graph.peer(s, routes.next_port(s, to));
        if (peer.kind != topology::Peer::Kind::kSwitch) return false;
        s = peer.id;
      }
    }
  return true;
}

TEST_CASE("routes of survivors lead past a dead switch, or there is no way", "[run][death]") {
  const topology::Graph graphs[] = {
      test::square(), test::Subject::figure1().graph,
      topology::read_topology(MUSTER_SOURCE_DIR "/topologies/irregular-75.json")};
  std::size_t around = 0, cut = 0;
  for (const topology::Graph& graph : graphs) {
    const topology::Routes before = topology::routes_for(graph);
    for (topology::SwitchId dead = 0; dead < graph.switches(); ++dead) {
      CAPTURE(graph.name, dead);
      const auto routes = surviving_routes(graph, before, without(graph, dead));
      ++(routes ? around : cut);
      if (routes) CHECK(all_reach(graph, routes->routes, dead));
    }
  }
  CHECK(around > 60);
  CHECK(cut > 0);  // switch 8 of Figure 1 joins switch 2 to the rest
}

TEST_CASE("what lies behind dead switches alone is no part of a deadlock", "[run][death]") {
  topology::Graph graph = test::square();
  for (int s = 0; s < 2; ++s) graph.add_switch(5);
  graph.add_link({2, 4}, {4, 0});
  graph.add_link({4, 1}, {5, 0});
  graph.add_node({5, 2});
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0}};
  const auto routes = surviving_routes(graph, before, left);
  REQUIRE(routes);
  const topology::NodeId behind = graph.nodes() - 1;
  // To the dead switch that is next to one that lives.
  CHECK(routes->routes.next_port(2, behind) == 4);
  CHECK(routes->routes.next_port(1, behind) == routes->routes.next_port(1, 4));
}

TEST_CASE("links that are down are left out of routes", "[run][death]") {
  const topology::Graph graph = test::square();
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1}, {1, 0, 1, 1}};  // without the link of switches 1 and 2
  const auto routes = surviving_routes(graph, before, left);
  REQUIRE(routes);
  CHECK(routes->routes.next_port(1, 4) == 1);  // node 4 is at switch 2: by way of 0 and 3
  CHECK(routes->routes.next_port(2, 2) == 0);
  left.links[3] = 0;
  CHECK_FALSE(surviving_routes(graph, before, left));
}

/// Of the living nodes among each other.
double bound(const topology::Graph& graph, const topology::Routes& routes, const Survivors& left) {
  std::vector<std::uint8_t> nodes;
  for (const topology::Node& node : graph.node_list()) nodes.push_back(left.switches[node.at.sw]);
  return topology::route_bound_flits_per_node_cycle(
      topology::uniform_loads(graph, routes, {}, nodes));
}

TEST_CASE("routes of survivors keep the levels of a fat tree, and with them its bandwidth",
          "[run][death]") {
  const topology::Graph graph = topology::generate_fat_tree(4, 3);
  const topology::Routes before = topology::routes_for(graph);
  const double whole = bound(graph, before, without(graph, graph.switches()));
  CHECK(whole > 0.9);
  for (topology::SwitchId dead = 0; dead < graph.switches(); ++dead) {
    CAPTURE(dead, graph.levels[dead]);
    const Survivors left = without(graph, dead);
    const auto found = surviving_routes(graph, before, left);
    REQUIRE(found);
    CHECK(found->by_file);
    CHECK(all_reach(graph, found->routes, dead));
    // One of four links up, or of four cores, is gone.
    CHECK(bound(graph, found->routes, left) > whole / 2);
  }
}

TEST_CASE("levels of the file that do not connect the survivors are given up", "[run][death]") {
  // Two roots of three leaves. Leaf 2 has lost its link to root 0, leaf 3 that to root 1: by the
  // levels there is no way between them, by others there is one through leaf 4.
  topology::Graph graph;
  for (int s = 0; s < 5; ++s) graph.add_switch(4);
  for (std::uint32_t leaf = 2; leaf < 5; ++leaf)
    for (std::uint32_t root = 0; root < 2; ++root) graph.add_link({leaf, root}, {root, leaf - 2});
  for (std::uint32_t leaf = 2; leaf < 5; ++leaf) graph.add_node({leaf, 2});
  graph.levels = {0, 0, 1, 1, 1};
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1}};
  const auto one = surviving_routes(graph, before, left);
  REQUIRE(one);
  CHECK(one->by_file);
  left.links[3] = 0;
  const auto both = surviving_routes(graph, before, left);
  REQUIRE(both);
  CHECK_FALSE(both->by_file);
  CHECK(all_reach(graph, both->routes, graph.switches()));
}

}  // namespace
}  // namespace muster::run
