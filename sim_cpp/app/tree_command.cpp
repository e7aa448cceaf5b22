// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/commands.hpp"
#include "core/error.hpp"
#include "systems/btin/tree/tree_dot.hpp"
#include "systems/btin/tree/tree_io.hpp"
#include "systems/btin/tree/tree_text.hpp"
#include "topology/load_file.hpp"

namespace muster::app {

void add_tree(CLI::App& app, const Context& context) {
  struct Options {
    std::string file, group = "all", dot;
    bool turn = false;
    CommonOptions common;
  };
  auto options = std::make_shared<Options>();
  CLI::App* tree = app.add_subcommand("tree", "Plan the barrier tree of a group");
  tree->add_option("FILE", options->file, "Network")->required();
  tree->add_option("--group", options->group,
                   "all, random:N, a list such as 0:3,3:4 or n0,n17, or a group of the file")
      ->capture_default_str();
  tree->add_flag("--turn", options->turn, "The root switch turns round by itself");
  tree->add_option("--dot", options->dot,
                   "Write network and tree for Graphviz (neato) to FILE, or - for stdout");
  add_common(*tree, options->common);
  tree->callback([options, &context] {
    if (options->dot == "-" && options->common.json == "-")
      throw InputError("--dot -: --json goes to standard output already; give one of them a file");
    Outputs outputs;
    outputs.reads(options->file);
    outputs.writes("--json", options->common.json);
    outputs.writes("--dot", options->dot);
    const topology::Graph graph = topology::read_topology(options->file);
    btin::PlannedGroup group;
    group.name = options->group;
    group.turn = options->turn;
    group.tree = btin::plan_tree(
        graph, members_of(graph, options->file, options->group, options->common.seed));
    const std::string dot = options->dot.empty() ? "" : btin::tree_dot(graph, group);
    outputs.put(options->dot, dot);
    Provenance origin = context.origin;
    origin.seed = options->common.seed;
    deliver(
        options->common, outputs, [&] { return btin::tree_json(graph, group, origin); },
        [&] { return options->dot == "-" ? dot : btin::tree_text(graph, group); });
  });
}

}  // namespace muster::app
