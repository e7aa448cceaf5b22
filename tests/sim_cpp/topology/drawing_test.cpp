// SPDX-License-Identifier: Apache-2.0
#include "topology/drawing.hpp"

#include "sim_cpp/topology/sample_networks.hpp"

using namespace muster::topology;

TEST_CASE("the drawing names switches, nodes, ports and latencies", "[topology][dot]") {
  Graph graph = assemble({0, 0}, {{0, 1, 3}}, {{0}, {1, 2}});
  graph.name = "a \"quoted\" \\ name";
  graph.switch_names = {{1, "\"leaf\""}};
  graph.node_names = {{0, "host"}};
  CHECK(to_dot(graph) ==
        "graph \"a \\\"quoted\\\" \\\\ name\" {\n"
        "  node [fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=8];\n"
        "  s0 [shape=box, label=\"0\"];\n"
        "  s1 [shape=box, label=\"1 \\\"\\\"leaf\\\"\\\"\"];\n"
        "  n0 [shape=circle, fontsize=7, margin=0.02, label=\"0:1 \\\"host\\\"\"];\n"
        "  n1 [shape=circle, fontsize=7, margin=0.02, label=\"1:1\"];\n"
        "  s0 -- s1 [label=\"3\", taillabel=\"0\", headlabel=\"0\"];\n"
        "  s0 -- n0 [len=0.6];\n"
        "  s1 -- n1 [label=\"2\", len=0.6];\n"
        "}\n");
}

namespace {

double far(const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// No two switches lie upon each other.
double least_distance(const Drawing& drawing) {
  double least = 1e9;
  for (std::size_t a = 0; a < drawing.switches.size(); ++a)
    for (std::size_t b = a + 1; b < drawing.switches.size(); ++b)
      least = std::min(least, far(drawing.switches[a], drawing.switches[b]));
  return least;
}

Graph irregular(std::uint32_t switches) {
  return generate_irregular({.switches = switches, .nodes = 2 * switches});
}

/// As long as this lives, no program is found.
class WithoutPrograms {
 public:
  WithoutPrograms() : path_(std::getenv("PATH")) { ::setenv("PATH", "/nowhere", 1); }
  ~WithoutPrograms() { ::setenv("PATH", path_.c_str(), 1); }
  WithoutPrograms(const WithoutPrograms&) = delete;

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("regular networks are drawn as what they are, no switch upon another", "[topology]") {
  const WithoutPrograms none;
  const std::pair<const char*, Graph> networks[] = {
      {"mesh", generate_mesh(4, 3)},        {"torus", generate_torus({4, 4})},
      {"torus", generate_torus({3, 3, 3})}, {"hypercube", generate_hypercube(4)},
      {"hypercube", generate_hypercube(7)}, {"levels", generate_fat_tree(3, 3)},
      {"levels", generate_clos(8, 6)},      {"tree", generate_tree(3, 3, 2)},
      {"circle", generate_complete(6)},     {"dragonfly", generate_dragonfly({})}};
  for (const auto& [method, graph] : networks) {
    CAPTURE(method, graph.name);
    const Drawing drawing = draw(graph);
    CHECK(drawing.method == method);
    REQUIRE(drawing.switches.size() == graph.switches());
    REQUIRE(drawing.nodes.size() == graph.nodes());
    CHECK(least_distance(drawing) > 0.4);
  }
}

TEST_CASE("a wide tree has several rows a level, none far wider than the sheet is high",
          "[topology]") {
  const Graph graph = generate_tree(12, 3, 1);
  const Drawing drawing = draw(graph);
  CHECK(drawing.method == "tree");
  const auto [left, right] = std::ranges::minmax(drawing.switches, {}, &Place::x);
  const auto [top, bottom] = std::ranges::minmax(drawing.switches, {}, &Place::y);
  CHECK(right.x - left.x < 2 * (bottom.y - top.y));
  CHECK(least_distance(drawing) > 0.9);
}

TEST_CASE("nodes lie beside their switches, apart from each other", "[topology]") {
  const Graph graph = irregular(20);
  const Drawing drawing = draw(graph);
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    CHECK(far(drawing.nodes[n], drawing.switches[graph.node(n).at.sw]) < 0.5);
    for (NodeId m = 0; m < n; ++m)
      if (graph.node(m).at.sw == graph.node(n).at.sw)
        CHECK(far(drawing.nodes[n], drawing.nodes[m]) > 0.05);
  }
}

TEST_CASE("other networks are drawn without Graphviz too", "[topology]") {
  const WithoutPrograms none;
  const Drawing drawing = draw(irregular(60));
  CHECK(drawing.method == "circle");
  CHECK(least_distance(drawing) > 0.9);
}
