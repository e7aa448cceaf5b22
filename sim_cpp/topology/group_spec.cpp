// SPDX-License-Identifier: Apache-2.0
#include "muster/topology/group_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <ranges>

#include "core/text.hpp"
#include "muster/core/rng.hpp"
#include "topology/route_walk.hpp"

namespace muster::topology {

std::string label_of(const std::map<std::uint32_t, std::string>& names, std::uint32_t id) {
  const auto found = names.find(id);
  return found == names.end() ? "" : fmt::format(" {}", quote(found->second));
}

std::string switch_text(const Graph& graph, SwitchId sw) {
  return fmt::format("switch {}{}", sw, label_of(graph.switch_names, sw));
}

std::string node_text(const Graph& graph, NodeId node) {
  return node_name(graph, node) + label_of(graph.node_names, node);
}

std::string node_number_text(const Graph& graph, NodeId node) {
  return fmt::format("n{}{}", node, label_of(graph.node_names, node));
}

namespace {

constexpr std::uint64_t kGroupStream =
    0x67726f7570;  // keeps the draw apart from other uses of a seed
constexpr std::string_view kRandom = "random:";

/// All that have this name.
std::vector<std::uint32_t> named_so(const std::map<std::uint32_t, std::string>& names,
                                    std::string_view text) {
  std::vector<std::uint32_t> named;
  for (const auto& [id, name] : names)
    if (name == text) named.push_back(id);
  return named;
}

/// The one of this name; none without. Throws InputError if several have it; `what`: "nodes".
std::optional<std::uint32_t> find_named(const std::map<std::uint32_t, std::string>& names,
                                        std::string_view text, const char* what) {
  const std::vector<std::uint32_t> named = named_so(names, text);
  if (named.size() > 1)
    throw InputError("{} is the name of {} {}; write its number", quote(text), what,
                     fmt::join(named, " and "));
  return named.empty() ? std::nullopt : std::optional(named.front());
}

/// A number or a place comes before a name, so that files mean the same whatever names they have.
NodeId parse_member(const Graph& graph, std::string_view text) {
  const auto number = text.starts_with('n') ? whole_number(text.substr(1)) : std::nullopt;
  if (number && *number < graph.nodes()) return *number;
  const std::size_t colon = text.rfind(':');
  const std::string_view owner = text.substr(0, colon);
  const auto port = whole_number(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  const auto at = [&](std::optional<SwitchId> sw) {
    return sw && port ? graph.node_at({*sw, *port}) : std::nullopt;
  };
  const auto sw = whole_number(owner);
  if (const auto node = at(sw)) return *node;
  if (const auto node = named_node(graph, text)) return *node;
  if (port)
    if (const auto node = at(find_named(graph.switch_names, owner, "switches"))) return *node;
  if (number)
    throw InputError("node {} does not exist; the network has n0 to n{}", text, graph.nodes() - 1);
  if (sw && port)
    throw InputError("there is no node at {}; name a switch and port with a node on it", text);
  throw InputError("{} is not a node; write switch:port, n and its number, or its name in the file",
                   quote(text));
}

std::vector<NodeId> random_members(const Graph& graph, std::string_view count, std::uint64_t seed) {
  const auto wanted = whole_number(count);
  if (!wanted || *wanted < 1 || *wanted > graph.nodes())
    throw InputError("N must be 1 to {}, the nodes of the network", graph.nodes());
  std::vector<NodeId> nodes(graph.nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  Rng rng(seed, kGroupStream);
  for (std::uint32_t i = 0; i < *wanted; ++i)
    std::swap(nodes[i], nodes[i + rng.below(nodes.size() - i)]);
  nodes.resize(*wanted);
  std::ranges::sort(nodes);
  return nodes;
}

std::vector<NodeId> members_of(const Graph& graph, const std::string& spec, std::uint64_t seed) {
  if (spec == "all") {
    std::vector<NodeId> nodes(graph.nodes());
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  if (spec.starts_with(kRandom))
    return random_members(graph, std::string_view(spec).substr(kRandom.size()), seed);
  if (spec.empty()) return parse_members(graph, {});
  if (const auto group = graph.groups.find(spec); group != graph.groups.end()) return group->second;
  if (is_group_name(spec) && !named_node(graph, spec)) {
    std::vector<std::string> names{"all", "random:N", "a list such as 0:3,3:4 or n0,n17"};
    for (const auto& [name, members] : graph.groups) names.push_back(name);
    throw InputError("the network has no group of this name; give {}", fmt::join(names, ", "));
  }
  std::vector<std::string> members;
  for (const auto member : std::views::split(spec, ','))
    members.emplace_back(member.begin(), member.end());
  return parse_members(graph, members);
}

std::uint32_t farthest(const Graph& graph, const Routes& routes, const std::vector<NodeId>& members,
                       SwitchId center_switch) {
  WaysTo ways(graph, routes, center_switch);
  std::uint32_t most = 0;
  for (const NodeId n : members)
    most = std::max(most, ways.walk(graph.node(n).at.sw, [](SwitchId, std::uint32_t, SwitchId) {}));
  return most;
}

}  // namespace

std::string node_name(const Graph& graph, NodeId node) {
  const PortRef at = graph.node(node).at;
  return fmt::format("{}:{}", at.sw, at.port);
}

bool is_group_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || !letter(name.front()) || !std::ranges::all_of(name, inner)) return false;
  return name != "all" && !(name.front() == 'n' && whole_number(name.substr(1)));
}

std::optional<NodeId> named_node(const Graph& graph, std::string_view name) {
  return find_named(graph.node_names, name, "nodes");
}

std::vector<NodeId> parse_members(const Graph& graph, const std::vector<std::string>& members) {
  if (members.empty()) throw InputError("the group is empty; name at least one node");
  std::vector<NodeId> nodes;
  std::vector<bool> seen(graph.nodes(), false);
  for (const std::string& member : members) {
    const NodeId node = parse_member(graph, member);
    if (seen[node])
      throw InputError("node {} (n{}) is named twice; name every member once",
                       node_name(graph, node), node);
    seen[node] = true;
    nodes.push_back(node);
  }
  return nodes;
}

SwitchId parse_switch(const Graph& graph, const std::string& text, const std::string& option) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError("{} '{}': {}", option, text, reason);
  };
  const std::string_view digits = std::string_view(text).substr(text.starts_with("sw") ? 2 : 0);
  const std::vector<SwitchId> named = named_so(graph.switch_names, text);
  const bool numeric =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (const auto sw = whole_number(digits); sw && *sw < graph.switches()) {
    const std::string_view form = text.starts_with("sw") ? "" : "sw";  // the other one of a number
    for (const SwitchId other : named)
      if (other != *sw)
        refuse(
            fmt::format("the number of one switch and the name of another; write {}{} for the "
                        "number, {}{} for the name",
                        form, *sw, form, other));
    return *sw;
  }
  if (named.empty())
    refuse("no such switch; " + (numeric
                                     ? fmt::format("the network has 0 to {}", graph.switches() - 1)
                                     : "write its number, as sw3, or its name in the file"));
  if (named.size() > 1)
    refuse(fmt::format("the name of switches {}; write its number", fmt::join(named, " and ")));
  return named.front();
}

std::vector<NodeId> parse_group(const Graph& graph, const std::string& spec, std::uint64_t seed) {
  return at_place("group " + quote(spec), [&] { return members_of(graph, spec, seed); });
}

std::vector<NodeId> parse_group_of_file(const Graph& graph, const std::string& file,
                                        const std::string& spec, std::uint64_t seed) {
  return at_place(file, [&] { return parse_group(graph, spec, seed); });
}

std::vector<NodeId> sorted_members(const Graph& graph, std::span<const NodeId> members) {
  if (members.empty()) throw InputError("the group is empty; name at least one member node");
  std::vector<NodeId> sorted(members.begin(), members.end());
  std::ranges::sort(sorted);
  if (sorted.back() >= graph.nodes())
    throw InputError("the group names node {}, which does not exist; the network has {}",
                     sorted.back(), graph.nodes());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw InputError("the group names node {} twice; name it once", *twice);
  return sorted;
}

NodeId choose_center(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                     CenterChoice choice, std::uint64_t seed) {
  const std::vector<NodeId> sorted = sorted_members(graph, members);
  if (choice == CenterChoice::kLowest) return sorted.front();
  if (choice == CenterChoice::kRandom) return sorted[Rng(seed).below(sorted.size())];
  NodeId best = sorted.front();
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::vector<bool> tried(graph.switches(), false);
  for (const NodeId n : sorted) {
    const SwitchId s = graph.node(n).at.sw;
    if (tried[s]) continue;  // as far as the lower node there
    tried[s] = true;
    const std::uint32_t distance = farthest(graph, routes, sorted, s);
    if (distance < least) {
      least = distance;
      best = n;
    }
  }
  return best;
}

}  // namespace muster::topology
