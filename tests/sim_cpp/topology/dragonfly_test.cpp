// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/route_rules.hpp"
#include "topology/route_walk.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

constexpr DragonflyRoutes kKinds[] = {DragonflyRoutes::kMinimal, DragonflyRoutes::kValiant};

std::vector<DragonflySpec> specs() {
  return {{9, 4, 2, 2}, {1, 4, 2, 2}, {5, 4, 2, 1}, {2, 3, 4, 1}, {3, 1, 2, 2}, {7, 2, 3, 1}};
}

/// Routes of other routes, with other raising links.
class Raising final : public RouteRule, public Phases {
 public:
  Raising(Routes of, std::vector<PortMask> raising, std::uint32_t channels)
      : of_(std::move(of)), raising_(std::move(raising)), channels_(channels) {}
  const Phases* phases() const override { return this; }
  PortMask mask(SwitchId s, std::uint32_t d) const override { return of_.mask(s, d); }
  std::uint32_t channels() const override { return channels_; }
  PortMask raising(SwitchId s) const override { return raising_[s]; }
  std::uint32_t ways() const override { return of_.phases() ? of_.phases()->ways() : 0; }
  PortMask mask_by(std::uint32_t way, SwitchId s, std::uint32_t d) const override {
    return of_.mask_by(way, s, d);
  }

 private:
  Routes of_;
  std::vector<PortMask> raising_;
  std::uint32_t channels_;
};

Routes with_raising(const Graph& graph, const Routes& of, std::vector<PortMask> raising,
                    std::uint32_t channels) {
  return Routes(graph.switches(), graph.destinations(),
                std::make_shared<Raising>(of, std::move(raising), channels));
}

/// Bound of data to the node at the same place in the next group.
double next_group_bound(const Graph& graph, const DragonflySpec& spec, DragonflyRoutes kind) {
  std::vector<NodeId> to(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n)
    to[n] = (n + spec.routers * spec.nodes) % graph.nodes();
  return route_bound_flits_per_node_cycle(
      permutation_loads(graph, dragonfly_routes(graph, kind), to));
}

double uniform_bound(const Graph& graph, DragonflyRoutes kind) {
  return route_bound_flits_per_node_cycle(uniform_loads(graph, dragonfly_routes(graph, kind)));
}

}  // namespace

TEST_CASE("by minimal and Valiant routes all packets arrive, and no channels wait in a cycle",
          "[topology][dragonfly][deadlock]") {
  for (const DragonflySpec& spec : specs())
    for (const DragonflyRoutes kind : kKinds) {
      const Graph graph = generate_dragonfly(spec);
      CAPTURE(graph.name, static_cast<int>(kind));
      const Routes routes = dragonfly_routes(graph, kind);
      CHECK(delivery_fault(graph, routes).value_or("") == "");
      CHECK(describe(DependencyGraph(graph, routes).cycle()) == "");
    }
}

TEST_CASE("a packet takes a local link at most in each group, and visits the group of its way",
          "[topology][dragonfly]") {
  for (const DragonflySpec& spec : specs()) {
    const Graph graph = generate_dragonfly(spec);
    CAPTURE(graph.name);
    const Routes routes = dragonfly_routes(graph, DragonflyRoutes::kValiant);
    const auto group = [&](SwitchId s) { return s / spec.routers; };
    for (NodeId from = 0; from < graph.nodes(); ++from)
      for (NodeId to = 0; to < graph.nodes(); ++to) {
        const std::uint32_t a = group(graph.node(from).at.sw), b = group(graph.node(to).at.sw);
        const std::uint32_t choices = routes.phases()->choices(from, to);
        REQUIRE(choices == (a == b ? 0 : spec.groups - 2));
        std::vector<std::uint32_t> drawn;
        for (std::uint32_t i = 0; i < std::max(choices, 1u); ++i) {
          const std::uint32_t way = choices == 0 ? 0 : routes.phases()->choice(from, to, i);
          drawn.push_back(way);
          std::vector<std::uint32_t> groups;  // of the switches passed
          walk_route(
              graph, routes, from, to,
              [&](SwitchId s, std::uint32_t) { groups.push_back(group(s)); }, way);
          for (std::size_t k = 2; k < groups.size(); ++k)
            REQUIRE((groups[k] != groups[k - 1] || groups[k - 1] != groups[k - 2]));
          groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
          std::vector<std::uint32_t> expected{a};
          if (way != 0) expected.push_back(way - 1);
          if (a != b) expected.push_back(b);
          REQUIRE(groups == expected);
        }
        std::ranges::sort(drawn);
        REQUIRE(std::ranges::adjacent_find(drawn) == drawn.end());
      }
  }
}

TEST_CASE("channel dependencies that a missing change of channel closes are found",
          "[topology][dragonfly][deadlock]") {
  const Graph graph = generate_dragonfly({});
  const Routes routes = dragonfly_routes(graph, DragonflyRoutes::kMinimal);
  std::vector<PortMask> raising;
  for (SwitchId s = 0; s < graph.switches(); ++s) raising.push_back(routes.phases()->raising(s));
  CHECK(DependencyGraph(graph, with_raising(graph, routes, raising, 2)).deadlock_free());
  const Routes planted = with_raising(graph, routes, std::vector<PortMask>(graph.switches(), 0), 2);
  CHECK_FALSE(delivery_fault(graph, planted));
  const DependencyGraph dependencies(graph, planted);
  const std::vector<Channel> cycle = dependencies.cycle();
  REQUIRE_FALSE(cycle.empty());
  CHECK_THAT(describe(cycle), Contains(" channel 0"));
  for (std::size_t i = 0; i < cycle.size(); ++i)
    CHECK(cycle[i].to.sw == cycle[(i + 1) % cycle.size()].from.sw);
  // One channel too few.
  CHECK_THAT(delivery_fault(graph, with_raising(graph, routes, raising, 1)).value_or(""),
             Contains("needs a virtual channel above 0"));
}

TEST_CASE("round a ring in one direction a change of channel at one link is enough",
          "[topology][deadlock]") {
  const std::uint32_t size = 6;
  std::vector<Edge> edges;
  std::vector<Attachment> nodes;
  for (SwitchId s = 0; s < size; ++s) edges.push_back({s, (s + 1) % size}), nodes.push_back({s});
  const Graph ring = assemble(std::vector<std::uint32_t>(size, 0), edges, nodes);
  const auto port_to = [&](SwitchId s, SwitchId t) {
    for (std::uint32_t p = 0;; ++p)
      if (ring.peer(s, p).kind == Peer::Kind::kSwitch && ring.peer(s, p).id == t)
        return core::port_bit(p);
  };
  Routes one_way(size, ring.destinations());
  for (SwitchId s = 0; s < size; ++s)
    for (std::uint32_t d = 0; d < ring.destinations(); ++d)
      one_way.set(s, d,
                  d % size != s ? port_to(s, (s + 1) % size)
                  : d < size    ? core::port_bit(ring.node(d).at.port)
                                : 0);
  std::vector<PortMask> raising(size, 0);
  CHECK(DependencyGraph(ring, with_raising(ring, one_way, raising, 2)).cycle().size() == size);
  raising[size - 1] = port_to(size - 1, 0);
  raising[0] = port_to(0, size - 1);
  const Routes dateline = with_raising(ring, one_way, raising, 2);
  CHECK(delivery_fault(ring, dateline).value_or("") == "");
  CHECK(describe(DependencyGraph(ring, dateline).cycle()) == "");
}

TEST_CASE("route bounds of a balanced dragonfly are those of the textbook",
          "[topology][dragonfly][load]") {
  for (const DragonflySpec& spec : {DragonflySpec{9, 4, 2, 2}, DragonflySpec{33, 8, 4, 4}}) {
    const Graph graph = generate_dragonfly(spec);
    CAPTURE(graph.name);
    // To the next group one link of a group carries all, or two hops over all links.
    const double ah = spec.routers * spec.globals;
    CHECK(next_group_bound(graph, spec, DragonflyRoutes::kMinimal) == Approx(1 / ah));
    CHECK(next_group_bound(graph, spec, DragonflyRoutes::kValiant) ==
          Approx((ah - 1) / (2 * ah)).epsilon(0.02));
    CHECK(uniform_bound(graph, DragonflyRoutes::kMinimal) > 0.85);
    CHECK(uniform_bound(graph, DragonflyRoutes::kValiant) == Approx(0.5).margin(0.06));
  }
}

TEST_CASE("loads by choice are those of each packet by each of its ways",
          "[topology][dragonfly][load]") {
  const Graph graph = generate_dragonfly({4, 2, 2, 2});
  const Routes routes = dragonfly_routes(graph, DragonflyRoutes::kValiant);
  const ChannelLoads loads = uniform_loads(graph, routes);
  double sum = 0;
  for (NodeId from = 0; from < graph.nodes(); ++from)
    for (NodeId to = 0; to < graph.nodes(); ++to) {
      if (from == to) continue;
      const std::uint32_t choices = routes.phases()->choices(from, to);
      for (std::uint32_t i = 0; i < std::max(choices, 1u); ++i)
        walk_route(
            graph, routes, from, to,
            [&](SwitchId s, std::uint32_t port) {
              if (s == 1 && port == 0) sum += 1.0 / std::max(choices, 1u);
            },
            choices == 0 ? 0 : routes.phases()->choice(from, to, i));
    }
  CHECK(loads.out[1][0] == Approx(sum / (graph.nodes() - 1)));
}

TEST_CASE("routes of a dragonfly are refused of other networks", "[topology][dragonfly]") {
  const auto refused = [](const Graph& graph, const char* reason) {
    CHECK_THROWS_WITH(dragonfly_routes(graph, DragonflyRoutes::kMinimal), Contains(reason));
  };
  refused(generate_mesh(3, 3), "network 'mesh-3x3': is no dragonfly");
  Graph mesh = generate_mesh(4, 4);
  mesh.mesh.reset();
  mesh.name = "dragonfly-4x4";
  refused(mesh, "switches 0 and 2 are not linked");
  Graph pairs =
      assemble(std::vector<std::uint32_t>(6, 0), {{0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 4}}, {{0}});
  pairs.name = "dragonfly-3x2";
  refused(pairs, "groups 0 and 2 are not linked");
  pairs.name = "dragonfly-4x2";
  refused(pairs, "is no dragonfly");
}
