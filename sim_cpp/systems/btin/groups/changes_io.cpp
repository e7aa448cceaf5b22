// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/changes_io.hpp"

#include <fmt/format.h>

#include "topology/group_spec.hpp"

namespace muster::btin {
namespace {

using Json = nlohmann::ordered_json;

Json wish(const run::RunSpec& spec, const run::WishResult& w) {
  return {{"group", spec.groups[w.wish.group].name},
          {"node", topology::node_name(*spec.graph, w.wish.node)},
          {"wish", w.wish.join ? "join" : "leave"},
          {"barrier", w.wish.barrier},
          {"first_barrier", w.first_barrier ? Json(*w.first_barrier) : Json(nullptr)},
          {"refused", w.refused.empty() ? Json(nullptr) : Json(w.refused)}};
}

Json change(const run::RunSpec& spec, const run::ChangeResult& c) {
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

Json link(const run::LinkResult& l) {
  const auto since = [&](std::uint64_t cycle) {
    return cycle == 0 ? Json(nullptr) : Json(cycle - l.link.cycle);
  };
  return {
      {"link", fmt::format("{}:{}-{}:{}", l.link.a.sw, l.link.a.port, l.link.b.sw, l.link.b.port)},
      {"declared_in_cycle", l.link.cycle},
      {"acyclic_together", l.acyclic},
      {"packets_held", l.quiesced},
      {"words_written", l.entries},
      {"empty_cycles", since(l.empty)},
      {"routed_cycles", since(l.routed)},
      {"out_cycles", since(l.out)}};
}

}  // namespace

Json changes_to_json(const run::RunSpec& spec, const run::RunResult& result) {
  Json out{{"wishes", Json::array()}, {"groups", Json::array()}, {"links", Json::array()}};
  for (const run::WishResult& w : result.wishes) out["wishes"].push_back(wish(spec, w));
  for (const run::ChangeResult& c : result.changes) out["groups"].push_back(change(spec, c));
  for (const run::LinkResult& l : result.links) out["links"].push_back(link(l));
  return out;
}

}  // namespace muster::btin
