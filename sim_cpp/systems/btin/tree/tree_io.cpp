// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_io.hpp"

#include <nlohmann/json.hpp>

#include "muster/topology/group_spec.hpp"
#include "systems/btin/tree/paper_latency.hpp"

namespace muster::btin {

using topology::node_name;
using Json = nlohmann::ordered_json;

std::string tree_json(const Graph& graph, const PlannedGroup& group, const Provenance& origin) {
  const BarrierTree& tree = group.tree;
  Json out;
  out["schema"] = "muster-tree-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["seed"] = origin.seed;
  out["network"] = graph.name;
  out["group"] = group.name;
  out["gid"] = group.gid;
  out["turn"] = group.reflect;
  out["alone"] = tree.alone();
  const bool has_root_node = !tree.alone() && tree.has_root_node();
  out["root_switch"] = tree.alone() ? Json(nullptr) : Json(tree.root_switch);
  out["root_node"] = has_root_node ? Json(node_name(graph, tree.root_node)) : Json(nullptr);
  out["height"] = tree.height;
  out["deepest_leaves"] = tree.deepest_leaves;
  out["edges"] = Json::array();
  out["edge_ports"] = Json::array();
  for (const TreeEdge& edge : tree.edges) {
    out["edges"].push_back({edge.parent, edge.child});
    out["edge_ports"].push_back({edge.parent_port, edge.child_port});
  }
  out["members"] = Json::array();
  for (const NodeId n : tree.members) out["members"].push_back(node_name(graph, n));
  out["member_switches"] = tree.member_switches;
  out["pruned"] = tree.pruned;
  out["hops"] = hops(tree);
  out["paper_latency_us"] = paper_latency_us(tree);
  out["images"] = Json::array();
  for (const RegisterImage& image : register_images(tree, group.gid, group.reflect))
    out["images"].push_back({{"switch", image.sw},
                             {"gid", image.gid},
                             {"turn", image.reflect},
                             {"parent_port", image.parent_port},
                             {"child_mask", image.child_mask}});
  // Names of networks and groups come from files; a broken character must not stop the report.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::btin
