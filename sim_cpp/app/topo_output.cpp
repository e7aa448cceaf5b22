// SPDX-License-Identifier: Apache-2.0
#include "app/topo_output.hpp"

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "muster/topology/routes.hpp"

namespace muster::app {

using topology::Graph;

void add_topo_output(CLI::App& command, TopoOutput& output) {
  add_text(command, "--out", output.out, "File to write, - for standard output")
      ->capture_default_str();
  add_number(command, "--seed", output.common.seed,
             "Seed of all random choices; no effect without random choices")
      ->capture_default_str();
  add_text(command, "--json", output.common.json,
           "Write the result of topo info for the network as JSON to FILE; - for standard output, "
           "in place of the network unless --out names a file");
}

topology::TopologyInfo described(const Graph& graph) {
  StepProgress progress;
  const topology::Steps steps = std::ref(progress);
  topology::TopologyInfo info =
      topology::describe_topology(graph, topology::routes_for(graph, steps), steps);
  clear_progress();
  return info;
}

std::string topo_info(const Graph& graph, const CommonOptions& options, const Context& context) {
  Provenance origin = context.origin;
  origin.seed = options.seed;
  return topology::info_json(described(graph), origin);
}

void put_topo(const TopoOutput& output, const std::string& file, const std::function<Graph()>& make,
              const std::function<std::string(const Graph&)>& text, const Context& context) {
  Outputs outputs;
  outputs.reads(file);
  outputs.writes("--out", output.out);
  outputs.writes("--json", output.common.json);
  const Graph graph = make();
  const std::string content = text(graph);
  outputs.put(output.out, content);
  deliver(
      output.common, outputs, [&] { return topo_info(graph, output.common, context); },
      [&] { return output.out == "-" ? content : ""; });
}

}  // namespace muster::app
