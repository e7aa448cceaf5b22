// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/changes_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/links/links_io.hpp"

namespace muster::preempt {

using run::Json;

namespace {

/// As a change of a tree of registers (schemas/systems/btin.schema.json), of which nothing is
/// written: the nodes exchange no messages about it.
Json change(const run::RunSpec& spec, const Change& c) {
  const auto since = [&](std::uint64_t cycle) { return cycle - c.decided; };
  return {
      {"group", spec.groups[c.group].name},
      {"joined", Json::array()},
      {"left", Json::array()},
      {"dead_link", true},
      {"refused", nullptr},
      {"first_barrier", c.first_barrier},
      {"registers", {{"added", 0}, {"rewritten", 0}, {"freed", 0}, {"kept", c.kept}}},
      {"messages", 0},
      {"register_requests", 0},
      {"decided_in_cycle", c.decided},
      {"confirmed_cycles", c.confirmed != 0 ? Json(since(c.confirmed)) : Json(nullptr)},
      {"first_barrier_cycles", c.first_release ? Json(since(*c.first_release)) : Json(nullptr)}};
}

}  // namespace

Json changes_to_json(const run::RunSpec& spec, const run::RunResult& result, const Cost& cost) {
  Json groups = Json::array();
  for (const Change& c : cost.changes) groups.push_back(change(spec, c));
  return {{"wishes", Json::array()},
          {"groups", std::move(groups)},
          {"links", run::links_to_json(result.links)}};
}

std::string changes_text(const run::RunSpec& spec, const Cost& cost) {
  std::string text;
  for (const Change& c : cost.changes) {
    if (c.confirmed == 0) continue;
    text += fmt::format(
        "change       group {} avoids a dead link from barrier {} on; {} status entries kept, no "
        "message on the old routes after {} cycles\n",
        spec.groups[c.group].name, c.first_barrier, c.kept, c.confirmed - c.decided);
  }
  return text;
}

}  // namespace muster::preempt
