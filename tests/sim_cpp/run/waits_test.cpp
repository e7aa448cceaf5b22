// SPDX-License-Identifier: Apache-2.0
#include "run/waits.hpp"

#include "muster/fabric/barrier_registers.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "systems/btin/tree.hpp"

namespace muster::run {
namespace {

TEST_CASE("the longest wait of a barrier message among data is its bound", "[workload][waits]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  RunSpec spec = subject.spec({"all"}, muster_seed());
  spec.load_flits = 1.5 * subject.route_bound();
  spec.barriers = 100;
  const RunResult result = test::passes(spec);
  REQUIRE(result.waits);
  CHECK(result.waits->barrier_bound == 3);
  CHECK(result.waits->longest_barrier == 3u);
}

TEST_CASE("a link whose buffers do not cover its credit loop is busier by so much",
          "[workload][waits]") {
  const test::Subject subject(test::star(4, 8));
  RunSpec spec = subject.spec({"all"});
  fabric::SwitchConfig config = run::configuration("sw8");
  spec.load_flits = 0.1;
  config.depth = 18;  // 2 * 8 + 2
  CHECK(utilisation(spec, config) == Approx(0.1));
  config.depth = 4;
  CHECK(utilisation(spec, config) == Approx(0.1 * 18 / 4));
}

TEST_CASE("waits on calm random networks stay well below their bounds", "[workload][waits]") {
  std::uint64_t longest_barrier = 0;  // none where all groups have one member
  for (std::uint64_t i = 0; i < 10; ++i) {
    test::RandomRun run(muster_seed() + 5, i, 40);
    run.spec.load_flits *= 0.3 / run.load;
    run.spec.min_cycles = 5000;
    CAPTURE(i, run.text());
    const RunResult result = test::passes(run.spec);
    REQUIRE(result.waits);
    REQUIRE(utilisation(run.spec, result.config) <= kCalm);
    CHECK(result.waits->longest_packet > 0);
    CHECK(result.waits->longest_packet < result.waits->packet_bound / 2);
    const std::uint64_t longest = result.waits->longest_barrier.value_or(0);
    longest_barrier = std::max(longest_barrier, longest);
    CHECK(longest <= result.waits->barrier_bound);
  }
  CHECK(longest_barrier > 0);
}

/// A run on Figure 1 in which no credit comes back from cycle 1000 on.
RunResult stopped(double load) {
  RunSpec spec = test::figure1().spec({"all"});
  spec.load_flits = load * test::figure1().route_bound();
  spec.barriers = 1000;
  // A sender without credits stalls; nothing is lost that another checker would miss.
  for (core::ChannelId c = 0; c < 2 * test::figure1().graph.links().size(); ++c)
    spec.stopped.push_back({c, 1000, false, true});
  return run_barriers(spec);
}

TEST_CASE("where credits have stopped a packet is soon overdue, and barrier messages go on",
          "[workload][waits]") {
  CHECK(stopped(0.0).violations.empty());
  const RunResult result = stopped(0.3);
  CHECK_THAT(test::breach_of(result), Contains("checker bounded waits"));
  CHECK(result.cycles < 1000 + 20 * result.waits->packet_bound);
}

using namespace topology;

/// Two groups of a line of three switches, a node on each: 0 - 1 - 2, nodes on the last port.
Graph line() {
  Graph graph;
  for (int s = 0; s < 3; ++s) graph.add_switch(4);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (SwitchId s = 0; s < 3; ++s) graph.add_node({s, 3});
  return graph;
}

std::vector<btin::RegisterImage> images_of(const Graph& graph, const std::vector<NodeId>& members,
                                           std::uint32_t gid, bool reflect) {
  return btin::register_images(btin::plan_tree(graph, members), gid, reflect);
}

std::string cycle_of(const Graph& graph, const std::vector<btin::RegisterImage>& images) {
  return run::WaitGraph(graph, muster::topology::routes_for(graph), images).cycle();
}

TEST_CASE("barriers of many groups on random networks wait for nothing that waits for them",
          "[waits][random]") {
  for (std::uint64_t i = 0; i < 100; ++i) {
    CAPTURE(i);
    muster::Random rng(muster_seed(), i);
    const Graph graph = random_network(rng);
    std::vector<btin::RegisterImage> images;
    for (std::uint32_t gid = 0; gid < 20; ++gid) {
      const auto more = images_of(graph, random_group(graph, rng), gid, rng.below(2) != 0);
      images.insert(images.end(), more.begin(), more.end());
    }
    CHECK(cycle_of(graph, images) == "");
  }
}

TEST_CASE("registers that name each other as children are a dependency cycle", "[waits]") {
  const Graph graph = line();
  auto images = images_of(graph, {0, 1, 2}, 5, false);
  CHECK(cycle_of(graph, images).empty());
  // The root is switch 1; its child 0 now takes it for a child of its own.
  REQUIRE(images[0].sw == 1);
  REQUIRE(images[1].sw == 0);
  images[1].child_mask |= 1;
  CHECK_THAT(cycle_of(graph, images),
             Contains("group 5 up at switch 0") && Contains("group 5 up at switch 1"));
}

TEST_CASE("a distribution that comes back to its own switch is a dependency cycle", "[waits]") {
  const Graph graph = line();
  auto images = images_of(graph, {0, 1, 2}, 5, false);
  images[0].parent_port = 1;  // of the root switch: towards its child 2
  CHECK_THAT(cycle_of(graph, images),
             Contains("group 5 down at switch 1") && Contains("group 5 down at switch 2"));
}

TEST_CASE("routes with a loop are found with registers as without", "[waits]") {
  Graph ring;
  for (int s = 0; s < 3; ++s) ring.add_switch(3);
  for (SwitchId s = 0; s < 3; ++s) ring.add_link({s, 0}, {(s + 1) % 3, 1});
  for (SwitchId s = 0; s < 3; ++s) ring.add_node({s, 2});
  muster::topology::Routes clockwise(3, ring.destinations());
  for (SwitchId s = 0; s < 3; ++s)
    for (std::uint32_t d = 0; d < ring.destinations(); ++d)
      clockwise.set(s, d, d == s ? 4 : d == s + 3 ? 0 : 1);
  const auto images = images_of(ring, {0, 1, 2}, 0, true);
  CHECK_THAT(run::WaitGraph(ring, clockwise, images).cycle(), Contains("channel 0:0"));
}

TEST_CASE("a register that names an open port or a switch without a register is refused",
          "[waits]") {
  const Graph graph = line();
  const auto refused = [&](const char* token, auto&& change) {
    auto images = images_of(graph, {0, 1, 2}, 5, false);
    change(images);
    CHECK_THROWS_WITH(cycle_of(graph, images), Contains(token));
  };
  refused("child port 2 of switch 1 is open", [](auto& images) { images[0].child_mask |= 1 << 2; });
  refused("parent port 2 of switch 0 is open", [](auto& images) { images[1].parent_port = 2; });
  refused("which has no register", [](auto& images) { images.pop_back(); });
}

}  // namespace
}  // namespace muster::run
