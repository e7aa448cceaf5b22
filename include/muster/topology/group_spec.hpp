// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::topology {

/// What follows the number of a switch or node in messages: ` "spine-2"`, the name that the
/// network's file gives it, of up to 60 characters; nothing if it has none.
std::string label_of(const std::map<std::uint32_t, std::string>& names, std::uint32_t id);

/// "switch 3" with its label: `switch 3 "spine-2"`.
std::string switch_text(const Graph& graph, SwitchId sw);
/// "3:4" with its label: `3:4 "host17"`.
std::string node_text(const Graph& graph, NodeId node);
/// "n17" with its label: `n17 "host17"`.
std::string node_number_text(const Graph& graph, NodeId node);

/// The members a group specification names:
///
///   all               every node
///   random:N          N different nodes drawn with `seed`, in ascending order
///   0:3,3:4,n17,h2    a list of switch:port, node numbers and names in the file, in its order; the
///                     switch by number or name
///   NAME              a group of the file
///
/// A group of one is legal. Throws InputError (missing node, node named twice, empty group, N out
/// of range, unknown name). Equal arguments give equal groups everywhere.
std::vector<NodeId> parse_group(const Graph& graph, const std::string& spec, std::uint64_t seed);
/// The same; the message of an InputError begins with the network's file.
std::vector<NodeId> parse_group_of_file(const Graph& graph, const std::string& file,
                                        const std::string& spec, std::uint64_t seed);

/// The nodes of a list of "switch:port", "nN" or names in the file. Throws InputError as above.
std::vector<NodeId> parse_members(const Graph& graph, const std::vector<std::string>& members);

/// The node of this name in the file; none without. Throws InputError if several have it.
std::optional<NodeId> named_node(const Graph& graph, std::string_view name);

/// The switch of "sw3", "3" or its name in the file. Throws InputError, which begins with `option`.
/// A number that is the name of another switch is refused.
SwitchId parse_switch(const Graph& graph, const std::string& text, const std::string& option);

/// "3:4", the name of a node in files and messages.
std::string node_name(const Graph& graph, NodeId node);

/// Whether a group in a file may be called so: a letter or '_', then letters, digits, '-' and '_',
/// and nothing that already means something in a specification (`all`, `n17`).
bool is_group_name(std::string_view name);

/// The members of a group, ascending. Throws InputError if there is none, or one is no node of the
/// network or named twice.
std::vector<NodeId> sorted_members(const Graph& graph, std::span<const NodeId> members);

/// How the center of a group is chosen (docs/systems/bsr-tree.md, Terms).
enum class CenterChoice : std::uint8_t {
  kNearest,  ///< least maximum distance from the other members, of several the lowest node
  kRandom,   ///< any member, by the seed
  kLowest    ///< the lowest node
};

/// The member that `choice` makes the center; `seed` is that of kRandom. Distance is in links of
/// the deterministic route from a member. Throws InputError if the group is empty, names a node
/// that is not there or one twice.
NodeId choose_center(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                     CenterChoice choice, std::uint64_t seed);

}  // namespace muster::topology
