// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/deaths_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "run/deaths/hit_groups.hpp"

namespace muster::run {

namespace {

const char* status_of(const Casualties::Group& g) {
  if (!g.complete) return "stopped";
  return g.recovered ? "recovered" : "complete";
}

Json group_json(const RunSpec& spec, const Casualties::Group& g) {
  return {{"group", spec.groups[g.group].name}, {"culprit", g.culprit},
          {"lost_in_cycle", g.cycle},           {"barriers_done", g.barriers},
          {"last_event_cycle", g.last},         {"status", status_of(g)}};
}

std::string group_text(const RunSpec& spec, const Casualties::Group& g) {
  const std::string& name = spec.groups[g.group].name;
  if (g.complete)
    return fmt::format("hit          group '{}' by {} in cycle {}, and {}\n", name, g.culprit,
                       g.cycle, g.recovered ? "recovered" : "done nevertheless");
  return fmt::format(
      "hit          group '{}' by {} in cycle {}: {} of {} barriers done, stopped since cycle {}\n",
      name, g.culprit, g.cycle, g.barriers, spec.barriers, g.last);
}

Json recovery_json(const RunSpec& spec, const Casualties::Recovery& r) {
  Json lost = Json::array();
  for (const std::uint32_t n : r.lost) lost.push_back(block_name(true, n));
  Json out = {{"group", spec.groups[r.group].name},
              {"suspect_in_cycle", r.suspect},
              {"cycles_to_detect", r.suspect - r.cause},
              {"members_lost", std::move(lost)},
              {"epoch", r.epoch}};
  out["recovered_in_cycle"] = r.recovered ? Json(*r.recovered) : Json(nullptr);
  out["cycles_to_recover"] = r.recovered ? Json(*r.recovered - r.suspect) : Json(nullptr);
  out["failed_barrier"] = r.failed_barrier ? Json(*r.failed_barrier) : Json(nullptr);
  out["stopped"] = r.stopped.empty() ? Json(nullptr) : Json(r.stopped);
  return out;
}

std::string recovery_text(const RunSpec& spec, const Casualties::Recovery& r) {
  const std::string& name = spec.groups[r.group].name;
  std::string text = fmt::format("recovered    group '{}': missed in cycle {}, ", name, r.suspect);
  if (!r.recovered)
    return text + fmt::format("not again: {}\n", r.stopped.empty() ? "the run ended" : r.stopped);
  text += fmt::format("on again in cycle {} with {} member{} lost", *r.recovered, r.lost.size(),
                      r.lost.size() == 1 ? "" : "s");
  if (r.failed_barrier) text += fmt::format(", barrier {} failed", *r.failed_barrier);
  return text + "\n";
}

Json rerouting_json(const Casualties::Rerouting& r) {
  const auto cycle = [](std::uint64_t c) { return c == 0 ? Json(nullptr) : Json(c); };
  Json out = {{"first_down_cycle", r.first_down}, {"connected", r.connected},
              {"held_in_cycle", cycle(r.held)},   {"empty_in_cycle", cycle(r.empty)},
              {"again_in_cycle", cycle(r.again)}, {"words_written", r.words}};
  out["levels"] = r.connected ? Json(r.by_file ? "file" : "new") : Json(nullptr);
  out["route_bound_flits_per_node_cycle"] = r.connected ? Json(r.route_bound) : Json(nullptr);
  return out;
}

std::string rerouting_text(const topology::Graph& graph, const Casualties::Rerouting& r) {
  if (!r.connected) return "rerouted     nothing: the rest of the network is not connected\n";
  const std::string bound =
      fmt::format("route bound {:.4f} flits/node/cycle{}\n", r.route_bound,
                  graph.levels.empty() ? ""
                  : r.by_file          ? ", by the levels of the file"
                              : ", by new levels: those of the file do not connect the rest");
  if (r.held == 0) return "rerouted     nothing: no route used a dead part; " + bound;
  return fmt::format("rerouted     {} words, packets held from cycle {} {}; {}", r.words, r.held,
                     r.again != 0 ? fmt::format("to {}", r.again) : "on", bound);
}

std::string event_text(const topology::Graph& graph, const Casualties::Event& event) {
  const Death& d = event.death;
  const std::string name = name_of(graph, d);
  if (!d.reset) return fmt::format("dead         {} from cycle {} on\n", name, d.cycle);
  return fmt::format(
      "reset        {} in cycle {}, {}\n", name, d.cycle,
      event.again ? fmt::format("packets again in cycle {}", *event.again) : "not taken back");
}

}  // namespace

Json deaths_parameters(const RunSpec& spec) {
  Json deaths = Json::array();
  for (const Death& d : spec.deaths)
    deaths.push_back({{"block", name_of(*spec.graph, d)}, {"cycle", d.cycle}, {"reset", d.reset}});
  return deaths;
}

Json casualties_json(const RunSpec& spec, const Casualties& casualties) {
  Json killed = Json::array(), reset = Json::array(), detected = Json::array();
  for (const Casualties::Event& e : casualties.events) {
    Json event = {{"block", name_of(*spec.graph, e.death)}, {"cycle", e.death.cycle}};
    if (!e.death.reset) {
      killed.push_back(std::move(event));
      continue;
    }
    event["again_in_cycle"] = e.again ? Json(*e.again) : Json(nullptr);
    reset.push_back(std::move(event));
  }
  for (const Casualties::Detection& d : casualties.detected)
    detected.push_back({{"end", d.end},
                        {"block", d.block},
                        {"cycle", d.cycle},
                        {"cycles", d.cycles},
                        {"reason", d.reason}});
  Json rerouted = Json::array();
  for (const Casualties::Rerouting& r : casualties.rerouted) rerouted.push_back(rerouting_json(r));
  Json not_reached = Json::array();
  for (const Death& d : casualties.not_reached)
    not_reached.push_back({{"block", name_of(*spec.graph, d)}, {"cycle", d.cycle}});
  Json recovered = Json::array();
  for (const Casualties::Recovery& r : casualties.recovered)
    recovered.push_back(recovery_json(spec, r));
  Json hit = Json::array();
  for (const Casualties::Group& g : casualties.groups_hit) hit.push_back(group_json(spec, g));
  return {{"killed", std::move(killed)},
          {"reset", std::move(reset)},
          {"not_reached", std::move(not_reached)},
          {"detected", std::move(detected)},
          {"rerouted", std::move(rerouted)},
          {"packets_lost", casualties.packets_lost},
          {"groups_untouched", casualties.untouched},
          {"groups_hit", std::move(hit)},
          {"recovered", std::move(recovered)}};
}

std::string casualties_text(const RunSpec& spec, const Casualties& casualties) {
  std::string text;
  for (const Casualties::Event& event : casualties.events) text += event_text(*spec.graph, event);
  for (const Death& d : casualties.not_reached)
    text += fmt::format("not reached  {} in cycle {}: the run ended before\n",
                        name_of(*spec.graph, d), d.cycle);
  for (const Casualties::Detection& d : casualties.detected)
    text += fmt::format("detected     {} by {} after {} cycles: {}\n", d.block, d.end, d.cycles,
                        d.reason);
  for (const Casualties::Rerouting& r : casualties.rerouted) text += rerouting_text(*spec.graph, r);
  for (const Casualties::Recovery& r : casualties.recovered) text += recovery_text(spec, r);
  for (const Casualties::Group& g : casualties.groups_hit) text += group_text(spec, g);
  if (!casualties.events.empty())
    text += fmt::format("lost         {} packets; {} groups untouched\n", casualties.packets_lost,
                        casualties.untouched.size());
  return text;
}

}  // namespace muster::run
