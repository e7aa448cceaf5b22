// SPDX-License-Identifier: Apache-2.0
#include "app/change_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/option_values.hpp"
#include "topology/group_spec.hpp"
#include "topology/without_link.hpp"

namespace muster::app {

namespace {

using topology::Graph;

/// "3:4@2" or, if there are several groups, "3:4@2/1".
void add_wish(const Graph& graph, const std::string& text, bool join, run::RunSpec& spec) {
  const std::string option = join ? "--join" : "--leave";
  const auto refuse = [&](const std::string& reason) {
    throw InputError(fmt::format("{} '{}': {}", option, text, reason));
  };
  auto [node, barrier] = cut_at(text, option);
  run::Wish wish;
  wish.join = join;
  if (const auto slash = barrier.find('/'); slash != std::string::npos) {
    wish.group = number32(barrier.substr(slash + 1), option);
    if (wish.group >= spec.groups.size())
      refuse(fmt::format("there is no group {}; they are 0 to {}", wish.group,
                         spec.groups.size() - 1));
    barrier.resize(slash);
  } else if (spec.groups.size() > 1) {
    refuse(fmt::format("which of the {} groups? Add /0 for the first --group, /1 for the next",
                       spec.groups.size()));
  }
  wish.barrier = number32(barrier, option);
  try {
    wish.node = topology::parse_members(graph, {node}).front();
  } catch (const InputError& error) {
    refuse(error.what());
  }
  spec.wishes.push_back(wish);
}

/// "3:0-0:0@500"
void add_kill(const std::string& text, run::RunSpec& spec) {
  const auto [ends, cycle] = split_at(text, "--kill-link");
  run::KilledLink link;
  link.cycle = cycle;
  const auto dash = ends.find('-');
  const auto port = [&](const std::string& end) {
    const auto colon = end.find(':');
    if (colon == std::string::npos)
      throw InputError(
          fmt::format("--kill-link '{}': write a link between two switches as 3:0-0:0@500", text));
    return topology::PortRef{number32(end.substr(0, colon), "--kill-link"),
                             number32(end.substr(colon + 1), "--kill-link")};
  };
  link.a = port(ends.substr(0, dash));
  link.b = port(dash == std::string::npos ? "" : ends.substr(dash + 1));
  spec.killed.push_back(link);
}

}  // namespace

void add_changes(const RunOptions& options, const Graph& graph, run::RunSpec& spec) {
  for (const std::string& text : options.leaves) add_wish(graph, text, false, spec);
  for (const std::string& text : options.joins) add_wish(graph, text, true, spec);
  for (const std::string& text : options.killed) add_kill(text, spec);
  std::stable_sort(spec.killed.begin(), spec.killed.end(),
                   [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
}

}  // namespace muster::app
