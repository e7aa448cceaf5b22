// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/folder.hpp"
#include "support/seed.hpp"
#include "topology/files/file_formats.hpp"

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

std::string json_error(const std::string& content) {
  try {
    parse_json(content, "net.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string error_after(const std::function<void(json&)>& change) {
  json document = small();
  change(document);
  return json_error(document.dump());
}

}  // namespace

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
  Rng rng(muster_seed(), 6);
  CAPTURE(muster_seed());
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
  const auto change = [](const std::string& pointer, json value) {
    return error_after([&](json& d) { d[json::json_pointer(pointer)] = std::move(value); });
  };
  const auto without = [](const std::string& field) {
    return error_after([&](json& d) { d.erase(field); });
  };
  REQUIRE(json_error(small().dump()) == "");

  CHECK(change("/color", 1) ==
        "net.json: unknown field \"color\"; known are schema, name, generator, note, mesh, levels, "
        "switches, links, nodes, groups");
  CHECK(change("/switches/1/size", 1) ==
        "net.json: switches[1]: unknown field \"size\"; known are ports, name");
  CHECK(change("/links/0/c", 1) ==
        "net.json: links[0]: unknown field \"c\"; known are a, b, latency");
  CHECK(change("/nodes/2/on", 1) ==
        "net.json: nodes[2]: unknown field \"on\"; known are at, latency, name");
  CHECK(change("/mesh/depth", 1) ==
        "net.json: mesh: unknown field \"depth\"; known are width, height");

  CHECK(without("schema") == "net.json: field \"schema\" is missing; add it");
  CHECK(without("switches") == "net.json: field \"switches\" is missing; add it");
  CHECK(without("links") == "net.json: field \"links\" is missing; add it");
  CHECK(without("nodes") == "net.json: field \"nodes\" is missing; add it");
  CHECK(change("/schema", "muster-topology-2") ==
        "net.json: schema: \"muster-topology-2\" is not known; this version reads "
        "\"muster-topology-1\"");
  CHECK(error_after([](json& d) { d["links"][0].erase("b"); }) ==
        "net.json: links[0]: field \"b\" is missing; add it");

  CHECK(change("/name", 7) == "net.json: name: number 7 instead of text in quotes");
  CHECK(change("/switches", json::object()) ==
        "net.json: switches: object instead of a list [...]");
  CHECK(change("/switches/0", "8") == "net.json: switches[0]: string instead of an object {...}");
  CHECK(change("/switches/0/ports", "8") ==
        "net.json: switches[0].ports: string instead of a whole number, 0 or more");
  CHECK(change("/switches/0/ports", -1) ==
        "net.json: switches[0].ports: number -1 instead of a whole number, 0 or more");
  CHECK(change("/switches/0/ports", 4.0) ==
        "net.json: switches[0].ports: number 4.0 instead of a whole number, 0 or more");
  CHECK(change("/switches/0/ports", 1ull << 40) ==
        "net.json: switches[0].ports: 1099511627776 is too large; use a smaller number");
  CHECK(change("/links/0/a", json::array({0})) ==
        "net.json: links[0].a: a place is [switch, port]; give two numbers");
  CHECK(change("/links/0/a/1", nullptr) ==
        "net.json: links[0].a[1]: null instead of a whole number, 0 or more");
  CHECK(change("/groups", json::array()) == "net.json: groups: array instead of an object {...}");
  CHECK(change("/groups/some", "0:1") ==
        "net.json: groups.\"some\": string instead of a list [...]");
  CHECK(change("/groups/some/0", 1) ==
        "net.json: groups.\"some\"[0]: number 1 instead of text in quotes");
}

TEST_CASE("a JSON network that makes no sense says so", "[topology][json]") {
  const auto change = [](const std::string& pointer, json value) {
    return error_after([&](json& d) { d[json::json_pointer(pointer)] = std::move(value); });
  };
  CHECK(change("/switches/0/ports", 0) ==
        "net.json: switches[0]: switch 0 has 0 ports; 1 to 16 are possible");
  CHECK(change("/switches/0/ports", 17) ==
        "net.json: switches[0]: switch 0 has 17 ports; 1 to 16 are possible");
  CHECK(change("/nodes/2/at", json::array({1, 0})) ==
        "net.json: nodes[2]: port 1:0 is used twice; give every link and node its own port");
  CHECK(change("/nodes/1/at", json::array({0, 1})) ==
        "net.json: nodes[1]: port 0:1 is used twice; give every link and node its own port");
  CHECK(change("/links/0/b", json::array({2, 0})) ==
        "net.json: links[0]: switch 2 does not exist; the network has 2");
  CHECK(change("/links/0/b", json::array({1, 3})) ==
        "net.json: links[0]: switch 1 has no port 3; it has 3");
  CHECK_THAT(change("/links/0/b", json::array({0, 2})),
             Catch::StartsWith("net.json: links[0]: link 0:0 - 0:2 joins a switch to itself"));
  CHECK(change("/nodes/0/at", json::array({9, 0})) ==
        "net.json: nodes[0]: switch 9 does not exist; the network has 2");
  CHECK(change("/links/0/latency", 0) ==
        "net.json: links[0]: latency 0 is out of range; 1 to 255 cycles are possible");
  CHECK(change("/nodes/1/latency", 256) ==
        "net.json: nodes[1]: latency 256 is out of range; 1 to 255 cycles are possible");
  CHECK(error_after([](json& d) { d.erase("mesh"), d["links"] = json::array(); }) ==
        "net.json: links: the network is not connected, switch 1 cannot be reached from switch 0; "
        "add a link or remove the switch");
  CHECK(change("/nodes", json::array()) ==
        "net.json: nodes: the list is empty; a network has at least one");
  CHECK(error_after([](json& d) { d["switches"] = d["links"] = d["nodes"] = json::array(); }) ==
        "net.json: switches: the list is empty; a network has at least one");
  CHECK(change("/mesh/width", 3) ==
        "net.json: mesh: a mesh of 3 x 1 has 3 switches, not 2; correct it or remove the field");

  CHECK(change("/groups/some/0", "0:2") ==
        "net.json: groups.\"some\": there is no node at 0:2; name a switch and port with a node on "
        "it");
  CHECK(change("/groups/some/0", "n3") ==
        "net.json: groups.\"some\": node n3 does not exist; the network has n0 to n2");
  CHECK(change("/groups/some/0", "1:1") ==
        "net.json: groups.\"some\": node 1:1 (n2) is named twice; name every member once");
  CHECK(change("/groups/some", json::array()) ==
        "net.json: groups.\"some\": the group is empty; name at least one node");
  for (const char* name : {"all", "n5", "", "0:1", "random:3", "a,b", "-x", "3d"})
    CHECK_THAT(change("/groups", {{name, {"n0"}}}), Catch::Contains("this cannot name a group"));
}

TEST_CASE("what is no JSON or hides something is refused with its place", "[topology][json]") {
  CHECK_THAT(json_error("{\n \"schema\": }"), Catch::StartsWith("net.json: line 2, column 12: "));
  CHECK_THAT(json_error("{\"a\": 1e999}"), Catch::Contains("number overflow"));
  CHECK_THAT(json_error("[]"), Catch::Contains("a network is one JSON object"));
  CHECK_THAT(json_error("{\"name\": \"a\", \"name\": \"b\"}"),
             Catch::Contains("field \"name\" appears twice"));
  CHECK_THAT(json_error("{\"a\": {\"b\": 1}, \"c\": {\"b\": 1, \"b\": 2}}"),
             Catch::Contains("field \"b\" appears twice"));
  CHECK_THAT(json_error(std::string(100000, '[')), Catch::Contains("nested too deeply"));
  std::string names;
  for (int i = 0; i < 100000; ++i) names += "{\"a\":";
  CHECK_THAT(json_error(names), Catch::Contains("nested too deeply"));
  const std::string whole = to_json(generate_tree(2, 2, 1));
  for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    const std::string message = json_error(whole.substr(0, cut));
    REQUIRE_THAT(message, Catch::StartsWith("net.json: line "));
    REQUIRE(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("control characters are refused, but lines and tabs of a note", "[topology][json]") {
  const auto with = [](const char* field, const std::string& text) {
    return error_after([&](json& d) { d[field] = text; });
  };
  for (const char* field : {"name", "generator", "note"})
    CHECK(with(field, std::string("a\0b", 3)) ==
          std::string("net.json: ") + field +
              ": \"a?b\" has the control character \\u0000; remove it");
  CHECK_THAT(with("name", "a\nb"), Catch::Contains("\\u000a"));
  CHECK_THAT(with("note", "a\x7f"), Catch::Contains("\\u007f"));
  CHECK(with("note", "a\n\tb") == "");
  CHECK(with("name", "grün") == "");
}

TEST_CASE("text from a file cannot break the line of a message", "[topology][json]") {
  const std::string evil = "a\nb\x1b[31m\"" + std::string(1000, 'x');
  for (const std::string& message :
       {error_after([&](json& d) { d[evil] = 1; }),
        error_after([&](json& d) { d["schema"] = evil; }),
        error_after([&](json& d) { d["groups"][evil] = json::array({"n0"}); }),
        error_after([&](json& d) { d["groups"]["some"][0] = evil; }),
        json_error("{\"name\": \"" + evil), json_error("{\"\xff\xfe\x01\": 1}")}) {
    CAPTURE(message);
    CHECK(message.size() < 400);
    CHECK(message.size() > 10);
    for (const char c : message) REQUIRE((c >= ' ' && c <= '~'));
  }
}

TEST_CASE("a network beyond the limits is refused", "[topology][json]") {
  json document = small();
  for (std::uint32_t i = 0; i <= kMaxSwitches; ++i) document["switches"].push_back({{"ports", 1}});
  CHECK(json_error(document.dump()) ==
        "net.json: switches[65536]: more than 65536 switches; use a smaller network");
}
