// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "sim_cpp/run/run_fixture.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets {
namespace {

using List = std::vector<std::uint32_t>;

TEST_CASE("eight members, the third the root: by distances of 4, 2 and 1 in cyclic order",
          "[barrier][tree]") {
  const topology::Graph graph = topology::generate_mesh(4, 2);
  std::vector<topology::NodeId> all{0, 1, 2, 3, 4, 5, 6, 7};
  const BinomialTree tree = plan_binomial_tree(graph, all, 2);
  CHECK(tree.root == 2);
  CHECK(tree.children[2] == List{6, 4, 3});
  CHECK(tree.children[6] == List{0, 7});
  CHECK(tree.children[0] == List{1});
  CHECK(tree.children[4] == List{5});
  CHECK(tree.parent == List{6, 0, 2, 2, 2, 4, 2, 6});
}

TEST_CASE("members of a switch are side by side, and all are reached in log2 n steps",
          "[barrier][tree]") {
  topology::Graph graph;  // nodes alternate between three switches
  for (int s = 0; s < 3; ++s) graph.add_switch(8);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (std::uint32_t n = 0; n < 15; ++n) graph.add_node({n % 3, 2 + n / 3});
  for (std::uint32_t count = 1; count <= 15; ++count) {
    CAPTURE(count);
    std::vector<topology::NodeId> members;
    for (std::uint32_t n = 0; n < count; ++n) members.push_back(n);
    const BinomialTree tree = plan_binomial_tree(graph, members, count / 2);
    std::uint32_t edges = 0;
    for (std::uint32_t m = 0; m < count; ++m) {
      // Told in the step after the parent's, counted by its earlier children.
      std::uint32_t steps = 0, at = m;
      for (; at != tree.root; at = tree.parent[at]) {
        const auto& siblings = tree.children[tree.parent[at]];
        const auto place = std::find(siblings.begin(), siblings.end(), at);
        REQUIRE(place != siblings.end());
        steps += static_cast<std::uint32_t>(place - siblings.begin()) + 1;
      }
      CHECK(steps <= static_cast<std::uint32_t>(std::bit_width(count - 1)));
      edges += static_cast<std::uint32_t>(tree.children[m].size());
    }
    CHECK(edges == count - 1);
  }
  const std::vector<topology::NodeId> all{0, 1, 2, 3, 4, 5, 6, 7};
  // By switch: 0 3 6, 1 4 7, 2 5; the odd places are told by their neighbour.
  const BinomialTree tree = plan_binomial_tree(graph, all, 0);
  CHECK(tree.parent == List{0, 6, 4, 0, 0, 2, 0, 4});
}

/// The schemes `tree` and `star`, and congestion.

using namespace run;

/// Of three nodes of a switch, the first the root of both others: an arrival of three flits, two
/// that follow each other, and as many releases.
TEST_CASE("three members on one switch", "[workload][tree]") {
  const test::Subject subject(test::star(3));
  for (const char* scheme : {"tree", "star"}) {
    RunSpec spec = subject.by(scheme, {"all"});
    spec.config = configuration("sw8");
    spec.config->depth = 16;
    spec.spread = 0;
    spec.barriers = 3;
    const RunResult result = test::passes(spec);
    for (const BarrierRecord& b : result.barriers)
      CHECK(b.hops == (scheme == std::string("tree") ? 12 : 8));
    // One way is 1 + (L + 3) + (L - 1) + 2 cycles. The second arrival is three behind the first,
    // the second release, whose route is read once the first has left its queue, four.
    CHECK(result.barriers[0].latency_cycles == 2 * 7 + 3 + 4);
  }
}

TEST_CASE("a host's times are paid once by each member in each barrier", "[workload][profile]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  for (const char* scheme : {"tree", "star", "bsr-1", "btin"}) {
    CAPTURE(scheme);
    const auto latency = [&](const char* profile) {
      RunSpec spec = subject.by(scheme, {"all"});
      spec.spread = 0;
      spec.barriers = 1;
      spec.profile = find_profile(profile);
      return test::passes(spec).barriers.at(0).latency_cycles;
    };
    CHECK(latency("ts-100") == latency("native") + 100);
    CHECK(latency("ts-1000") == latency("native") + 1000);
  }
}

TEST_CASE("held links hold packets, not barrier messages that preempt or never queue",
          "[workload][congestion]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  const auto latency = [&](const char* scheme, std::uint64_t cycles) {
    RunSpec spec = subject.by(scheme, {"random:9"});
    spec.spread = 0;
    spec.barriers = 8;
    spec.congestion = CongestionSpec{3, cycles};
    CAPTURE(scheme, cycles);
    return test::completes(spec).latency_mean;
  };
  for (const char* scheme : {"tree", "star", "tree-units"})
    CHECK(latency(scheme, 2000) > latency(scheme, 0) + 1500);
  CHECK(latency("btin", 2000) == latency("btin", 0));
  for (const char* scheme : {"bsr-1", "bsr-2"}) {  // a padding request, and a guard here and there
    CHECK(latency(scheme, 2000) > latency(scheme, 0));
    CHECK(latency(scheme, 2000) < latency(scheme, 0) + 20);
  }
  // Nothing is in the channels that III could follow; but they are free.
  CHECK(latency("bsr-3", 2000) > latency("bsr-3", 0) + 1500);
}

TEST_CASE("data that is held comes through afterwards, past all checkers",
          "[workload][congestion][random]") {
  const std::uint64_t seed = muster_seed();
  for (const char* scheme : {"tree", "btin", "multicast", "bsr-1", "bsr-2", "bsr-3"}) {
    CAPTURE(scheme);
    const test::Subject subject(topology::generate_irregular(
        {.switches = 20, .nodes = 30, .ports = 6, .connectivity = 0.8, .seed = seed}));
    RunSpec spec = subject.by(scheme, {"random:12", "random:5"}, seed);
    spec.load_flits = 0.2 * subject.route_bound();
    spec.min_cycles = 20'000;
    spec.congestion = CongestionSpec{3, 1500};
    CHECK(test::completes(spec).data->delivered > 100);
  }
}

}  // namespace

}  // namespace muster::packets
