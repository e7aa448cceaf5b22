// SPDX-License-Identifier: Apache-2.0
// Golden runs whose packets change their virtual channel (topology::Phases).
#include "run/data_traffic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/thread_ranks.hpp"

namespace muster::run {
namespace {

using topology::DragonflyRoutes;

constexpr DragonflyRoutes kKinds[] = {DragonflyRoutes::kMinimal, DragonflyRoutes::kValiant};

RunSpec spec_of(const topology::Graph& graph, DragonflyRoutes kind, std::uint64_t seed = 1) {
  RunSpec spec;
  spec.graph = core::borrowed(graph);
  spec.routing = kind;
  spec.seed = seed;
  return spec;
}

/// Flits that a node gets in a cycle while all send as many as they can, long packets into deep
/// queues.
double accepted(const topology::Graph& graph, DragonflyRoutes kind, const char* pattern) {
  RunSpec spec = spec_of(graph, kind);
  spec.pattern_name = pattern;
  spec.load_flits = 1.0;
  spec.warmup = 2000;
  spec.min_cycles = 8000;
  spec.packet_length = 32;
  spec.config = resolve(spec)->config;
  spec.config->depth = 16;
  return test::passes(spec).data->accepted;
}

TEST_CASE("a packet from each node to each other arrives", "[workload][dragonfly]") {
  for (const topology::DragonflySpec& size :
       {topology::DragonflySpec{9, 4, 2, 2}, {5, 4, 2, 1}, {3, 1, 2, 2}, {4, 6, 8, 4}})
    for (const DragonflyRoutes kind : kKinds) {
      const topology::Graph graph = topology::generate_dragonfly(size);
      CAPTURE(graph.name, routing_of(spec_of(graph, kind)));
      const std::uint32_t nodes = graph.nodes();
      auto trace = std::make_shared<PacketTrace>(nodes);
      for (std::uint32_t n = 0; n < nodes; ++n)
        for (std::uint32_t i = 1; i < nodes; ++i)
          (*trace)[n].push_back({10 * i, (n + i) % nodes, 3 + i % 7});
      RunSpec spec = spec_of(graph, kind);
      spec.load_flits = offered_flits(*trace);
      spec.packets = std::move(trace);
      spec.min_cycles = 60 * nodes;
      const RunResult result = test::passes(spec);
      CHECK(result.data->delivered == std::uint64_t{nodes} * (nodes - 1));
    }
}

TEST_CASE("barriers end among data that saturate a dragonfly, by any seed",
          "[workload][dragonfly][deadlock]") {
  const std::uint64_t first = muster_seed();
  for (std::uint64_t seed = first; seed < first + 30; ++seed)
    for (const DragonflyRoutes kind : kKinds) {
      const topology::Graph graph =
          topology::generate_dragonfly({4 + static_cast<std::uint32_t>(seed % 6), 4, 2, 2});
      CAPTURE(seed, graph.name, routing_of(spec_of(graph, kind)));
      RunSpec spec = spec_of(graph, kind, seed);
      spec.groups.push_back({"all", topology::parse_group(graph, "all", seed)});
      if (seed % 3 == 1) spec.scheme = "unicast";
      spec.barriers = 3;
      spec.load_flits = 1.0;
      spec.packet_length = static_cast<std::uint32_t>(3 + seed % 14);
      spec.pattern_name = seed % 2 == 0 ? "next-group" : "uniform";
      spec.min_cycles = 2500;
      test::completes(spec);
    }
}

TEST_CASE("the groups that packets visit are the same on any number of threads and ranks",
          "[workload][dragonfly]") {
  const topology::Graph graph = topology::generate_dragonfly({});
  RunSpec spec = spec_of(graph, DragonflyRoutes::kValiant, 5);
  spec.load_flits = 0.2;
  spec.min_cycles = 1500;
  const std::string digest = test::passes(spec).digest, result = test::result_of(spec);
  for (const std::uint32_t threads : {2u, 3u})
    CHECK(test::result_with_threads(spec, threads) == result);
  CHECK(test::result_of_ranks(spec, 2) == result);
  spec.skip = false;
  CHECK(test::passes(spec).digest == digest);
  spec.seed = 6;
  CHECK(test::passes(spec).digest != digest);
}

TEST_CASE("to the next group Valiant routes carry what minimal ones cannot",
          "[workload][dragonfly][saturation]") {
  const topology::Graph graph = topology::generate_dragonfly({});
  // The textbook: 1 / (a h) where one link carries all, and the bound of Valiant's routes, (g - 2)
  // / (2 a h), of which a wormhole network with one channel in each phase gets two thirds and more.
  const double minimal = accepted(graph, DragonflyRoutes::kMinimal, "next-group");
  const double valiant = accepted(graph, DragonflyRoutes::kValiant, "next-group");
  CAPTURE(minimal, valiant);
  CHECK((minimal > 0.9 / 8 && minimal <= 1.0 / 8 + 0.001));
  CHECK((valiant > 0.66 * 7 / 16 && valiant < 7.0 / 16));
  CHECK(accepted(graph, DragonflyRoutes::kMinimal, "uniform") >
        1.3 * accepted(graph, DragonflyRoutes::kValiant, "uniform"));
}

TEST_CASE("what routes of a dragonfly do not go with is refused in a line",
          "[workload][dragonfly][bad-input]") {
  const topology::Graph graph = topology::generate_dragonfly({});
  const auto refused = [&](const char* reason, auto&& change) {
    RunSpec spec = spec_of(graph, DragonflyRoutes::kValiant);
    spec.groups.push_back({"all", topology::parse_group(graph, "all", 1)});
    change(spec);
    CHECK_THROWS_WITH(resolve(spec), Contains(reason));
  };
  refused("2 virtual channels where 3 are needed",
          [](RunSpec& s) { s.config = configuration("sw8"); });
  refused("barrier-vc own", [](RunSpec& s) {
    s.scheme = "unicast";
    s.own_barrier_vc = true;
  });
  refused("no new routes", [](RunSpec& s) { s.deaths.push_back({}); });
  refused("in multicast switches", [](RunSpec& s) { s.scheme = "multicast"; });
  refused("network interfaces", [](RunSpec& s) { s.scheme = "nic-dissemination"; });
  refused("--setup in-band", [](RunSpec& s) { own<btin::Spec>(s).in_band = true; });
  refused("--queued", [](RunSpec& s) { own<btin::Spec>(s).queued = true; });
  const topology::Graph mesh = topology::generate_mesh(3, 3);
  CHECK_THROWS_WITH(resolve(spec_of(mesh, DragonflyRoutes::kMinimal)), Contains("is no dragonfly"));
  RunSpec spec = test::figure1().spec({"all"});
  spec.load_flits = 0.1;
  spec.pattern_name = "next-group";
  CHECK_THROWS_WITH(resolve(spec), Contains("--pattern next-group: network"));
}

}  // namespace
}  // namespace muster::run
