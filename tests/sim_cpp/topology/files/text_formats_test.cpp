// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"

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
                    Contains("switches 0 and 1 have two links"));
}

namespace {

const std::string kLeaf = "Switch 4 \"S-1\" # \"leaf\" base port 0 lid 1 lmc 0\n";
const std::string kHost = "[1] \"H-a\"[1](b) # \"host\" lid 2 4xEDR\n";

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

/// A file with these keys and this graph, which begins at line 3.
std::string graphml(const std::string& graph) {
  return "<graphml><key id='k' for='node' attr.name='kind'/><key id='p' attr.name='ports'/>"
         "<key id='s' attr.name='source_port'/>\n<key id='t' attr.name='target_port'/>"
         "<key id='l' attr.name='latency'/><key id='g' for='graph' attr.name='group two'/>"
         "<key id='a' for='graph' attr.name='name'/>\n<graph edgedefault='undirected'>\n" +
         graph + "\n</graph></graphml>";
}

const std::string kPair =
    "<node id='a'><data key='k'>switch</data></node>\n"
    "<node id='x'><data key='k'> node </data></node>\n"
    "<node id='b'><data key='k'>switch</data></node>\n";

TEST_CASE("what is written as GraphML reads back as the same network", "[topology][graphml]") {
  Random rng(muster_seed(), 23);
  std::vector<Graph> graphs{ready_network("figure1.json"), generate_mesh(4, 3, 2),
                            generate_fat_tree(4, 3, 2), generate_complete(1, 3)};
  for (int i = 0; i < 100; ++i) graphs.push_back(random_multigraph(rng));
  for (int i = 0; i < 30; ++i) graphs.push_back(generate_irregular(random_spec(rng)));
  graphs[0].note = "Two lines:\n<a> & \"b\" \t' é";
  graphs[1].name = " ";
  graphs[0].switch_names = {{0, "s0"}, {3, "<spine> & \"é\""}};
  graphs[0].node_names = {{25, "n1"}};
  for (const Graph& graph : graphs) {
    const std::string text = to_graphml(graph);
    CAPTURE(text);
    REQUIRE(parse_graphml(text, "x") == graph);
    REQUIRE(parse_topology(text, "x") == graph);
  }
}

TEST_CASE("a graph of switches alone gets a node on each", "[topology][graphml]") {
  const Graph graph = parse_graphml(
      "<?xml version='1.0'?><graphml xmlns='http://graphml.graphdrawing.org/xmlns'>"
      "<key attr.name='label' attr.type='string' for='node' id='d0'/>"
      "<graph edgedefault='undirected'><node id='0'><data key='d0'>Aachen</data></node>"
      "<node id='7'/><node id='2'/><edge source='7' target='2'/><edge source='0' target='7'/>"
      "</graph></graphml>",
      "net");
  CHECK(graph.switches() == 3);
  CHECK(graph.links() == std::vector<Link>{{{0, 0}, {1, 0}, 1}, {{1, 1}, {2, 0}, 1}});
  CHECK(graph.node_list() == std::vector<Node>{{{0, 1}, 1}, {{1, 2}, 1}, {{2, 1}, 1}});
}

TEST_CASE("a vertex is called as its name, label or identifier says", "[topology][graphml]") {
  const Graph graph = parse_graphml(
      "<graphml><key id='d0' attr.name='label' for='node'/><key id='d1' attr.name='name' "
      "for='node'/><graph edgedefault='undirected'>"
      "<node id='a'><data key='d0'>Aachen</data><data key='d1'>\n Bonn </data></node>"
      "<node id='b'><data key='d0'>Celle</data></node><node id='Daun'/>"
      "<node id='7'/><node id='n7'/><node id='s7'/><node id='sn7'/>"
      "<edge source='a' target='b'/><edge source='a' target='Daun'/><edge source='a' target='7'/>"
      "<edge source='a' target='n7'/><edge source='a' target='s7'/><edge source='a' target='sn7'/>"
      "</graph></graphml>",
      "net");
  CHECK(graph.switch_names ==
        std::map<SwitchId, std::string>{{0, "Bonn"}, {1, "Celle"}, {2, "Daun"}, {6, "sn7"}});
  CHECK(graph.node_names.empty());
  CHECK(parse_graphml(graphml(kPair + "<edge source='x' target='b'/><edge source='b' target='a'/>"),
                      "net")
            .node_names == std::map<NodeId, std::string>{{0, "x"}});
}

TEST_CASE("vertices of both kinds may be mixed and edges told either way round",
          "[topology][graphml]") {
  const Graph without =
      parse_graphml(graphml(kPair + "<edge source='x' target='b'><data key='l'>3</data></edge>"
                                    "<edge source='b' target='a'/>"),
                    "net");
  CHECK(without.links() == std::vector<Link>{{{0, 0}, {1, 0}, 1}});
  CHECK(without.node_list() == std::vector<Node>{{{1, 1}, 3}});
  const Graph with = parse_graphml(
      graphml("<data key='a'>pair</data><data key='g'>n0</data>" + kPair +
              "<edge source='x' target='b'><data key='t'>5</data></edge>"
              "<edge source='b' target='a'><data key='t'>2</data><data key='s'>0</data></edge>"),
      "net");
  CHECK(with.name == "pair");
  CHECK(with.links() == std::vector<Link>{{{1, 0}, {0, 2}, 1}});
  CHECK(with.node_list() == std::vector<Node>{{{1, 5}, 1}});
  CHECK(with.ports(0) == 3);
  CHECK(with.ports(1) == 6);
  CHECK(with.groups.at("two") == std::vector<NodeId>{0});
}

TEST_CASE("a wrong GraphML file gives one line with its number", "[topology][graphml]") {
  const std::string link = "<edge source='a' target='b'/>\n",
                    node = "<edge source='a' target='x'/>";
  REQUIRE_NOTHROW(parse_graphml(graphml(kPair + link + node), "net"));
  check_refused(
      parse_graphml,
      {{"<graphml>\n<graph", "line 2", "fix the XML at this position"},
       {"<html/>", "line 1", "\"html\" found where <graphml> is expected"},
       {"<graphml>\n</graphml>", "line 1", "there is no <graph>"},
       {"<graphml><graph edgedefault='undirected'/>\n<graph/></graphml>", "line 2",
        "a second graph"},
       {"<graphml>\n<graph/></graphml>", "line 2", "<graph> has no edgedefault"},
       {"<graphml><graph edgedefault='directed'/></graphml>", "line 1", "the graph is directed"},
       {"<graphml><key/><graph edgedefault='undirected'/></graphml>", "line 1", "<key> has no id"},
       {graphml(""), "switches", "the list is empty"},
       {graphml("<node/>"), "line 4", "<node> has no id"},
       {graphml("<node id='a'/>\n<node id='a'/>"), "line 5", "\"a\" is defined twice"},
       {graphml("<node id='a'><data key='q'/></node>"), "line 4", "\"q\" is not declared"},
       {graphml("<node id='a'><data key='k'>hub</data></node>"), "line 4", "kind: \"hub\""},
       {graphml("<node id='a'><data key='p'>65</data></node>"), "line 4", "ports: \"65\""},
       {graphml("<node id='a'><graph edgedefault='undirected'/></node>"), "line 4",
        "a graph inside a vertex"},
       {graphml(kPair + "<node id='c'/>"), "line 7", "\"c\" has no kind, but others do"},
       {graphml(kPair + "<edge source='a'/>"), "line 7", "<edge> has no target"},
       {graphml(kPair + "<edge source='a' target='c'/>"), "line 7", "\"c\" does not exist"},
       {graphml(kPair + "<edge source='b' target='b'/>"), "line 7", "joins \"b\" to itself"},
       {graphml(kPair + "<edge source='x' target='x'/>"), "line 7", "joins two nodes"},
       {graphml(kPair + link + node + "\n" + node), "line 9", "\"x\" has a second edge"},
       {graphml(kPair + link), "line 5", "\"x\" has no edge"},
       {graphml(kPair + "<edge source='a' target='b' directed='true'/>"), "line 7",
        "the edge is directed"},
       {graphml(kPair + "<hyperedge/>"), "line 7", "a hyperedge"},
       {graphml(kPair + "<edge source='a' target='b'><data key='l'>1.5</data></edge>"), "line 7",
        "latency: \"1.5\""},
       {graphml(kPair + link + "<edge source='a' target='x'><data key='s'>1</data></edge>"),
        "line 8", "source_port and target_port are given for some edges only"},
       {graphml(kPair +
                "<edge source='a' target='b'><data key='s'>1</data><data key='t'>1</data></edge>\n"
                "<edge source='a' target='x'><data key='s'>1</data></edge>"),
        "line 8", "port 0:1 is used twice"},
       {graphml(kPair + node), "links", "switch 1 cannot be reached from switch 0"},
       {graphml("<data key='g'>n5</data>" + kPair + link + node), "line 3",
        "node n5 does not exist; the network has n0 to n0"},
       {graphml("<data key='a'>a&#1;</data>" + kPair + link + node), "line 3",
        "name: \"a?\" has an unprintable character"}});
}

}  // namespace
