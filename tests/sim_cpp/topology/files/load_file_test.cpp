// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "sim_cpp/topology/sample_networks.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::topology;
namespace fs = std::filesystem;

namespace {

std::string file_error(const std::string& content) { return refusal(parse_topology, content); }

}  // namespace

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
    CHECK_THAT(file_error(content), Catch::Contains("neither a network in JSON"));
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
  CHECK_THAT(file_error(content + "{\"ports\":8}]}"), Catch::Contains("more than 65536 switches"));
}
