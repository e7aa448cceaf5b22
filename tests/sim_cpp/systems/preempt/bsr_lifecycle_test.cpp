// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_lifecycle.hpp"

#include "muster/fabric/barrier_end.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "topology/route_check.hpp"

namespace muster::preempt {
namespace {

using topology::Graph;
using topology::Link;
using topology::Routes;
using topology::SwitchId;

/// Messages between two BSR nodes may go by the link: the ways are walked one by one, apart from
/// what is tested.
bool may_use(const Graph& graph, const Routes& routes, SwitchId from, SwitchId to,
             const Link& link) {
  if (from == to) return false;
  for (std::uint32_t p = 0; p < graph.ports(from); ++p) {
    if ((routes.mask(from, graph.nodes() + to) >> p & 1) == 0) continue;
    const topology::PortRef port{from, p};
    if (port == link.a || port == link.b) return true;
    if (may_use(graph, routes, graph.peer(from, p).id, to, link)) return true;
  }
  return false;
}

bool may_use(const Graph& graph, const Routes& routes, const BsrTree& tree, const Link& link) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const auto& parent = tree.switches[s].parent;
    if (parent &&
        (may_use(graph, routes, s, *parent, link) || may_use(graph, routes, *parent, s, link)))
      return true;
  }
  return false;
}

/// First messages go by the link.
bool finds_by(const Graph& graph, const Routes& routes, const BsrTree& tree, const Link& link) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!tree.switches[s].in_tree) continue;
    const topology::PortRef port{s, routes.next_port(s, graph.nodes() + tree.center_switch)};
    if (port == link.a || port == link.b) return true;
  }
  return false;
}

TEST_CASE("with the levels of before the ways of a group change exactly if they led over the link",
          "[preempt][links][random]") {
  int used = 0, untouched = 0, first = 0, none = 0;
  for_random_groups(71'000, 400, [&](const Graph& graph, const auto&, Random& rng) {
    if (graph.links().empty()) return;
    const Routes before = topology::up_down_routes(graph);
    const auto link = test::spare_link(graph, rng.below(graph.links().size()));
    if (!link) return;
    const Graph rest = topology::without_link(graph, link->a, link->b);
    const auto levels = topology::up_down_levels(graph);
    auto kept = levels;
    const Routes next = routes_left(rest, before, kept);
    REQUIRE_FALSE(topology::delivery_fault(rest, next));
    REQUIRE(topology::DependencyGraph(rest, next).deadlock_free());
    if (kept != levels) {
      ++none;
      return;
    }
    for (int g = 0; g < 4; ++g) {
      const auto members = random_group(graph, rng);
      const BsrTree tree = build_bsr_tree(graph, before, members, members[0]);
      const bool uses = may_use(graph, before, tree, *link);
      CHECK(later_differ(graph, before, next, tree) == uses);
      const bool finds = finds_by(graph, before, tree, *link);
      if (finds) CHECK(first_differ(graph, before, next, tree));
      used += uses;
      untouched += !uses;
      first += finds;
    }
  });
  CHECK(used > 50);
  CHECK(untouched > 50);
  CHECK(first > 20);
  CHECK(none > 5);
}

/// docs/systems/bsr-tree.md, Congested and dead links: runs on golden switches.

using namespace run;
using test::kBsrSchemes;
using test::Subject;
using test::twin_links;

RunSpec bsr(const Subject& subject, const std::string& scheme,
            const std::vector<std::string>& groups, std::uint32_t barriers = 30) {
  RunSpec spec = subject.by(scheme, groups);
  spec.barriers = barriers;
  return spec;
}

/// What every run with a dead link must show.
RunResult run(const RunSpec& spec) {
  const fabric::Layout layout(*spec.graph);
  std::vector<std::unique_ptr<test::LastFlit>> last;
  RunSpec watched = spec;
  for (const KilledLink& link : spec.killed) {
    last.push_back(std::make_unique<test::LastFlit>(layout, link));
    watched.observers.push_back(test::kept(*last.back()));
  }
  RunResult result = test::completes(watched);
  REQUIRE(result.links.size() == spec.killed.size());
  for (std::size_t l = 0; l < last.size(); ++l) {
    CHECK(result.links[l].routed >= result.links[l].link.cycle);
    CHECK(result.links[l].out > result.links[l].routed);
    CHECK(last[l]->last < result.links[l].out);  // nothing was lost on it
  }
  for (const preempt::Change& c : own<preempt::Cost>(result).changes) {
    CHECK(c.confirmed >= c.decided);
    CHECK(c.first_release.has_value() == (c.first_barrier < spec.barriers));
  }
  return result;
}

topology::NodeId center_of(const RunSpec& spec, std::uint32_t group) {
  return topology::choose_center(*spec.graph, *spec.routes, spec.groups[group].members,
                                 topology::CenterChoice::kNearest, spec.seed + group);
}

/// The first link that the messages of a group go by in both of its phases, on their deterministic
/// ways from member to center.
KilledLink link_of(const RunSpec& spec, std::uint32_t group, std::uint64_t cycle) {
  const SwitchId to = spec.graph->node(center_of(spec, group)).at.sw;
  for (const topology::NodeId n : spec.groups[group].members)
    for (SwitchId s = spec.graph->node(n).at.sw; s != to;) {
      const std::uint32_t p = spec.routes->next_port(s, spec.graph->nodes() + to);
      const topology::Peer& peer = spec.graph->peer(s, p);
      const KilledLink link{{s, p}, {peer.id, peer.port}, cycle};
      try {
        topology::without_link(*spec.graph, link.a, link.b);
        return link;
      } catch (const InputError&) {
        s = peer.id;
      }
    }
  throw InternalError("every link of the group joins two parts");
}

TEST_CASE("random links die on random networks under load", "[workload][preempt][links][random]") {
  std::uint64_t changed = 0, untouched = 0, narrowed = 0, held = 0, quiesced = 0, detours = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    test::RandomLinks random(muster_seed(), index, 25);
    CAPTURE(index, random.text());
    const RunResult result = run(random.spec);
    const auto& cost = own<preempt::Cost>(result);
    changed += cost.changes.size();
    untouched += random.spec.groups.size() * result.links.size() - cost.changes.size();
    detours += cost.detours;
    for (const LinkResult& link : result.links) {
      narrowed += link.narrowed;
      held += link.groups_held;
      quiesced += link.quiesced;
    }
  }
  CHECK(changed > 40);
  CHECK(untouched > 10);
  CHECK(narrowed > 10);
  CHECK(held > 5);
  CHECK(quiesced > 20);
  CHECK(detours > 20);
}

/// 60 barriers of all nodes among packets of 40 flits.
RunSpec among_data(const Subject& subject, const std::string& scheme, double load) {
  RunSpec spec = subject.by(scheme, {"all"});
  spec.barriers = 60;
  spec.load_flits = load * subject.route_bound();
  spec.packet_length = 40;
  return spec;
}

std::uint64_t detours(const RunSpec& spec) {
  return own<preempt::Cost>(test::passes(spec)).detours;
}

TEST_CASE("later messages avoid a congested link that their mask allows",
          "[workload][preempt][links]") {
  const Subject twins(twin_links()), mesh(topology::generate_mesh(4, 2));
  for (const char* scheme : kBsrSchemes) {
    CAPTURE(scheme);
    // Packets take the lower link alone, so with both channels of it full the other is free.
    CHECK(detours(among_data(twins, scheme, 1.2)) > 20);
    CHECK(detours(among_data(mesh, scheme, 1.2)) == 0);  // masks of one bit
    RunSpec held = among_data(twins, scheme, 0.0);
    held.congestion = CongestionSpec{2, 60};
    CHECK_NOTHROW(detours(held));
  }
}

TEST_CASE("a dead link that is not the deterministic one leaves the masks at once, no group waits",
          "[workload][preempt][links]") {
  const Subject twins(twin_links());
  const fabric::Layout layout(twins.graph);
  for (const char* scheme : kBsrSchemes)
    for (const double load : {0.0, 0.8}) {
      CAPTURE(scheme, load);
      RunSpec spec = among_data(twins, scheme, load);
      spec.killed = {{{0, 1}, {1, 1}, 1000}};
      test::LastFlit last(layout, spec.killed[0]);
      spec.observers.push_back(test::kept(last));
      const RunResult result = test::passes(spec);
      const LinkResult& link = result.links[0];
      CHECK(link.narrowed == 10);  // 4 nodes and a switch on each side
      CHECK(link.entries == 10);   // and that is all
      CHECK(link.acyclic);
      CHECK_FALSE(link.quiesced);
      CHECK_FALSE(link.groups_held);
      CHECK(link.routed - link.link.cycle < 10);
      CHECK(last.last < link.out);
      if (load > 0.0) CHECK(last.last > 100);  // it was used before
      CHECK(link.out > 0);
    }
}

TEST_CASE("a dead link that is the deterministic one is left with packets held, barriers go on",
          "[workload][preempt][links]") {
  const Subject twins(twin_links());
  for (const char* scheme : kBsrSchemes) {
    CAPTURE(scheme);
    RunSpec spec = among_data(twins, scheme, 0.8);
    spec.killed = {{{0, 0}, {1, 0}, 1000}};
    const RunResult result = test::passes(spec);
    const LinkResult& link = result.links[0];
    CHECK(link.narrowed == 0);
    CHECK(link.entries == 10);
    CHECK(link.quiesced);
    CHECK_FALSE(link.groups_held);
    CHECK(link.empty > link.link.cycle);
    CHECK(link.out > link.routed);
  }
}

TEST_CASE("a first barrier ends on the routes on which it has begun",
          "[workload][preempt][links]") {
  // n1 and n2 meet at switch 2, which has no member; two links lead from there to the center, n0.
  topology::Graph graph;
  for (int s = 0; s < 4; ++s) graph.add_switch(4);
  graph.add_link({0, 0}, {2, 0});
  graph.add_link({1, 0}, {2, 1});
  graph.add_link({2, 2}, {3, 0});
  graph.add_link({2, 3}, {3, 1});
  for (const SwitchId s : {3, 0, 1}) graph.add_node({s, 2});
  const Subject subject(graph);
  for (const char* scheme : kBsrSchemes) {
    CAPTURE(scheme);
    RunSpec spec = bsr(subject, scheme, {"all"}, 5);
    spec.center = topology::CenterChoice::kLowest;
    ListedArrivals::List times(1, {{10, 10, 2000}});  // n2's message finds the branch late
    times[0].resize(spec.barriers, {0, 0, 0});
    spec.arrivals = std::make_shared<ListedArrivals>(times);
    spec.killed = {{{2, 2}, {3, 0}, 500}};
    const RunResult result = run(spec);
    CHECK(result.links[0].acyclic);
    CHECK_FALSE(result.links[0].groups_held);
    CHECK(result.links[0].routed > 2000);
    CHECK(own<preempt::Cost>(result).changes[0].kept == 4);
  }
}

/// Switches that a group's messages can come to.
std::vector<std::uint8_t> reach(const topology::Graph& graph, const topology::Routes& routes,
                                const preempt::BsrTree& tree) {
  std::vector<std::uint8_t> seen(graph.switches(), 0);
  const auto follow = [&](const auto& self, SwitchId at, std::uint32_t to) -> void {
    seen[at] = 1;
    if (graph.nodes() + at == to) return;
    for (std::uint32_t p = 0; p < graph.ports(at); ++p)
      if (routes.mask(at, to) >> p & 1) self(self, graph.peer(at, p).id, to);
  };
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    seen[s] |= tree.switches[s].in_tree;
    if (!tree.switches[s].parent) continue;
    follow(follow, s, graph.nodes() + *tree.switches[s].parent);
    follow(follow, *tree.switches[s].parent, graph.nodes() + s);
  }
  return seen;
}

bool meet(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  for (std::size_t s = 0; s < a.size(); ++s)
    if (a[s] != 0 && b[s] != 0) return true;
  return false;
}

TEST_CASE("a group that does not use the link keeps every message, in every cycle",
          "[workload][preempt][links][random]") {
  const std::uint64_t seed = muster_seed();
  int compared = 0;
  for (std::uint64_t trial = 0; trial < 400 && compared < 12; ++trial) {
    CAPTURE(trial);
    const Subject subject(topology::generate_irregular(
        {.switches = 24, .nodes = 48, .ports = 8, .connectivity = 0.7, .seed = seed + trial}));
    RunSpec spec = bsr(subject, kBsrSchemes[trial % 3], {"random:3", "random:3"}, 40);
    spec.groups[0].members = topology::parse_group(subject.graph, "random:3", seed + 2 * trial);
    spec.groups[1].members = topology::parse_group(subject.graph, "random:3", seed + 2 * trial + 1);
    const auto tree = [&](std::uint32_t g) {
      return preempt::build_bsr_tree(subject.graph, subject.routes, spec.groups[g].members,
                                     center_of(spec, g));
    };
    const preempt::BsrTree moved = tree(0), other = tree(1);
    const auto mine = reach(subject.graph, subject.routes, other);
    if (moved.edges == 0 || other.edges == 0) continue;
    std::optional<KilledLink> link;
    try {
      link = link_of(spec, 0, 700);
    } catch (const InternalError&) {
      continue;
    }
    const topology::Graph rest = topology::without_link(subject.graph, link->a, link->b);
    const auto levels = topology::up_down_levels(subject.graph);
    auto kept = levels;
    const topology::Routes next = preempt::routes_left(rest, subject.routes, kept);
    if (kept != levels) continue;  // new levels may change any entry
    // Groups that share switches get in each other's way, whatever links do.
    if (meet(mine, reach(subject.graph, subject.routes, moved))) continue;
    if (meet(mine, reach(rest, next, moved))) continue;
    const fabric::Layout layout(subject.graph);
    test::BsrDigest before(layout, 1), after(layout, 1);
    RunSpec without = spec, with = spec;
    without.observers.push_back(test::kept(before));
    with.observers.push_back(test::kept(after));
    with.killed = {*link};
    const RunResult quiet = run_barriers(without), killed = run(with);
    REQUIRE(own<preempt::Cost>(killed).changes.size() == 1);
    CHECK(own<preempt::Cost>(killed).changes[0].group == 0);
    CHECK(before.messages > 100);
    CHECK(after.messages == before.messages);
    CHECK(after.sum == before.sum);
    for (std::size_t b = 0; b < quiet.barriers.size(); ++b)
      if (quiet.barriers[b].group == 1)
        CHECK(quiet.barriers[b].latency_cycles == killed.barriers[b].latency_cycles);
    ++compared;
  }
  CHECK(compared == 12);
}

TEST_CASE("links that cannot die are refused before the first cycle",
          "[workload][preempt][links]") {
  const KilledLink once{{3, 2}, {6, 1}, 100}, again{{3, 2}, {6, 1}, 200};
  const Subject subject = Subject::figure1();
  const auto refuses = [&](const char* scheme, const std::vector<KilledLink>& killed,
                           const char* token, std::optional<CongestionSpec> congestion = {}) {
    RunSpec spec = bsr(subject, scheme, {"paper"});
    spec.killed = killed;
    spec.congestion = congestion;
    CHECK_THROWS_WITH(run_barriers(spec), Contains(token));
  };
  refuses("bsr-2", {{{2, 0}, {8, 0}, 100}}, "--kill-link: without link 2:0-8:0 nothing joins");
  refuses("bsr-2", {once, again}, "--kill-link: there is no link 3:2-6:1");
  refuses("bsr-2", {once}, "--congestion: --kill-link also", CongestionSpec{1, 10});
  refuses("unicast", {once}, "'unicast' cannot route around");
}

}  // namespace
}  // namespace muster::preempt
