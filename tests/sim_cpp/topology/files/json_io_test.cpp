// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::topology;
using nlohmann::json;

namespace {

/// Two switches, one link, three nodes, one group: the smallest network that has everything.
json small() {
  return json::parse(R"({
    "schema": "muster-topology-1", "name": "small", "generator": "none", "note": "by hand",
    "mesh": {"width": 2, "height": 1},
    "switches": [{"ports": 4}, {"ports": 3, "name": " spine "}],
    "links": [{"a": [0, 0], "b": [1, 0], "latency": 2}],
    "nodes": [{"at": [0, 1]}, {"at": [0, 3], "latency": 5, "name": "host"}, {"at": [1, 1]}],
    "groups": {"some": ["0:1", "n2"]}
  })");
}

std::string json_error(const std::string& content) { return refusal(parse_json, content); }

std::string error_after(const std::function<void(json&)>& change) {
  json document = small();
  change(document);
  return json_error(document.dump());
}

/// A value that the small network gets at a place of the document (none: what is there goes), and
/// where the file is then refused, and for what.
struct Changed {
  std::string pointer;
  std::optional<json> value;
  std::string place, token;
};

void check_changed(const std::vector<Changed>& list) {
  for (const auto& [pointer, value, place, token] : list) {
    json document = small();
    const json::json_pointer at(pointer);
    if (value)
      document[at] = *value;
    else
      document[at.parent_pointer()].erase(at.back());
    CAPTURE(pointer);
    check_refused(parse_json, {{document.dump(), place, token}});
  }
}

TEST_CASE("every field of a JSON network is read", "[topology][json]") {
  const Graph graph = parse_json(small().dump(), "net.json");
  CHECK(graph.name == "small");
  CHECK(graph.generator == "none");
  CHECK(graph.note == "by hand");
  CHECK(graph.mesh == Mesh{2, 1});
  CHECK(graph.switches() == 2);
  CHECK(graph.ports(0) == 4);
  CHECK(graph.ports(1) == 3);
  CHECK(graph.links() == std::vector<Link>{{{0, 0}, {1, 0}, 2}});
  CHECK(graph.node_list() == std::vector<Node>{{{0, 1}, 1}, {{0, 3}, 5}, {{1, 1}, 1}});
  CHECK(graph.switch_names == std::map<SwitchId, std::string>{{1, "spine"}});
  CHECK(graph.node_names == std::map<NodeId, std::string>{{1, "host"}});
  CHECK(graph.groups.at("some") == std::vector<NodeId>{0, 2});
}

TEST_CASE("what is written reads back as the same network", "[topology][json]") {
  Random rng(muster_seed(), 6);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    Graph graph = i % 2 == 0 ? generate_irregular(random_spec(rng)) : random_multigraph(rng);
    graph.note = "quotes \" and \\, a line\nbreak, \xC3\xA4";
    graph.groups["one"] = {0};
    graph.groups["z-all"] = {};
    for (NodeId n = graph.nodes(); n > 0; --n) graph.groups["z-all"].push_back(n - 1);
    const std::string text = to_json(graph);
    const Graph back = parse_json(text, "x");
    REQUIRE(back == graph);
    REQUIRE(to_json(back) == text);
    if (i < 4) REQUIRE(test::valid_json(text)["nodes"].size() == graph.nodes());
  }
  const Graph mesh = generate_mesh(5, 2);
  CHECK(parse_json(to_json(mesh), "x") == mesh);
  CHECK(test::valid_json(to_json(mesh))["mesh"] == json{{"width", 5}, {"height", 2}});
  const Graph lonely = generate_complete(1, 2);
  CHECK(parse_json(to_json(lonely), "x") == lonely);
}

TEST_CASE("a wrong JSON network gives one line with file, place and reason", "[topology][json]") {
  REQUIRE_NOTHROW(parse_json(small().dump(), "net"));
  CHECK_THAT(error_after([](json& d) { d["color"] = 1; }),
             Catch::StartsWith("net: unknown field \"color\"; known are schema, name, generator"));
  for (const std::string field : {"schema", "switches", "links", "nodes"})
    CHECK_THAT(error_after([&](json& d) { d.erase(field); }),
               Catch::StartsWith("net: field \"" + field + "\" is missing; add it"));
  const std::string whole = "a whole number, 0 or more";
  check_changed(
      {{"/switches/1/size", 1, "switches[1]", "field \"size\"; known are ports, name"},
       {"/links/0/c", 1, "links[0]", "field \"c\"; known are a, b, latency"},
       {"/nodes/2/on", 1, "nodes[2]", "field \"on\"; known are at, latency, name"},
       {"/mesh/depth", 1, "mesh", "field \"depth\"; known are width, height"},
       {"/schema", "muster-topology-2", "schema", "\"muster-topology-2\" is not known"},
       {"/links/0/b", {}, "links[0]", "field \"b\" is missing"},
       {"/name", 7, "name", "number 7 instead of text in quotes"},
       {"/switches", json::object(), "switches", "object instead of a list"},
       {"/switches/0", "8", "switches[0]", "string instead of an object"},
       {"/switches/0/ports", "8", "switches[0].ports", "string instead of " + whole},
       {"/switches/0/ports", -1, "switches[0].ports", "number -1 instead of " + whole},
       {"/switches/0/ports", 4.0, "switches[0].ports", "number 4.0 instead of " + whole},
       {"/switches/0/ports", 1ull << 40, "switches[0].ports", "1099511627776 is too large"},
       {"/links/0/a", json::array({0}), "links[0].a", "a place is [switch, port]"},
       {"/links/0/a/1", json(nullptr), "links[0].a[1]", "null instead of " + whole},
       {"/groups", json::array(), "groups", "array instead of an object"},
       {"/groups/some", "0:1", "groups.\"some\"", "string instead of a list"},
       {"/groups/some/0", 1, "groups.\"some\"[0]", "number 1 instead of text in quotes"}});
}

TEST_CASE("a JSON network that makes no sense says so", "[topology][json]") {
  const auto at = [](int sw, int port) { return json::array({sw, port}); };
  const auto none = json::array();
  check_changed(
      {{"/switches/0/ports", 0, "switches[0]", "switch 0 has 0 ports; 1 to 64"},
       {"/switches/0/ports", 65, "switches[0]", "switch 0 has 65 ports; 1 to 64"},
       {"/nodes/2/at", at(1, 0), "nodes[2]", "port 1:0 is used twice"},
       {"/nodes/1/at", at(0, 1), "nodes[1]", "port 0:1 is used twice"},
       {"/links/0/b", at(2, 0), "links[0]", "switch 2 does not exist; the network has 2"},
       {"/links/0/b", at(1, 3), "links[0]", "switch 1 has no port 3; it has 3"},
       {"/links/0/b", at(0, 2), "links[0]", "link 0:0 - 0:2 joins a switch to itself"},
       {"/nodes/0/at", at(9, 0), "nodes[0]", "switch 9 does not exist; the network has 2"},
       {"/links/0/latency", 0, "links[0]", "latency 0 is out of range; 1 to 255"},
       {"/nodes/1/latency", 256, "nodes[1]", "latency 256 is out of range; 1 to 255"},
       {"/nodes", none, "nodes", "the list is empty"},
       {"/mesh/width", 3, "mesh", "a mesh of 3 x 1 has 3 switches, not 2"},
       {"/groups/some/0", "0:2", "groups.\"some\"", "there is no node at 0:2"},
       {"/groups/some/0", "n3", "groups.\"some\"", "node n3 does not exist; the network has n0 to"},
       {"/groups/some/0", "1:1", "groups.\"some\"", "node 1:1 (n2) is named twice"},
       {"/groups/some", none, "groups.\"some\"", "the group is empty"}});
  CHECK_THAT(error_after([](json& d) { d.erase("mesh"), d["links"] = json::array(); }),
             Catch::StartsWith("net: links: ") && Contains("switch 1 cannot be reached"));
  CHECK_THAT(error_after([](json& d) { d["switches"] = d["links"] = d["nodes"] = json::array(); }),
             Catch::StartsWith("net: switches: the list is empty"));
  for (const char* name : {"all", "n5", "", "0:1", "random:3", "a,b", "-x", "3d"})
    CHECK_THAT(error_after([&](json& d) {
                 d["groups"] = {{name, {"n0"}}};
               }),
               Contains("this cannot name a group"));
}

TEST_CASE("what is no JSON or hides something is refused with its place", "[topology][json]") {
  CHECK_THAT(json_error("{\n \"schema\": }"), Catch::StartsWith("net: line 2, column 12: "));
  CHECK_THAT(json_error("{\"a\": 1e999}"), Contains("number overflow"));
  CHECK_THAT(json_error("[]"), Contains("a network is one JSON object"));
  CHECK_THAT(json_error("{\"name\": \"a\", \"name\": \"b\"}"),
             Contains("field \"name\" appears twice"));
  CHECK_THAT(json_error("{\"a\": {\"b\": 1}, \"c\": {\"b\": 1, \"b\": 2}}"),
             Contains("field \"b\" appears twice"));
  CHECK_THAT(json_error(std::string(100000, '[')), Contains("nested too deeply"));
  std::string names;
  for (int i = 0; i < 100000; ++i) names += "{\"a\":";
  CHECK_THAT(json_error(names), Contains("nested too deeply"));
  const std::string whole = to_json(generate_tree(2, 2, 1));
  for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    const std::string message = json_error(whole.substr(0, cut));
    REQUIRE_THAT(message, Catch::StartsWith("net: line "));
    REQUIRE(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("control characters are refused, but lines and tabs of a note", "[topology][json]") {
  const auto with = [](const char* field, const std::string& text) {
    return error_after([&](json& d) { d[field] = text; });
  };
  for (const char* field : {"name", "generator", "note"})
    CHECK(with(field, std::string("a\0b", 3)) ==
          std::string("net: ") + field + ": \"a?b\" has the control character \\u0000; remove it");
  CHECK_THAT(with("name", "a\nb"), Contains("\\u000a"));
  CHECK_THAT(with("note", "a\x7f"), Contains("\\u007f"));
  CHECK(with("note", "a\n\tb") == "");
  CHECK(with("name", "grün") == "");
}

namespace fs = std::filesystem;

std::string file_error(const std::string& content) { return refusal(parse_topology, content); }

TEST_CASE("every ready network can be read and run", "[topology][files]") {
  int count = 0;
  for (const auto& entry :
       fs::directory_iterator(fmt::format("{}/topologies", MUSTER_SOURCE_DIR))) {
    if (entry.is_directory() || entry.path().extension() == ".md") continue;
    CAPTURE(entry.path().string());
    const Graph graph = read_topology(entry.path().string());
    const Routes routes = routes_for(graph);
    CHECK_FALSE(delivery_fault(graph, routes));
    CHECK(DependencyGraph(graph, routes).deadlock_free());
    ++count;
  }
  CHECK(count >= 6);
}

TEST_CASE("the format is recognized by content, not by name", "[topology][files]") {
  const std::string mesh = to_json(generate_mesh(2, 2));
  CHECK(parse_topology(mesh, "a.txt").switches() == 4);
  CHECK(parse_topology(" \n" + mesh, "a").switches() == 4);
  CHECK(parse_topology("router 0 node 0", "a.json").switches() == 1);
  CHECK(parse_topology("\n  router 0 node 0", "a").switches() == 1);
}

TEST_CASE("what is no network is refused in one line", "[topology][files]") {
  CHECK(file_error("") == "net: the file is empty; give a network");
  CHECK(file_error(" \r\n\t") == "net: the file is empty; give a network");
  CHECK(file_error(std::string(10'000'000, '\n')) == "net: the file is empty; give a network");
  for (const std::string& content :
       {std::string("hello"),
        std::string("\x7f"
                    "ELF\0\0",
                    6),
        std::string("[1]"), std::string("\0{}", 3), std::string("# router 0")})
    CHECK_THAT(file_error(content), Contains("neither a network in JSON"));
  CHECK_THAT(file_error(std::string("router 0 node 0\0\n", 17)),
             Catch::StartsWith("net: line 1: "));
}

TEST_CASE("a file that cannot be read is named", "[topology][files]") {
  CHECK_THROWS_WITH(read_topology("/nonexistent/net.json"),
                    Catch::StartsWith("/nonexistent/net.json: cannot be read: "));
  CHECK_THROWS_WITH(read_topology("/"), Catch::StartsWith("/: cannot be read: "));
}

TEST_CASE("a million switches in a file are refused in linear time", "[topology][files]") {
  std::string content =
      R"({"schema": "muster-topology-1", "links": [], "nodes": [], "switches": [)";
  for (int i = 0; i < 1'000'000; ++i) content += "{\"ports\":8},\n";
  CHECK_THAT(file_error(content + "{\"ports\":8}]}"), Contains("more than 65536 switches"));
}

}  // namespace
