// SPDX-License-Identifier: Apache-2.0
#include "run/result_parts.hpp"

#include <algorithm>

#include "core/ratio_estimate.hpp"
#include "core/text.hpp"
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
  std::ranges::sort(latencies);
  result.latency_min = latencies.front();
  result.latency_max = latencies.back();
  result.latency_mean = *all.mean();
  result.latency_p50 = percentile(latencies, 50);
  result.latency_p95 = percentile(latencies, 95);
  result.latency_p99 = percentile(latencies, 99);
  result.latency_first_mean = first.mean();
  result.latency_later_mean = later.mean();
}

void add_block(core::Record& r, const char* key, const std::string& name) {
  r.add(key, name).like(core::kBlock);
}

std::string name_of(const KilledLink& link) {
  return fmt::format("{}:{}-{}:{}", link.a.sw, link.a.port, link.b.sw, link.b.port);
}

const char* held_text(const LinkResult& l) {
  if (l.groups_held) return " with packets and groups held";
  return l.quiesced ? " with packets held" : "";
}

const char* status_of(const Casualties::Group& g) {
  if (!g.complete) return "stopped";
  return g.recovered ? "recovered" : "complete";
}

void describe_hit(core::Record& r, const RunSpec& spec, const Casualties::Group& g) {
  r.add("group", spec.groups[g.group].name);
  add_block(r, "culprit", g.culprit);
  r.add("lost_in_cycle", g.cycle);
  r.add("barriers_done", g.barriers);
  r.add("last_event_cycle", "of its last arrival or release", g.last);
  r.add("status", status_of(g)).one_of({"complete", "stopped", "recovered"});
}

std::string group_text(const RunSpec& spec, const Casualties::Group& g) {
  const std::string &name = spec.groups[g.group].name, culprit = labelled(*spec.graph, g.culprit);
  if (g.complete)
    return fmt::format("hit          group '{}' by {} in cycle {}: all barriers done{}\n", name,
                       culprit, g.cycle,
                       g.recovered ? ", after a recovery" : ", without a recovery");
  return fmt::format(
      "hit          group '{}' by {} in cycle {}: {} of {} barriers done, stopped since cycle {}\n",
      name, culprit, g.cycle, g.barriers, spec.barriers, g.last);
}

void describe_recovery(core::Record& r, const RunSpec& spec, const Casualties::Recovery& x) {
  r.add("group", spec.groups[x.group].name);
  r.add("suspect_in_cycle", "the manager found the loss and began", x.suspect);
  r.add("cycles_to_detect", "from the last death or reset", x.suspect - x.cause);
  r.list("members_lost", "", x.lost, [](std::uint32_t n) {
     return block_name(true, n);
   }).each_like(core::kBlock);
  r.add("epoch", "of the group from then on, in messages and registers", x.epoch)
      .with("maximum", 3);
  r.add("recovered_in_cycle", "the survivors continued; null if they did not", x.recovered);
  r.null_unless(x.recovered.has_value())
      .add("cycles_to_recover", x.recovered.value_or(x.suspect) - x.suspect);
  r.add("failed_barrier", "number of the barrier that failed for all survivors; null if none did",
        x.failed_barrier);
  r.null_unless(!x.stopped.empty())
      .add("stopped", "reason why the group does not continue; null if it does", x.stopped)
      .filled();
}

std::string recovery_text(const RunSpec& spec, const Casualties::Recovery& r) {
  const std::string& name = spec.groups[r.group].name;
  std::string text = fmt::format("recovery     group '{}': begun in cycle {}, ", name, r.suspect);
  if (!r.recovered)
    return text +
           fmt::format("not finished: {}\n", r.stopped.empty() ? "the run ended" : r.stopped);
  text += fmt::format("barriers continue in cycle {} with {} lost", *r.recovered,
                      counted(r.lost.size(), "member", "members"));
  if (r.failed_barrier) text += fmt::format(", barrier {} failed", *r.failed_barrier);
  return text + "\n";
}

void describe_rerouting(core::Record& r, const Casualties::Rerouting& x) {
  const auto cycle = [&](const char* key, std::uint64_t c, const char* sentence) {
    r.null_unless(c != 0).add(key, sentence, c);
  };
  r.add("first_down_cycle", "an end of a link between switches went down", x.first_down);
  r.add("connected", "false: the routes were kept", x.connected);
  cycle("held_in_cycle", x.held, "nodes began to hold packets; null if never, here and below");
  cycle("empty_in_cycle", x.empty, "no packet was in the network");
  cycle("again_in_cycle", x.again, "the tables were complete and nodes sent packets again");
  r.add("words_written", "of routing tables", x.words);
  core::Record routes = r.null_unless(x.connected);
  routes
      .add("levels",
           "of up*/down*: those of the network's file, or new ones of what is left; null if not "
           "connected",
           x.by_file ? "file" : "new")
      .one_of({"file", "new"});
  routes
      .add("route_bound_flits_per_node_cycle",
           "of the new routes, between the nodes that answer; null if not connected", x.route_bound)
      .with("exclusiveMinimum", 0)
      .with("maximum", 1);
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
  const std::string name = labelled(graph, name_of(graph, d));
  if (!d.reset) return fmt::format("dead         {} from cycle {} on\n", name, d.cycle);
  return fmt::format(
      "reset        {} in cycle {}, {}\n", name, d.cycle,
      event.again ? fmt::format("packets again in cycle {}", *event.again) : "not taken back");
}

}  // namespace

void add_barrier_records(RunResult& result, const Members& members,
                         const BarrierTraffic& messages) {
  for (std::uint32_t g = 0; g < members.groups(); ++g) {
    for (std::uint32_t b = 0; b < members.rounds(g).size(); ++b) {
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

void describe_links(core::Record& r, const RunSpec& spec) {
  put_fields(spec.links, r);
  r.list("flaps", "", spec.links.flaps, [](core::Record& flap, const Flap& f) {
    flap.add("channel", f.channel);
    add_cycles(flap, "cycle", f.first);
    add_cycles(flap, "cycles", f.cycles);
  });
  r.list("deaths", "requested deaths of switches, nodes and links", spec.deaths,
         [&](core::Record& death, const Death& d) {
           add_block(death, "block", name_of(*spec.graph, d));
           add_cycles(death, "cycle", d.cycle);
           death.add("reset", "it continues as after reset", d.reset);
         });
}

void describe(core::Record& r, const LinkCounts& counts) {
  r.add("link_frames", "put on all wires", counts.frames);
  r.add("injected", "frames, by kind of fault", [&](core::Record& injected) {
    injected.add("dropped", counts.dropped);
    injected.add("corrupted", counts.corrupted);
    injected.add("duplicated", counts.duplicated);
    injected.add("flapped", "lost in flaps and on cut links", counts.flapped);
    injected.add("acks_dropped", "acknowledgements lost by --ack-drop", counts.acks_dropped);
  });
  r.add("link_replays", "retransmitted flits", counts.replayed);
  add_texts(r, "links_down", counts.down, "the channels whose sending end is down, and why");
  r.only(counts.lost.has_value())
      .add("messages_lost",
           "barrier messages without a place in a replay buffer, of each end up to 255; only with "
           "--retry",
           counts.lost.value_or(0));
}

std::string faults_text(const LinkCounts& counts) {
  const std::string lost =
      counts.lost ? fmt::format(", {} barrier messages lost for lack of a place in replay buffers",
                                *counts.lost)
                  : "";
  return fmt::format(
      "links        {} frames, {} dropped, {} corrupted, {} duplicated, {} lost in flaps{}; {} "
      "flits retransmitted{}, {} down\n",
      counts.frames, counts.dropped, counts.corrupted, counts.duplicated, counts.flapped,
      counts.acks_dropped != 0 ? fmt::format(", {} acknowledgements dropped", counts.acks_dropped)
                               : "",
      counts.replayed, lost, counted(counts.down.size(), "link end", "link ends"));
}

void describe(core::Record& r, const LinkResult& l) {
  const auto since = [&](const char* key, std::uint64_t cycle, const char* sentence) {
    r.null_unless(cycle != 0).add(key, sentence, cycle - l.link.cycle);
  };
  r.add("link", "switch:port-switch:port", name_of(l.link)).like(core::kLink);
  r.add("declared_in_cycle", "as dead", l.link.cycle);
  r.add("acyclic_together", "old and new routes together have no dependency cycle", l.acyclic);
  r.add("packets_held", "while the tables were written", l.quiesced);
  r.add("groups_held", "groups held between two barriers while the tables were written",
        l.groups_held);
  r.add("masks_narrowed", "entries that lost the link at once, because other ports remained",
        l.narrowed);
  r.add("words_written", "of routing tables", l.entries);
  since("empty_cycles", l.empty,
        "until no packet was in the network; null if that was not reached");
  since("routed_cycles", l.routed,
        "until the new tables were complete; null if that was not reached");
  since("out_cycles", l.out, "until the link was removed; null if that was not reached");
}

std::string links_text(std::span<const LinkResult> links) {
  std::string text;
  for (const LinkResult& l : links)
    text += fmt::format(
        "dead link    {} declared in cycle {}, {} words written{}, {}\n", name_of(l.link),
        l.link.cycle, l.entries, held_text(l),
        l.out == 0 ? "not removed" : fmt::format("removed after {} cycles", l.out - l.link.cycle));
  return text;
}

void describe_casualties(core::Record& r, const RunSpec& spec, const Casualties& casualties) {
  using Event = Casualties::Event;
  const auto death = [&](core::Record& event, const Death& d) {
    add_block(event, "block", name_of(*spec.graph, d));
    event.add("cycle", d.cycle);
  };
  const auto events = [&](bool reset) {
    std::vector<Event> found;
    std::ranges::copy_if(casualties.events, std::back_inserter(found),
                         [&](const Event& e) { return e.death.reset == reset; });
    return found;
  };
  r.list("killed", "switches and nodes that died, in order", events(false),
         [&](core::Record& event, const Event& e) { death(event, e.death); });
  r.list("reset", "switches that were reset, in order", events(true),
         [&](core::Record& event, const Event& e) {
           death(event, e.death);
           event.add("again_in_cycle",
                     "packets pass through it again; null if the run ended before", e.again);
         });
  r.list("not_reached", "deaths and resets for which the run ended too early",
         casualties.not_reached, death);
  r.list("detected", "link ends that went down next to a death or reset, in order",
         casualties.detected, [](core::Record& end, const Casualties::Detection& d) {
           end.add("end", "its channel", d.end).filled();
           add_block(end, "block", d.block);
           end.add("cycle", d.cycle);
           end.add("cycles", "since the death or reset", d.cycles);
           end.add("reason", d.reason).filled();
         });
  r.list("rerouted", "routes around dead parts, for each time that they were planned",
         casualties.rerouted, describe_rerouting);
  r.add("packets_lost", "data packets that were sent and did not arrive complete",
        casualties.packets_lost);
  r.add("groups_untouched", "names of groups without a loss during their barriers",
        casualties.untouched);
  r.list("groups_hit", "groups that have lost a member or a switch of their tree",
         casualties.groups_hit, describe_hit, spec);
  r.list("recovered",
         "groups that continued with a new epoch, and the tree of the remaining members",
         casualties.recovered, describe_recovery, spec);
}

std::string casualties_text(const RunSpec& spec, const Casualties& casualties) {
  std::string text;
  for (const Casualties::Event& event : casualties.events) text += event_text(*spec.graph, event);
  for (const Death& d : casualties.not_reached)
    text += fmt::format("not reached  {} in cycle {}: the run ended before\n",
                        labelled(*spec.graph, name_of(*spec.graph, d)), d.cycle);
  for (const Casualties::Detection& d : casualties.detected)
    text += fmt::format("detected     {} by {} after {} cycles: {}\n",
                        labelled(*spec.graph, d.block), d.end, d.cycles, d.reason);
  for (const Casualties::Rerouting& r : casualties.rerouted) text += rerouting_text(*spec.graph, r);
  for (const Casualties::Recovery& r : casualties.recovered) text += recovery_text(spec, r);
  for (const Casualties::Group& g : casualties.groups_hit) text += group_text(spec, g);
  if (!casualties.events.empty())
    text += fmt::format("lost         {}; {} untouched\n",
                        counted(casualties.packets_lost, "packet", "packets"),
                        counted(casualties.untouched.size(), "group", "groups"));
  return text;
}

}  // namespace muster::run
