// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

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

}  // namespace

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
