// SPDX-License-Identifier: Apache-2.0
#include "topology/files/anynet.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

std::string anynet_error(const std::string& content) {
  try {
    parse_anynet(content, "net");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an anynet file gives ports to links by neighbour, then to nodes", "[topology][anynet]") {
  const Graph graph = parse_anynet(
      "router 0 node 1 router 2 7 router 1\n"
      "\n"
      "router 2  node 3 4\trouter 1\r\n"
      "router 1 node 2 node 0",
      "net");
  REQUIRE(graph.switches() == 3);
  CHECK(graph.links() ==
        std::vector<Link>{{{0, 0}, {1, 0}, 1}, {{0, 1}, {2, 0}, 7}, {{1, 1}, {2, 1}, 1}});
  CHECK(graph.node_list() == std::vector<Node>{{{1, 2}, 1}, {{0, 2}, 1}, {{1, 3}, 1}, {{2, 2}, 4}});
  CHECK(graph.ports(0) == 3);
  CHECK(graph.ports(1) == 4);
}

TEST_CASE("both ends may name a connection, a node line may too", "[topology][anynet]") {
  const Graph graph = parse_anynet(
      "router 0 router 1 3\nrouter 1 router 0\nnode 0 router 0 2\nrouter 0 node 0 2\n"
      "node 1 router 1",
      "net");
  CHECK(graph.links() == std::vector<Link>{{{0, 0}, {1, 0}, 3}});
  CHECK(graph.node_list() == std::vector<Node>{{{0, 1}, 2}, {{1, 1}, 1}});
}

TEST_CASE("a wrong anynet file gives one line with its number", "[topology][anynet]") {
  CHECK(anynet_error("router 0 node 0\nrouter 1 nod 1") ==
        "net: line 2: \"nod\" found where \"router\" or \"node\" is expected");
  CHECK(anynet_error("router 0 node 0\n\nrouter") ==
        "net: line 3: the line ends after \"router\"; add its number");
  CHECK(anynet_error("router 0 node") ==
        "net: line 1: the line ends after \"node\"; add its number");
  CHECK(anynet_error("router 0 node -1") ==
        "net: line 1: \"-1\" is not a node number; write a number from 0 to 65535");
  CHECK(anynet_error("router 65536 node 0") ==
        "net: line 1: \"65536\" is not a router number; write a number from 0 to 65535");
  CHECK(anynet_error("router 0 node 99999999999999") ==
        "net: line 1: \"99999999999999\" is not a node number; write a number from 0 to 65535");
  CHECK(anynet_error("router 0 node 0 0") ==
        "net: line 1: a latency of 0 is not possible; use 1 or more");
  CHECK(anynet_error("router 0 router 1 256") ==
        "net: line 1: \"256\" is not a latency; write a number from 0 to 255");
  CHECK(anynet_error("router 0 router 1 2 3") ==
        "net: line 1: \"3\" found where \"router\" or \"node\" is expected");
  CHECK(anynet_error("node 0 node 1") == "net: line 1: a node cannot be connected to a node");
  CHECK(anynet_error("router 3 router 3") ==
        "net: line 1: router 3 is connected to itself; name another one");
  CHECK(anynet_error("router 0 node 0\nrouter 1 node 0") ==
        "net: line 2: node 0 is connected to routers 0 and 1; keep one");
  CHECK(anynet_error("router 0 router 1 router 1") ==
        "net: line 1: a connection is named twice at the same end; name it once");
  CHECK(anynet_error("router 0 router 1 2\nrouter 1 router 0 3") ==
        "net: line 2: latency 3 here and 2 at the other end; a link has one latency");
  CHECK(anynet_error("router 0 node 0 router 2\nrouter 2") ==
        "net: router 1 is missing; number the routers 0 to 2 without gaps");
  CHECK(anynet_error("router 0 node 0 node 2") ==
        "net: node 1 is missing; number the nodes 0 to 2 without gaps");
  CHECK(anynet_error("router 0 node 0\nrouter 1 node 1") ==
        "net: links: the network is not connected, switch 1 cannot be reached from switch 0; add a "
        "link or remove the switch");
  CHECK(anynet_error("router 0 router 1") ==
        "net: nodes: the list is empty; a network has at least one");
  std::string crowd = "router 0";
  for (int n = 0; n < 17; ++n) crowd += " node " + std::to_string(n);
  CHECK(anynet_error(crowd) ==
        "net: line 1: router 0 has more than 16 connections; distribute them over more routers");
}

TEST_CASE("what is written as anynet reads back as the same network", "[topology][anynet]") {
  Rng rng(muster_seed(), 7);
  CAPTURE(muster_seed());
  for (int i = 0; i < 100; ++i) {
    // Only what the format can say: no open ports, no names.
    const Graph source = generate_irregular(random_spec(rng));
    std::vector<Edge> edges;
    for (const Link& link : source.links())
      edges.push_back({link.a.sw, link.b.sw, 1 + static_cast<std::uint32_t>(rng.below(255))});
    std::vector<Attachment> nodes;
    for (const Node& node : source.node_list())
      nodes.push_back({node.at.sw, 1 + static_cast<std::uint32_t>(rng.below(3))});
    const Graph graph = assemble(std::vector<std::uint32_t>(source.switches(), 0), edges, nodes);
    const std::string text = to_anynet(graph);
    CAPTURE(i, text);
    REQUIRE(parse_anynet(text, "x") == graph);
    REQUIRE(to_anynet(parse_anynet(text, "x")) == text);
  }
}

TEST_CASE("parallel links cannot be written as anynet", "[topology][anynet]") {
  CHECK_THROWS_WITH(to_anynet(assemble({0, 0}, {{0, 1}, {0, 1}}, {{0}})),
                    Catch::Contains("switches 0 and 1 have two links"));
}
