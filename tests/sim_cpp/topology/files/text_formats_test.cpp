// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/random.hpp"

using namespace muster;
using namespace muster::topology;

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
  std::string crowd = "router 0";
  for (int n = 0; n < 65; ++n) crowd += " node " + std::to_string(n);
  check_refused(parse_anynet,
                {{"router 0 node 0\nrouter 1 nod 1", "line 2", "\"nod\" found"},
                 {"router 0 node 0\n\nrouter", "line 3", "after \"router\"; add its number"},
                 {"router 0 node", "line 1", "after \"node\"; add its number"},
                 {"router 0 node -1", "line 1", "\"-1\" is not a node number"},
                 {"router 65536 node 0", "line 1", "\"65536\" is not a router number"},
                 {"router 0 node 99999999999999", "line 1", "\"99999999999999\" is not a node"},
                 {"router 0 node 0 0", "line 1", "a latency of 0"},
                 {"router 0 router 1 256", "line 1", "\"256\" is not a latency"},
                 {"router 0 router 1 2 3", "line 1", "\"3\" found"},
                 {"node 0 node 1", "line 1", "a node cannot be connected to a node"},
                 {"router 3 router 3", "line 1", "router 3 is connected to itself"},
                 {"router 0 node 0\nrouter 1 node 0", "line 2", "connected to routers 0 and 1"},
                 {"router 0 router 1 router 1", "line 1", "named twice at the same end"},
                 {"router 0 router 1 2\nrouter 1 router 0 3", "line 2", "latency 3 here and 2 at"},
                 {"router 0 node 0\nrouter 1 node 1", "links", "switch 1 cannot be reached"},
                 {"router 0 router 1", "nodes", "the list is empty"},
                 {crowd, "line 1", "router 0 has more than 64 connections"}});
  CHECK_THAT(refusal(parse_anynet, "router 0 node 0 router 2\nrouter 2"),
             Catch::StartsWith("net: router 1 is missing; number the routers 0 to 2"));
  CHECK_THAT(refusal(parse_anynet, "router 0 node 0 node 2"),
             Catch::StartsWith("net: node 1 is missing; number the nodes 0 to 2"));
}

TEST_CASE("what is written as anynet reads back as the same network", "[topology][anynet]") {
  Random rng(muster_seed(), 7);
  for (int i = 0; i < 100; ++i) {
    // Only what the format can say: no open ports, no names.
    const Graph source = generate_irregular(random_spec(rng));
    std::vector<Edge> edges;
    for (const Link& link : source.links())
      edges.push_back({link.a.sw, link.b.sw, 1 + rng.below(255)});
    std::vector<Attachment> nodes;
    for (const Node& node : source.node_list()) nodes.push_back({node.at.sw, 1 + rng.below(3)});
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

namespace {

const std::string kLeaf = "Switch 4 \"S-1\" # \"leaf\" base port 0 lid 1 lmc 0\n";
const std::string kHost = "[1] \"H-a\"[1](b) # \"host\" lid 2 4xEDR\n";

}  // namespace

TEST_CASE("a discovered subnet becomes switches and nodes with their names", "[topology][ibnet]") {
  const Graph graph =
      read_topology(fmt::format("{}/tests/fuzz/corpus/two-leaves.ibnet", MUSTER_SOURCE_DIR));
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
  CHECK_NOTHROW(
      parse_ibnet(kLeaf + kHost + "Ca 2 \"H-a\" # \"host\"\n[1](b) \"S-1\"[1] # lid 2\n", "net"));
  CHECK(parse_ibnet(kLeaf + kHost, "net").ports(0) == 4);
}

TEST_CASE("a large switch keeps its numbers if more than 16 ports are connected",
          "[topology][ibnet]") {
  for (const int connected : {16, 17}) {
    std::string text = "Switch 40 \"S-1\"\n";
    for (int port = 24; port < 24 + connected; ++port)
      text += fmt::format("[{}] \"H-{}\"[1]\n", port, port);
    const Graph graph = parse_ibnet(text, "net");
    CHECK(graph.ports(0) == (connected == 16 ? 16 : 40));
    CHECK(graph.node(0).at.port == (connected == 16 ? 0 : 23));
  }
}

TEST_CASE("a wrong subnet file gives one line with its number", "[topology][ibnet]") {
  std::string wide = "Switch 80 \"S-1\"\n";
  for (int port = 1; port <= 65; ++port) wide += fmt::format("[{}] \"H-{}\"[1]\n", port, port);
  check_refused(
      parse_ibnet,
      {{"\nSW 1 2\n", "line 2", "\"SW 1 2\" is not output of ibnetdiscover"},
       {kHost, "line 1", "a connection before the first Switch, Ca or Rt"},
       {"Switch x", "line 1", "a number of ports from 1 to 254 is expected at \"x\""},
       {"Switch 4 S-1", "line 1", "a device in quotes"},
       {"Switch 4 \"S-1", "line 1", "a device in quotes"},
       {"Switch 4 \"S-x1\"", "line 1", "\"S-x1\" is not a device"},
       {"Switch 4 \"H-1\"", "line 1", "\"H-1\" is of another kind"},
       {kLeaf + kLeaf, "line 2", "\"S-1\" has a section already"},
       {kLeaf + "[5] \"H-a\"[1]", "line 2", "\"S-1\" has no port 5; it has 4"},
       {kLeaf + "[0] \"H-a\"[1]", "line 2", "a port from 1 to 254 is expected at \"0]"},
       {kLeaf + "[1 \"H-a\"[1]", "line 2", "] is expected at \"\"H-a\"[1]\""},
       {kLeaf + "[1] \"H-a\"", "line 2", "a port such as [1] is expected"},
       {kLeaf + kHost + "[1] \"H-c\"[1]", "line 3", "port 1 of \"S-1\" is connected twice"},
       {kLeaf + kHost + "[2] \"S-2\"[1]", "line 3", "switch \"S-2\" has no section"},
       {kLeaf + "[1] \"S-1\"[2]\n[2] \"S-1\"[1]", "line 2", "\"S-1\" is connected to itself"},
       {kLeaf + kHost + "[2] \"S-2\"[1]\nSwitch 4 \"S-2\"\n", "line 3",
        "\"S-2\" does not list its port 1 as connected to port 2 of \"S-1\""},
       {"Ca 1 \"H-a\"\n[1] \"H-b\"[1]", "line 2",
        "\"H-a\" and \"H-b\" are connected to each other"},
       {"Ca 1 \"H-a\"\n", "switches", "the list is empty"},
       {kLeaf, "nodes", "the list is empty"},
       {kLeaf + kHost + "Switch 4 \"S-2\"", "links", "not connected"},
       {wide, "line 1", "\"S-1\" has 65 connected ports; 64 are possible"}});
}
