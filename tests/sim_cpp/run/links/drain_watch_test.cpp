// SPDX-License-Identifier: Apache-2.0
#include "run/links/drain_watch.hpp"

#include <catch2/catch.hpp>

#include "muster/topology/load_file.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"

namespace muster::run {
namespace {

class LastPacket : public core::Observer {
 public:
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& e : flits)
      if (!e.flit.sync()) last = cycle;
  }
  std::uint64_t last = 0;
};

TEST_CASE("no packet comes after the network has been found empty, each time that it is held",
          "[workload][change]") {
  btin::GroupNetwork net(topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json"), 2);
  fabric::EndpointBank& nodes = net.network->endpoints();
  DrainWatch watch(*net.network, 0);
  LastPacket packets;
  net.network->engine().observe_with(watch);
  net.network->engine().observe_with(packets);
  std::vector<topology::NodeId> all;
  for (topology::NodeId n = 0; n < net.graph.nodes(); ++n) all.push_back(n);
  net.manager->create(0, 1, all, {});
  std::uint32_t held = 0;
  for (std::uint64_t run = 1; !net.manager->settled(); run = run % 11 + 1) {
    nodes.hold_packets(false);
    for (std::uint64_t i = 0; i < run; ++i) net.network->engine().step();
    nodes.hold_packets(true);
    watch.begin(net.now());
    const std::uint64_t start = net.now();
    while (!watch.empty(net.now())) {
      REQUIRE(net.now() < start + 1000);
      net.network->engine().step();
    }
    const std::uint64_t empty = net.now();
    for (int i = 0; i < 60; ++i) net.network->engine().step();
    CAPTURE(held, start, empty);
    REQUIRE(packets.last < empty);
    ++held;
  }
  CHECK(held > 20);
}

TEST_CASE("an empty network is found empty once a flit would have passed the longest link and pipe",
          "[workload][change]") {
  const std::uint32_t pipe = GENERATE(0u, 40u);
  topology::Graph graph;
  for (int s = 0; s < 2; ++s) graph.add_switch(3);
  graph.add_link({0, 0}, {1, 0}, 9);
  graph.add_node({0, 1});
  graph.add_node({1, 1});
  btin::GroupNetwork net(graph, 2);
  DrainWatch watch(*net.network, pipe);
  net.network->engine().observe_with(watch);
  net.network->endpoints().hold_packets(true);
  watch.begin(net.now());
  const std::uint64_t start = net.now();
  while (!watch.empty(net.now())) {
    REQUIRE(net.now() < start + 1000);
    net.network->engine().step();
  }
  CHECK(net.now() - start == 9 + pipe + 2);  // delay of link and pipe, 1 to see it, and past that
}

}  // namespace
}  // namespace muster::run
