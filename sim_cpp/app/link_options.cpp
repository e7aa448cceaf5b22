// SPDX-License-Identifier: Apache-2.0
#include "app/link_options.hpp"

#include <fmt/format.h>

#include "app/block_names.hpp"
#include "app/commands.hpp"
#include "muster/core/error.hpp"
#include "muster/run/option_values.hpp"

namespace muster::app {

namespace {

/// "3:0" or "n8".
std::string end_name(const fabric::End& end) {
  return end.node ? fmt::format("n{}", end.id) : fmt::format("{}:{}", end.id, end.port);
}

/// Both channels of the link between two ports, or of a node: "3:0-0:0", "3:4-n8" or "n8". `text`:
/// the whole of what was typed.
std::vector<core::ChannelId> channels_of(const topology::Graph& graph, const std::string& ends,
                                         const std::string& option, const std::string& text) {
  const fabric::Layout layout(graph);
  std::vector<core::ChannelId> found;
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c) {
    const auto& channel = layout.channels()[c];
    const std::string a = end_name(channel.from), b = end_name(channel.to);
    const bool of_node = (channel.from.node && ends == a) || (channel.to.node && ends == b);
    if (of_node || ends == fmt::format("{}-{}", a, b) || ends == fmt::format("{}-{}", b, a))
      found.push_back(c);
  }
  if (found.empty())
    throw InputError(fmt::format(
        "{} '{}': no such link; write it as 3:0-0:0@500, a node's link as 3:4-n8@500 or n8@500",
        option, text));
  return found;
}

void add_stopped(const std::string& text, run::RunSpec& spec) {
  const auto [ends, cycle] = run::split_at(text, "--stop-link", run::kMostCycles);
  const auto channels = channels_of(*spec.graph, ends, "--stop-link", text);
  if (spec.links.retry) {
    spec.links.flaps.push_back({channels.front(), cycle, run::kMostCycles});
    return;
  }
  for (const core::ChannelId c : channels) spec.stopped.push_back({c, cycle, true, true});
}

/// "3:0-0:0@500+20"
void add_flap(const std::string& text, run::RunSpec& spec) {
  const auto [ends, when] = run::cut_at(text, "--flap");
  const std::string typed = fmt::format("--flap '{}'", text);
  const auto plus = when.find('+');
  if (plus == std::string::npos)
    throw InputError(typed + ": write cycle and duration as 3:0-0:0@500+20");
  spec.links.flaps.push_back({channels_of(*spec.graph, ends, "--flap", text).front(),
                              run::number(when.substr(0, plus), typed, 0, run::kMostCycles),
                              run::number(when.substr(plus + 1), typed, 1, run::kMostCycles)});
}

/// The option's parts, "sw3@500".
run::Death death_of(const std::string& text, const std::string& option, bool node,
                    const topology::Graph& graph) {
  const auto [name, cycle] = run::split_at(text, option, run::kMostCycles);
  const std::string typed = fmt::format("{} '{}'", option, text);
  const std::uint32_t id = node ? node_named(graph, name, typed) : switch_named(graph, name, typed);
  return {.node = node, .id = id, .cycle = cycle};
}

void add_deaths(const LinkOptions& options, run::RunSpec& spec) {
  for (const std::string& text : options.cut) {
    const auto [ends, cycle] = run::split_at(text, "--cut-link", run::kMostCycles);
    const auto channels = channels_of(*spec.graph, ends, "--cut-link", text);
    spec.deaths.push_back({.id = channels.front() / 2, .cycle = cycle, .link = true});
  }
  for (const std::string& text : options.killed_switches)
    spec.deaths.push_back(death_of(text, "--kill-switch", false, *spec.graph));
  for (const std::string& text : options.killed_nodes)
    spec.deaths.push_back(death_of(text, "--kill-node", true, *spec.graph));
  for (const std::string& text : options.reset_switches) {
    spec.deaths.push_back(death_of(text, "--reset-switch", false, *spec.graph));
    spec.deaths.back().reset = true;
  }
}

}  // namespace

void add_link_options(CLI::App& command, LinkOptions& o) {
  command.add_flag("--link-retry", o.retry,
                   "All links retransmit flits that their wires lose or corrupt");
  add_real(command, "--link-drop", o.drop, "Fault: share of frames that are lost");
  add_real(command, "--link-corrupt", o.corrupt, "Fault: share of frames with flipped bits");
  add_real(command, "--link-duplicate", o.duplicate, "Fault: share of frames that are duplicated");
  add_real(command, "--ack-drop", o.ack_drop,
           "Fault: share of frames without a flit (acknowledgements only) that are lost");
  command.add_option("--flap", o.flaps,
                     "Fault: all frames on a link are lost for some cycles (3:0-0:0@500+20)");
  command.add_option("--stop-link", o.stopped,
                     "Fault: a link is dead from a cycle on (3:0-0:0@500, n8@500)");
  command.add_option("--cut-link", o.cut,
                     "Fault: a link is dead from a cycle on, and the run continues without it");
  command.add_option("--kill-switch", o.killed_switches,
                     "Fault: a switch is dead from a cycle on (sw3@500)");
  command.add_option("--kill-node", o.killed_nodes,
                     "Fault: a node is dead from a cycle on (3:4@500, n8@500)");
  command.add_option("--reset-switch", o.reset_switches,
                     "Fault: a switch is reset in a cycle, with its link ends (sw3@500)");
}

void set_links(const LinkOptions& options, run::RunSpec& spec) {
  spec.links.retry = options.retry;
  spec.links.drop = options.drop;
  spec.links.corrupt = options.corrupt;
  spec.links.duplicate = options.duplicate;
  spec.links.ack_drop = options.ack_drop;
  for (const std::string& text : options.flaps) add_flap(text, spec);
  for (const std::string& text : options.stopped) add_stopped(text, spec);
  add_deaths(options, spec);
}

}  // namespace muster::app
