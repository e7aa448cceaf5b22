// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/topology/graph.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/seed.hpp"
#include "topology/files/file_formats.hpp"

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

using namespace muster;
using namespace muster::topology;

namespace {

std::string ibnet_error(const std::string& content) {
  try {
    parse_ibnet(content, "net");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string kLeaf = "Switch 4 \"S-1\" # \"leaf\" base port 0 lid 1 lmc 0\n";
const std::string kHost = "[1] \"H-a\"[1](b) # \"host\" lid 2 4xEDR\n";

}  // namespace

TEST_CASE("a discovered subnet becomes switches and nodes", "[topology][ibnet]") {
  const Graph graph = read_topology(
      fmt::format("{}/tests/sim_cpp/topology/files/two_leaves.ibnet", MUSTER_SOURCE_DIR));
  REQUIRE(graph.switches() == 3);
  // The spine has 36 ports and three that are connected; leaves keep their numbers, from 0.
  CHECK(graph.ports(0) == 3);
  CHECK(graph.ports(1) == 8);
  CHECK(graph.ports(2) == 8);
  CHECK(graph.links() ==
        std::vector<Link>{{{0, 0}, {2, 7}, 1}, {{0, 1}, {1, 6}, 1}, {{0, 2}, {1, 7}, 1}});
  // Adapter a has two ports, so two nodes; the router is a node.
  CHECK(graph.node_list() == std::vector<Node>{{{1, 0}, 1}, {{1, 1}, 1}, {{2, 3}, 1}, {{2, 5}, 1}});
  CHECK(parse_json(to_json(graph), "subnet") == graph);
}

TEST_CASE("switches and nodes of a subnet have the names of its comments", "[topology][ibnet]") {
  const Graph graph = read_topology(
      fmt::format("{}/tests/sim_cpp/topology/files/two_leaves.ibnet", MUSTER_SOURCE_DIR));
  CHECK(graph.switch_names ==
        std::map<SwitchId, std::string>{{0, "spine"}, {1, "leaf 0"}, {2, "leaf 1"}});
  CHECK(graph.node_names ==
        std::map<NodeId, std::string>{
            {0, "host a HCA-1"}, {1, "host # b HCA-1"}, {2, "host a HCA-1"}, {3, "router"}});
  const Graph none =
      parse_ibnet("Switch 4 \"S-1\" # lid 1 \"cut\n[1] \"H-a\"[1](b) # \"\"\n", "net");
  CHECK(none.switch_names.empty());
  CHECK(none.node_names.empty());
}

TEST_CASE("a subnet is recognized by its first line that is not a comment", "[topology][ibnet]") {
  for (const char* start : {"# x\n\nvendid=0x1\n", "Switch\t4 \"S-1\"\n", "Ca 1 \"H-1\"\n",
                            "\nChassis 3\n", "#\n# Topology file\nNon-Chassis Nodes\n"})
    CHECK(looks_like_ibnet(start));
  for (const char* start : {"", "#\n", "# router 0", "Cat 1", "SW 1 2 0x3", "Switches 4"})
    CHECK_FALSE(looks_like_ibnet(start));
  CHECK(parse_topology("# x\n" + kLeaf + kHost, "net").nodes() == 1);
}

TEST_CASE("what is not connected and adapters without a section are no fault",
          "[topology][ibnet]") {
  CHECK(ibnet_error(kLeaf + kHost).empty());
  CHECK(
      ibnet_error(kLeaf + kHost + "Ca 2 \"H-a\" # \"host\"\n[1](b) \"S-1\"[1] # lid 2\n").empty());
  CHECK(parse_ibnet(kLeaf + kHost, "net").ports(0) == 4);
}

TEST_CASE("a wrong subnet file gives one line with its number", "[topology][ibnet]") {
  CHECK(ibnet_error("\nSW 1 2\n") ==
        "net: line 2: \"SW 1 2\" is not output of ibnetdiscover; use the unchanged output, without "
        "-l or -p");
  CHECK(ibnet_error(kHost) ==
        "net: line 1: a connection before the first Switch, Ca or Rt; is the file cut?");
  CHECK(ibnet_error("Switch x") ==
        "net: line 1: a number of ports from 1 to 254 is expected at \"x\"");
  CHECK(ibnet_error("Switch 4 S-1") ==
        "net: line 1: a device in quotes such as \"S-0002c90300000001\" is expected");
  CHECK(ibnet_error("Switch 4 \"S-1") ==
        "net: line 1: a device in quotes such as \"S-0002c90300000001\" is expected");
  CHECK(ibnet_error("Switch 4 \"S-x1\"") ==
        "net: line 1: \"S-x1\" is not a device; S-, H- or R- and a GUID are expected");
  CHECK(ibnet_error("Switch 4 \"H-1\"") ==
        "net: line 1: device \"H-1\" is of another kind than its section");
  CHECK(ibnet_error(kLeaf + kLeaf) ==
        "net: line 2: device \"S-1\" has a section already; remove one");
  CHECK(ibnet_error(kLeaf + "[5] \"H-a\"[1]") ==
        "net: line 2: device \"S-1\" has no port 5; it has 4");
  CHECK(ibnet_error(kLeaf + "[0] \"H-a\"[1]") ==
        "net: line 2: a port from 1 to 254 is expected at \"0] \"H-a\"[1]\"");
  CHECK(ibnet_error(kLeaf + "[1 \"H-a\"[1]") == "net: line 2: ] is expected at \"\"H-a\"[1]\"");
  CHECK(ibnet_error(kLeaf + "[1] \"H-a\"") ==
        "net: line 2: a port such as [1] is expected at \"\"");
  CHECK(ibnet_error(kLeaf + kHost + "[1] \"H-c\"[1]") ==
        "net: line 3: port 1 of \"S-1\" is connected twice; remove one");
  CHECK(ibnet_error(kLeaf + kHost + "[2] \"S-2\"[1]") ==
        "net: line 3: switch \"S-2\" has no section; is the file cut?");
  CHECK(ibnet_error(kLeaf + "[1] \"S-1\"[2]\n[2] \"S-1\"[1]") ==
        "net: line 2: switch \"S-1\" is connected to itself; remove the connection");
  CHECK(ibnet_error(kLeaf + kHost + "[2] \"S-2\"[1]\nSwitch 4 \"S-2\"\n") ==
        "net: line 3: the section of \"S-2\" does not list its port 1 as connected to port 2 of "
        "\"S-1\"; use the output of one run");
  CHECK(ibnet_error("Ca 1 \"H-a\"\n[1] \"H-b\"[1]") ==
        "net: line 2: adapters \"H-a\" and \"H-b\" are connected to each other; only adapters at "
        "switches are nodes of a network");
  CHECK(ibnet_error("Ca 1 \"H-a\"\n") ==
        "net: switches: the list is empty; a network has at least one");
  CHECK(ibnet_error(kLeaf) == "net: nodes: the list is empty; a network has at least one");
  CHECK_THAT(ibnet_error(kLeaf + kHost + "Switch 4 \"S-2\""), Catch::Contains("not connected"));
  std::string wide = "Switch 36 \"S-1\"\n";
  for (int port = 1; port <= 17; ++port) wide += fmt::format("[{}] \"H-{}\"[1]\n", port, port);
  CHECK(ibnet_error(wide) ==
        "net: line 1: switch \"S-1\" has 17 connected ports; 16 are possible, distribute them over "
        "several switches");
}
