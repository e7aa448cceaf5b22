// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/group_spec.hpp"

#include "sim_cpp/topology/sample_networks.hpp"

using namespace muster;
using namespace muster::topology;

TEST_CASE("a group is all, a list, or a name of the file", "[topology][group]") {
  const Graph graph = ready_network("figure1.json");
  CHECK(parse_group(graph, "all", 1).size() == 26);
  CHECK(parse_group(graph, "0:3", 1) == std::vector<NodeId>{0});
  CHECK(parse_group(graph, "3:4,0:3", 1) == std::vector<NodeId>{8, 0});
  CHECK(parse_group(graph, "n17,n0,3:4", 1) == std::vector<NodeId>{17, 0, 8});
  CHECK(parse_group(graph, "paper", 1) == graph.groups.at("paper"));
  CHECK(node_name(graph, 8) == "3:4");
}

TEST_CASE("a random group has N different nodes and follows its seed", "[topology][group]") {
  const Graph graph = ready_network("figure1.json");
  std::set<std::vector<NodeId>> seen;
  std::vector<int> times(graph.nodes(), 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto members = parse_group(graph, "random:5", seed);
    REQUIRE(members.size() == 5);
    REQUIRE(std::ranges::is_sorted(members));
    REQUIRE(std::adjacent_find(members.begin(), members.end()) == members.end());
    REQUIRE(members == parse_group(graph, "random:5", seed));
    seen.insert(members);
    for (const NodeId n : members) ++times[n];
  }
  CHECK(seen.size() > 1900);
  // 2000 * 5 / 26 = 385 times each, standard deviation 18.
  CHECK(*std::ranges::min_element(times) > 385 - 100);
  CHECK(*std::ranges::max_element(times) < 385 + 100);
  CHECK(parse_group(graph, "random:26", 3) == parse_group(graph, "all", 3));
  CHECK(parse_group(graph, "random:1", 3).size() == 1);
}

TEST_CASE("a group that cannot be is refused with its specification", "[topology][group]") {
  const Graph graph = ready_network("figure1.json");
  const auto refused = [&](const std::string& spec, const char* reason) {
    CHECK_THROWS_WITH(parse_group(graph, spec, 1),
                      Catch::StartsWith("group \"" + spec + "\": ") && Contains(reason));
    CHECK_THROWS_AS(parse_group(graph, spec, 1), InputError);
  };
  refused("", "the group is empty");
  for (const std::string place : {"0:0", "0:7", "9:0", "0:99"})
    refused(place, ("there is no node at " + place + ";").c_str());
  refused("n26", "node n26 does not exist; the network has n0 to n25");
  for (const char* list : {"0:3,3:4,0:3", "0:3,n0"}) refused(list, "node 0:3 (n0) is named twice");
  for (const char* count :
       {"random:27", "random:0", "random:", "random:-1", "random:x", "random:99999999999"})
    refused(count, "N must be 1 to 26, the nodes of the network");
  refused("papers", "the network has no group of this name; give all, random:N, a list such as");
  for (const char* list : {",", "0:3,", ",0:3", "0:3,,3:4", "0:", ":3", "0:3:4", "0", "nx,n1",
                           "0;3", "0:3 ", "-1:3", "99999999999:3", "0:99999999999"})
    refused(list, "is not a node; write");
}

TEST_CASE("A switch is written as a number or a name, and never as both", "[topology][group]") {
  Graph graph = ready_network("figure1.json");
  graph.switch_names = {{0, "sw2"}, {1, "4"}, {3, "sw3"}, {5, "spine"}, {6, "sw99"}};
  const auto parse = [&](const std::string& text) { return parse_switch(graph, text, "--root"); };
  CHECK(parse("2") == 2);
  CHECK(parse("sw0") == 0);
  CHECK(parse("sw3") == 3);
  CHECK(parse("spine") == 5);
  CHECK(parse("sw99") == 6);
  CHECK_THROWS_WITH(parse("sw2"),
                    "--root 'sw2': the number of one switch and the name of another; write 2 for "
                    "the number, 0 for the name");
  CHECK_THROWS_WITH(parse("4"),
                    "--root '4': the number of one switch and the name of another; write sw4 for "
                    "the number, sw1 for the name");
  CHECK_THROWS_WITH(parse("sw9"), "--root 'sw9': no such switch; the network has 0 to 8");
}

TEST_CASE("A node is written as a number, a place or a name", "[topology][group]") {
  Graph graph = ready_network("figure1.json");
  graph.node_names = {{0, "h1"}, {3, "n9"}, {4, "h 2"}, {5, "twin"}, {6, "twin"}, {7, "n7"}};
  CHECK(parse_group(graph, "h1", 1) == std::vector<NodeId>{0});
  CHECK(parse_group(graph, "h 2,n1,h1", 1) == std::vector<NodeId>{4, 1, 0});
  CHECK(parse_members(graph, {"n7"}) == std::vector<NodeId>{7});
  graph.switch_names = {{0, "twin"}, {3, "tor:1"}, {5, "twin"}};
  CHECK(parse_members(graph, {"tor:1:4"}) == parse_members(graph, {"3:4"}));
  for (const char* place : {"tor:1:0", "tor:1", "tor:2:4"})
    CHECK_THROWS_WITH(parse_members(graph, {place}), Contains("is not a node"));
  CHECK_THROWS_WITH(parse_members(graph, {"twin:3"}), Contains("switches 0 and 5"));
  graph.groups["h1"] = {8, 9};
  CHECK(parse_group(graph, "h1", 1) == std::vector<NodeId>{8, 9});  // a group comes first
  CHECK(parse_members(graph, {"n9"}) == std::vector<NodeId>{9});    // and a number before a name
  CHECK_THROWS_WITH(parse_group(graph, "twin,n1", 1),
                    Contains("\"twin\" is the name of nodes 5 and 6; write its number"));
  CHECK_THROWS_WITH(parse_group(graph, "h3,n1", 1), Contains("\"h3\" is not a node"));
}
