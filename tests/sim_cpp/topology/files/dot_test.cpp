// SPDX-License-Identifier: Apache-2.0
#include "topology/files/dot.hpp"

#include <catch2/catch.hpp>

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
