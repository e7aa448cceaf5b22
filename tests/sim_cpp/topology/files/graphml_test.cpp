// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/seed.hpp"
#include "topology/files/file_formats.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

std::string graphml_error(const std::string& content) {
  try {
    parse_graphml(content, "net");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
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

}  // namespace

TEST_CASE("what is written as GraphML reads back as the same network", "[topology][graphml]") {
  Rng rng(muster_seed(), 23);
  CAPTURE(muster_seed());
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

TEST_CASE("the largest networks fit into a file", "[topology][graphml]") {
  Graph graph = generate_irregular({16384, 65536, 16, 1.0, 1, RandomModel::kAttachment});
  CHECK(to_graphml(graph).size() < kMaxFileBytes);
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
  REQUIRE(graphml_error(graphml(kPair + link + node)).empty());
  CHECK_THAT(graphml_error("<graphml>\n<graph"),
             Catch::StartsWith("net: line 2: ") && Catch::EndsWith("fix the XML at this position"));
  CHECK(graphml_error("<html/>") ==
        "net: line 1: \"html\" found where <graphml> is expected; is it the right file?");
  CHECK(graphml_error("<graphml>\n</graphml>") ==
        "net: line 1: there is no <graph>; is the file complete?");
  CHECK(graphml_error("<graphml><graph edgedefault='undirected'/>\n<graph/></graphml>") ==
        "net: line 2: a second graph; a network is one graph");
  CHECK(graphml_error("<graphml>\n<graph/></graphml>") ==
        "net: line 2: <graph> has no edgedefault; add it");
  CHECK(
      graphml_error("<graphml><graph edgedefault='directed'/></graphml>") ==
      "net: line 1: the graph is directed, but links have both directions; write it as undirected");
  CHECK(graphml_error("<graphml><key/><graph edgedefault='undirected'/></graphml>") ==
        "net: line 1: <key> has no id; add it");
  CHECK(graphml_error(graphml("")) ==
        "net: switches: the list is empty; a network has at least one");
  CHECK(graphml_error(graphml("<node/>")) == "net: line 4: <node> has no id; add it");
  CHECK(graphml_error(graphml("<node id='a'/>\n<node id='a'/>")) ==
        "net: line 5: vertex \"a\" is defined twice; rename one");
  CHECK(graphml_error(graphml("<node id='a'><data key='q'/></node>")) ==
        "net: line 4: key \"q\" is not declared; add a <key> with this id");
  CHECK(graphml_error(graphml("<node id='a'><data key='k'>hub</data></node>")) ==
        "net: line 4: kind: \"hub\" is not known; write switch or node");
  CHECK(graphml_error(graphml("<node id='a'><data key='p'>17</data></node>")) ==
        "net: line 4: ports: \"17\" is not possible; write a whole number from 1 to 16");
  CHECK(graphml_error(graphml("<node id='a'><graph edgedefault='undirected'/></node>")) ==
        "net: line 4: a graph inside a vertex is not a network; remove it");
  CHECK(graphml_error(graphml(kPair + "<node id='c'/>")) ==
        "net: line 7: vertex \"c\" has no kind, but others do; write switch or node");
  CHECK(graphml_error(graphml(kPair + "<edge source='a'/>")) ==
        "net: line 7: <edge> has no target; add it");
  CHECK(graphml_error(graphml(kPair + "<edge source='a' target='c'/>")) ==
        "net: line 7: vertex \"c\" does not exist; add it or correct the edge");
  CHECK(graphml_error(graphml(kPair + "<edge source='b' target='b'/>")) ==
        "net: line 7: the edge joins \"b\" to itself; remove it");
  CHECK(graphml_error(graphml(kPair + "<edge source='x' target='x'/>")) ==
        "net: line 7: the edge joins two nodes; a node is connected to a switch");
  CHECK(graphml_error(graphml(kPair + link + node + "\n" + node)) ==
        "net: line 9: node \"x\" has a second edge; a node has one port");
  CHECK(graphml_error(graphml(kPair + link)) ==
        "net: line 5: node \"x\" has no edge; connect it to a switch");
  CHECK(graphml_error(graphml(kPair + "<edge source='a' target='b' directed='true'/>")) ==
        "net: line 7: the edge is directed, but links have both directions; remove the attribute");
  CHECK(graphml_error(graphml(kPair + "<hyperedge/>")) ==
        "net: line 7: a hyperedge is not a link; a link joins two switches");
  CHECK(graphml_error(graphml(kPair + "<edge source='a' target='b'><data key='l'>1.5</data>"
                                      "</edge>")) ==
        "net: line 7: latency: \"1.5\" is not possible; write a whole number from 1 to 255");
  CHECK(graphml_error(graphml(kPair + link +
                              "<edge source='a' target='x'><data key='s'>1</data>"
                              "</edge>")) ==
        "net: line 8: source_port and target_port are given for some edges only; give them for all "
        "switches or none");
  CHECK(graphml_error(graphml(
            kPair + "<edge source='a' target='b'><data key='s'>1</data><data key='t'>1</data>"
                    "</edge>\n<edge source='a' target='x'><data key='s'>1</data></edge>")) ==
        "net: line 8: port 0:1 is used twice; give every link and node its own port");
  CHECK(graphml_error(graphml(kPair + node)) ==
        "net: links: the network is not connected, switch 1 cannot be reached from switch 0; add a "
        "link or remove the switch");
  CHECK(graphml_error(graphml("<data key='g'>n5</data>" + kPair + link + node)) ==
        "net: line 3: node n5 does not exist; the network has n0 to n0");
  CHECK_THAT(graphml_error(graphml("<data key='a'>a&#1;</data>" + kPair + link + node)),
             Catch::Contains("line 3: name: \"a?\" has an unprintable character"));
}
