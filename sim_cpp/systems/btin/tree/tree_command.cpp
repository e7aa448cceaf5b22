// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_command.hpp"

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/topology/load_file.hpp"
#include "systems/btin/tree/tree_dot.hpp"
#include "systems/btin/tree/tree_io.hpp"
#include "systems/btin/tree/tree_text.hpp"

namespace muster::btin {

void TreeCommand::add_options(run::OptionList& options) {
  options.text("FILE", file_, "Network");
  options.text("--group", group_,
               "all, random:N, a list such as 0:3,3:4 or n0,n17, or a group of the file");
  options.flag("--turn", reflect_,
               "The root switch reflects the reduction, without asking the root node");
  options.text("--root", root_,
               "Root switch, by number (sw3, 3) or by its name in the file; by default that of the "
               "lowest tree");
  options.text("--dot", dot_,
               "Write network and tree for Graphviz (neato) to FILE, or - for standard output");
}

run::CommandReport TreeCommand::run(const run::CommandContext& context) {
  if (dot_ == "-" && context.json_to_stdout)
    throw InputError("--dot -: --json already goes to standard output; give one of them a file");
  context.outputs.reads(file_);
  context.outputs.writes("--dot", dot_);
  auto graph = std::make_shared<const topology::Graph>(topology::read_topology(file_));
  PlannedGroup group;
  group.name = group_;
  group.reflect = reflect_;
  if (!root_.empty()) group.root = topology::parse_switch(*graph, root_, "--root");
  plan_group(group, *graph,
             topology::parse_group_of_file(*graph, file_, group_, context.origin.seed));
  const std::string dot = dot_.empty() ? "" : tree_dot(*graph, group);
  context.outputs.put(dot_, dot);
  return {
      .json = [graph, group, origin = context.origin] { return tree_json(*graph, group, origin); },
      .text = [graph, group, dot,
               show = dot_ == "-"] { return show ? dot : tree_text(*graph, group); }};
}

}  // namespace muster::btin
