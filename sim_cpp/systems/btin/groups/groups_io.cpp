// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/groups_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/topology/group_spec.hpp"
#include "run/links/links_io.hpp"

namespace muster::btin {

using run::Json;

namespace {

Json request(const run::RunSpec& spec, const RequestResult& r) {
  return {{"group", spec.groups[r.request.group].name},
          {"node", topology::node_name(*spec.graph, r.request.node)},
          {"wish", r.request.join ? "join" : "leave"},
          {"barrier", r.request.barrier},
          {"first_barrier", r.first_barrier ? Json(*r.first_barrier) : Json(nullptr)},
          {"refused", r.refused.empty() ? Json(nullptr) : Json(r.refused)}};
}

Json change(const run::RunSpec& spec, const ChangeResult& c) {
  const ChangeRecord& r = c.record;
  const auto names = [&](const std::vector<topology::NodeId>& nodes) {
    Json list = Json::array();
    for (const topology::NodeId n : nodes) list.push_back(topology::node_name(*spec.graph, n));
    return list;
  };
  const auto since = [&](std::uint64_t cycle) { return cycle - r.decided; };
  return {
      {"group", spec.groups[r.gid].name},
      {"joined", names(r.joined)},
      {"left", names(r.left)},
      {"dead_link", r.link},
      {"refused", c.refused.empty() ? Json(nullptr) : Json(c.refused)},
      {"first_barrier", r.first_barrier},
      {"registers",
       {{"added", r.added}, {"rewritten", r.rewritten}, {"freed", r.freed}, {"kept", r.kept}}},
      {"messages", r.messages},
      {"register_requests", r.requests},
      {"decided_in_cycle", r.decided},
      {"confirmed_cycles", since(r.finished)},
      {"first_barrier_cycles", c.first_release ? Json(since(*c.first_release)) : Json(nullptr)}};
}

}  // namespace

Json changes_to_json(const run::RunSpec& spec, const Result& result,
                     std::span<const run::LinkResult> links) {
  Json out{
      {"wishes", Json::array()}, {"groups", Json::array()}, {"links", run::links_to_json(links)}};
  for (const RequestResult& r : result.requests) out["wishes"].push_back(request(spec, r));
  for (const ChangeResult& c : result.changes) out["groups"].push_back(change(spec, c));
  return out;
}

Json setup_to_json(const run::RunSpec& spec, const Result& result) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < result.times.size(); ++g)
    groups.push_back({{"group", spec.groups[g].name},
                      {"creation_cycles", result.times[g].creation_cycles},
                      {"release_cycles", result.times[g].release_cycles}});
  Json out{{"groups", std::move(groups)}, {"repeated_requests", result.repeated_requests}};
  if (spec.parts.get<Spec>().setup_drop != 0.0) {
    out["repeated_messages"] = result.repeated_messages;
    out["lost_packets"] = result.lost_packets;
  }
  return out;
}

Json spill_to_json(const run::RunSpec& spec, const Result& result) {
  const SpillCost& cost = *result.spill;
  Json groups = Json::array();
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const std::vector<topology::SwitchId> switches = result.spilled_switches(g);
    if (!switches.empty())
      groups.push_back({{"group", spec.groups[g].name}, {"switches", switches}});
  }
  Json moves = Json::array();
  for (const ChangeResult& m : result.moves)
    moves.push_back({{"group", spec.groups[m.record.gid].name},
                     {"switch", m.record.move->sw},
                     {"to", m.record.move->to_memory ? "memory" : "register"},
                     {"first_barrier", m.record.first_barrier},
                     {"messages", m.record.messages},
                     {"register_requests", m.record.requests},
                     {"decided_in_cycle", m.record.decided},
                     {"confirmed_cycles", m.record.finished - m.record.decided}});
  const auto latency = [](std::uint64_t barriers, double mean) {
    return Json{{"barriers", barriers}, {"mean", barriers != 0 ? Json(mean) : Json(nullptr)}};
  };
  Json out{{"groups", std::move(groups)},
           {"messages_handed_over", cost.handed_over},
           {"messages_answered", cost.answered},
           {"messages_dropped", cost.dropped},
           {"latency_spilled_cycles", latency(cost.spilled_barriers, cost.spilled_latency_mean)},
           {"latency_others_cycles", latency(cost.other_barriers, cost.other_latency_mean)}};
  if (spec.parts.get<Spec>().evict_after != 0) {
    out["moves"] = std::move(moves);
    out["moves_refused"] = result.moves_refused;
  }
  return out;
}

}  // namespace muster::btin
