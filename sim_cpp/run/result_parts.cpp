// SPDX-License-Identifier: Apache-2.0
#include "run/result_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ratio_estimate.hpp"
#include "run/deaths/deaths.hpp"

namespace muster::run {
namespace {

BarrierRecord record_of(const Round& round, std::uint32_t group, std::uint32_t number,
                        const BarrierTraffic& messages) {
  // Where no node knows, the first message of a release on a link tells that a switch does.
  // Of one that fails each member knows when it arrives.
  const std::uint64_t known = round.failed      ? round.last_arrival
                              : round.completed ? *round.completed
                                                : messages.first_release(group, number);
  BarrierRecord record;
  record.group = group;
  record.number = number;
  record.latency_cycles = round.last_release - round.last_arrival;
  record.reduction_cycles = known - round.last_arrival;
  record.distribution_cycles = round.last_release - known;
  record.exit_skew_cycles = round.last_release - round.first_release;
  record.released_at = round.last_release;
  record.hops = messages.hops(group, number);
  record.failed = round.failed;
  return record;
}

/// The least of `ascending` that `percent` of all do not exceed.
std::uint64_t percentile(const std::vector<std::uint64_t>& ascending, std::size_t percent) {
  return ascending[(ascending.size() * percent + 99) / 100 - 1];
}

/// From `result.barriers`.
void summarize(RunResult& result) {
  std::vector<std::uint64_t> latencies;
  core::RatioEstimate all, first, later;
  for (const BarrierRecord& b : result.barriers) {
    if (b.failed) continue;
    latencies.push_back(b.latency_cycles);
    const auto latency = static_cast<double>(b.latency_cycles);
    all.add(latency, 1);
    (b.number == 0 ? first : later).add(latency, 1);
  }
  if (latencies.empty()) return;
  std::sort(latencies.begin(), latencies.end());
  result.latency_min = latencies.front();
  result.latency_max = latencies.back();
  result.latency_mean = *all.mean();
  result.latency_p50 = percentile(latencies, 50);
  result.latency_p95 = percentile(latencies, 95);
  result.latency_p99 = percentile(latencies, 99);
  result.latency_first_mean = first.mean();
  result.latency_later_mean = later.mean();
}

}  // namespace

void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages) {
  for (std::uint32_t g = 0; g < members.groups(); ++g) {
    for (std::uint32_t b = 0; b < barriers; ++b) {
      const Round& round = members.rounds(g)[b];
      if (round.releases != round.members) continue;
      result.barriers.push_back(record_of(round, g, b, messages));
    }
  }
  summarize(result);
}

void add_bounds(RunResult& result, const checkers::CheckerList& checkers) {
  for (BarrierRecord& record : result.barriers)
    if (const auto slack = checkers.slack(record.group, record.number))
      record.bound_cycles = record.latency_cycles + *slack;
}

Json links_parameters(const LinkSpec& spec) {
  Json out;
  put_fields(spec, out);
  out["flaps"] = list_of(spec.flaps, [](const Flap& flap) -> Json {
    return {{"channel", flap.channel}, {"cycle", flap.first}, {"cycles", flap.cycles}};
  });
  return out;
}

Json faults_json(const LinkCounts& counts) {
  Json faults = {{"link_frames", counts.frames},
                 {"injected",
                  {{"dropped", counts.dropped},
                   {"corrupted", counts.corrupted},
                   {"duplicated", counts.duplicated},
                   {"flapped", counts.flapped},
                   {"acks_dropped", counts.acks_dropped}}},
                 {"link_replays", counts.replayed},
                 {"links_down", counts.down}};
  if (counts.lost) faults["messages_lost"] = *counts.lost;
  return faults;
}

std::string faults_text(const LinkCounts& counts) {
  const std::string lost =
      counts.lost ? fmt::format(", {} barrier messages lost without a place", *counts.lost) : "";
  return fmt::format(
      "links        {} frames, {} dropped, {} corrupted, {} duplicated, {} in flaps{}; {} flits "
      "retransmitted{}, {} end{} down\n",
      counts.frames, counts.dropped, counts.corrupted, counts.duplicated, counts.flapped,
      counts.acks_dropped != 0 ? fmt::format(", {} jammed", counts.acks_dropped) : "",
      counts.replayed, lost, counts.down.size(), counts.down.size() == 1 ? "" : "s");
}

namespace {

std::string name_of(const KilledLink& link) {
  return fmt::format("{}:{}-{}:{}", link.a.sw, link.a.port, link.b.sw, link.b.port);
}

Json link_json(const LinkResult& l) {
  const auto since = [&](std::uint64_t cycle) {
    return cycle == 0 ? Json(nullptr) : Json(cycle - l.link.cycle);
  };
  return {{"link", name_of(l.link)},          {"declared_in_cycle", l.link.cycle},
          {"acyclic_together", l.acyclic},    {"packets_held", l.quiesced},
          {"groups_held", l.groups_held},     {"masks_narrowed", l.narrowed},
          {"words_written", l.entries},       {"empty_cycles", since(l.empty)},
          {"routed_cycles", since(l.routed)}, {"out_cycles", since(l.out)}};
}

const char* held_text(const LinkResult& l) {
  if (l.groups_held) return " with packets and groups held";
  return l.quiesced ? " with packets held" : "";
}

}  // namespace

Json links_to_json(std::span<const LinkResult> links) { return list_of(links, link_json); }

std::string links_text(std::span<const LinkResult> links) {
  std::string text;
  for (const LinkResult& l : links)
    text += fmt::format(
        "dead link    {} declared in cycle {}, {} words written{}, {}\n", name_of(l.link),
        l.link.cycle, l.entries, held_text(l),
        l.out == 0 ? "not taken out" : fmt::format("out after {} cycles", l.out - l.link.cycle));
  return text;
}

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
  return {{"group", spec.groups[r.group].name},
          {"suspect_in_cycle", r.suspect},
          {"cycles_to_detect", r.suspect - r.cause},
          {"members_lost", list_of(r.lost, [](std::uint32_t n) { return block_name(true, n); })},
          {"epoch", r.epoch},
          {"recovered_in_cycle", or_null(r.recovered)},
          {"cycles_to_recover", r.recovered ? Json(*r.recovered - r.suspect) : Json(nullptr)},
          {"failed_barrier", or_null(r.failed_barrier)},
          {"stopped", r.stopped.empty() ? Json(nullptr) : Json(r.stopped)}};
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
  return list_of(spec.deaths, [&](const Death& d) -> Json {
    return {{"block", name_of(*spec.graph, d)}, {"cycle", d.cycle}, {"reset", d.reset}};
  });
}

Json casualties_json(const RunSpec& spec, const Casualties& casualties) {
  const auto death = [&](const Death& d) -> Json {
    return {{"block", name_of(*spec.graph, d)}, {"cycle", d.cycle}};
  };
  Json killed = Json::array(), reset = Json::array();
  for (const Casualties::Event& e : casualties.events) {
    Json& event = (e.death.reset ? reset : killed).emplace_back(death(e.death));
    if (e.death.reset) event["again_in_cycle"] = or_null(e.again);
  }
  return {{"killed", std::move(killed)},
          {"reset", std::move(reset)},
          {"not_reached", list_of(casualties.not_reached, death)},
          {"detected", list_of(casualties.detected,
                               [](const Casualties::Detection& d) -> Json {
                                 return {{"end", d.end},
                                         {"block", d.block},
                                         {"cycle", d.cycle},
                                         {"cycles", d.cycles},
                                         {"reason", d.reason}};
                               })},
          {"rerouted", list_of(casualties.rerouted, rerouting_json)},
          {"packets_lost", casualties.packets_lost},
          {"groups_untouched", casualties.untouched},
          {"groups_hit", list_of(casualties.groups_hit,
                                 [&](const Casualties::Group& g) { return group_json(spec, g); })},
          {"recovered", list_of(casualties.recovered, [&](const Casualties::Recovery& r) {
             return recovery_json(spec, r);
           })}};
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
