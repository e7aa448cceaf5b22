// SPDX-License-Identifier: Apache-2.0
#include "muster/run/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/configurations.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

/// What the systems say of a run. What is not asked for goes nowhere.
struct Said {
  Said(const RunSpec& spec, const RunResult& result, core::Record* asked, core::Record* measured) {
    for (const auto& system : systems()) {
      Json nowhere[2], fields = Json::object();
      core::Record unasked(nowhere[0]), unmeasured(nowhere[1]);
      Report out{asked != nullptr ? *asked : unasked, measured != nullptr ? *measured : unmeasured,
                 fields, text};
      system->report(spec, result, out);
      if (!fields.empty()) own[std::string(system->name())] = std::move(fields);
    }
  }
  Json own = Json::object();
  std::string text;
};

void describe_group(core::Record& r, const RunSpec& spec, std::size_t g, std::uint32_t hops) {
  r.add("name", "the group as given", spec.groups[g].name).filled();
  r.add("gid", "group identifier in messages", g);
  r.list("members", "switch:port", spec.groups[g].members,
         [&](topology::NodeId n) { return topology::node_name(*spec.graph, n); })
      .some_unique()
      .each_like(core::kPort);
  r.add("planned_hops", "planned barrier messages on links for each barrier", hops);
}

double microseconds(const RunSpec& spec, double cycles) {
  return cycles * spec.profile.clock_ns / 1000.0;
}

void describe_barrier(core::Record& r, const RunSpec& spec, const RunResult& result,
                      const BarrierRecord& b) {
  const auto us = [&](std::uint64_t cycles) {
    return microseconds(spec, static_cast<double>(cycles));
  };
  r.add("group", "name of its group", spec.groups[b.group].name);
  r.add("number", "from 0, within its group", b.number);
  r.add("latency_cycles", "last arrival to last release", b.latency_cycles);
  r.add("reduction_cycles", "last arrival until the root node decides", b.reduction_cycles);
  r.add("distribution_cycles", "from the end of reduction_cycles to the last release",
        b.distribution_cycles);
  r.add("latency_us", "microseconds, as the next two", us(b.latency_cycles));
  r.add("reduction_us", us(b.reduction_cycles));
  r.add("distribution_us", us(b.distribution_cycles));
  r.add("exit_skew_cycles", "first to last release", b.exit_skew_cycles);
  r.add("hops", "barrier messages on all links, node links included", b.hops);
  r.add("bound_cycles", "upper bound of the latency; null without a bound", b.bound_cycles);
  r.only(b.failed)
      .add("failed",
           "failed: members continued before all had arrived; not in the latencies of the run; "
           "absent otherwise",
           true)
      .with("const", true);
  for (const auto& system : systems()) system->barrier_json(result, b, r);
}

/// Of the completed barriers, each as `unit` has it.
template <class Unit>
void describe_latencies(core::Record& r, const RunResult& result, const Unit& unit) {
  const auto mean = [&](const std::optional<double>& cycles) {
    return cycles ? std::optional<double>(unit(*cycles)) : std::nullopt;
  };
  r.add("min", unit(result.latency_min));
  r.add("mean", unit(result.latency_mean));
  r.add("max", unit(result.latency_max));
  r.add("p50", "half of the barriers do not exceed it", unit(result.latency_p50));
  r.add("p95", "the same for 95 %", unit(result.latency_p95));
  r.add("p99", "the same for 99 %", unit(result.latency_p99));
  r.add("first_mean", "of the first barriers of the groups; null if there are none",
        mean(result.latency_first_mean));
  r.add("later_mean", "of all other barriers", mean(result.latency_later_mean));
}

void describe_run(core::Record& r, const RunSpec& spec, const RunResult& result,
                  const Provenance& origin) {
  core::add_origin(r, "muster-run-1", origin);
  r.add("engine", "golden, rtl or lockstep, or one of the caller of the library", result.engine)
      .filled();
  r.add("scheme", "of --scheme", result.scheme).filled();
  core::add_seed(r, spec.seed);
  core::add_units(r, {{"latency_us", "microseconds"},
                      {"reduction_us", "microseconds"},
                      {"distribution_us", "microseconds"},
                      {"*_cycles", "clock cycles"},
                      {"data_throughput", "accepted flits per node and cycle"},
                      {"hops", "barrier messages on links, node links included"},
                      {"flit_hops", "flits sent by switches"}});
  r.add("parameters", "all settings of the run, including the defaults used",
        [&](core::Record& all) { describe_parameters(all, spec, result); });
  r.add("digest", "hash of all flits and credits by cycle; equal on every engine", result.digest)
      .like(core::kHash);
  add_end(r, result.end);
  r.add("interrupted", "end is interrupted", result.end == End::kInterrupted);
  add_saturated(r, result);
  r.add("cycles", "all, with warm-up and draining", result.cycles);
  r.add("drain_cycles", "the last of them, without new data", result.drain_cycles);
  r.list("barriers", "completed barriers, by group and number", result.barriers, describe_barrier,
         spec, result);
  r.add("latency_cycles",
        "of the completed barriers, first ones included, cycles; 0 if there are none",
        [&](core::Record& cycles) { describe_latencies(cycles, result, std::identity()); });
  r.add("latency_us", "the same in microseconds by the clock of the profile",
        [&](core::Record& us) {
          describe_latencies(us, result, [&](auto cycles) {
            return microseconds(spec, static_cast<double>(cycles));
          });
        });
  const Json own = Said(spec, result, nullptr, &r).own;
  if (!own.empty()) r.add("systems", own);
  r.null_unless(result.data.has_value())
      .add("data_throughput", "accepted flits per node and cycle; null without data",
           result.data.value_or(TrafficStatistics()).accepted);
  r.add("member_wait_cycles_mean",
        "mean cycles of all members from the check for the release to the release",
        result.wait_mean);
  r.add("data", "background data; null without", result.data);
  add_stopped(r, result);
  r.add("violations", "0 if all checks passed", result.violations.size());
  add_texts(r, "violation_texts", result.violations,
            "one for each violation, with cycle and place");
  core::add_counts(r, "checks", "passes of each check, by name of the checker", result.checks);
  r.add("waits", "bounds and longest waits seen; null without checkers", result.waits);
  r.only(result.wires.has_value())
      .add("faults", "events on the wires of links that retry; only with --link-retry",
           [&](core::Record& faults) {
             describe(faults, result.wires.value_or(LinkCounts()));
             describe_casualties(faults, spec, result.casualties);
           });
  r.add("flit_hops", "flits sent by switches", result.flit_hops);
  r.add("switch_cycles", "switches times cycles", result.switch_cycles);
  r.add("switch_cycles_clocked", "those of switch_cycles that were not skipped",
        result.switches_clocked);
  r.add("seconds", "of simulation, set-up not included", result.seconds);
  r.add("switch_cycles_per_second", result.switch_cycles_per_second());
}

constexpr std::size_t kMaxRows = 40;  ///< barriers listed one by one

std::string barrier_table(const RunSpec& spec, const RunResult& result) {
  if (result.barriers.empty() || result.barriers.size() > kMaxRows) return {};
  const double us = spec.profile.clock_ns / 1000.0;
  const auto times = [us](std::uint64_t cycles) {
    return fmt::format("{} ({:.3f})", cycles, static_cast<double>(cycles) * us);
  };
  constexpr const char* kRow = "{:<12} {:>8} {:>16} {:>16} {:>16} {:>10} {:>6}\n";
  std::string text = "times in cycles (us)\n";
  text += fmt::format(kRow, "group", "barrier", "latency", "reduction", "distribution", "exit skew",
                      "hops");
  for (const BarrierRecord& b : result.barriers) {
    text += fmt::format(kRow, spec.groups[b.group].name, b.number, times(b.latency_cycles),
                        times(b.reduction_cycles), times(b.distribution_cycles), b.exit_skew_cycles,
                        b.failed ? "failed" : std::to_string(b.hops));
  }
  return text;
}

/// What --config has to do with it.
std::string choice(const RunSpec& spec, const fabric::SwitchConfig& config) {
  if (spec.config) return "as named";
  if (config.vcs < usual_vcs())
    return fmt::format(
        "other schemes get {} virtual channels, which no built switch of this kind has",
        usual_vcs());
  if (config.kind->last_channel == fabric::LastChannel::kWorms)
    return "every scheme gets the same channels; here the last is for worms, the others for data";
  return "every scheme gets the same channels";
}

}  // namespace

void add_config(core::Record& all, const fabric::SwitchConfig& c) {
  const auto fields = [&](core::Record& r) {
    r.add("name", c.name).filled();
    r.add("kind", "of switch, such as barrier", c.kind->name).filled();
    r.add("ports", c.ports).range(3, topology::kMaxPorts);
    r.add("vcs", "virtual channels", c.vcs).range(1, 4);
    r.add("depth", "flits in each input queue", c.depth).range(1, 16);
    r.add("regs", "barrier registers", c.regs);
    r.add("flit_w", "bits of payload in a flit", c.flit_w).range(16, 80);
    r.add("gid_w", "bits of a group identifier", c.gid_w).range(4, 12);
    r.add("dests", "entries of the routing table", c.dests).with("minimum", 16);
  };
  all.add("config", "parameters of the switches, as in rtl/configurations.json", fields);
}

void add_end(core::Record& r, End end) {
  static constexpr const char* kNames[] = {"complete", "groups stopped", "hang", "violation",
                                           "interrupted"};  // by End
  r.add("end",
        "how the run ended; complete: all barriers done and the network empty; groups stopped: the "
        "same, but groups that lost a part did not do all",
        kNames[static_cast<unsigned>(end)])
      .one_of({"complete", "groups stopped", "hang", "violation", "interrupted"});
}

void add_saturated(core::Record& r, const RunResult& result) {
  r.add("saturated", "source queues of the data still grew at the end",
        result.data && result.data->saturated);
}

void add_stopped(core::Record& r, const RunResult& result) {
  core::Record stopped = r.only(!result.stopped.empty());
  add_texts(stopped, "stopped_texts", result.stopped,
            "one for each group that stopped, and why; only if end is groups stopped");
  r.rule("stopped_texts").with("minItems", 1);
}

void add_texts(core::Record& r, const char* key, const std::vector<std::string>& texts,
               const char* sentence) {
  r.add(key, sentence, texts).each_filled();
}

core::Rule add_cycles(core::Record& r, const char* key, std::uint64_t cycles,
                      const char* sentence) {
  return r.add(key, sentence, cycles).range<std::uint64_t>(0, kMostCycles);
}

void describe(core::Record& r, const CongestionSpec& s) {
  r.add("members", "of each group, per barrier", s.members).with("minimum", 1);
  add_cycles(r, "cycles", s.cycles);
}

void add_network(core::Record& r, const topology::Graph& graph) {
  r.add("network", "its name; empty if the file has none", graph.name);
  r.add("switches", graph.switches()).range(1, 65536);
  r.add("nodes", graph.nodes()).range(1, 65536);
}

void describe_parameters(core::Record& r, const RunSpec& spec, const RunResult& result) {
  add_network(r, *spec.graph);
  add_config(r, result.config);
  r.list("groups", "none with --no-barriers", std::views::iota(std::size_t{0}, spec.groups.size()),
         [&](core::Record& group, std::size_t g) {
           describe_group(group, spec, g, result.planned_hops[g]);
         });
  RunSpec asked = spec;
  const bool centered = find_scheme(spec.scheme).scheme.centered;
  if (!centered) asked.center.reset();
  if (centered && !spec.center) asked.center = topology::CenterChoice::kNearest;
  put_fields(asked, r);
  r.rule("center").with("description", "choice of the center; null for schemes without a center");
  r.rule("skip").with("description", "quiescent switches are not clocked");
  r.rule("checkers").with("description", "the links are checked");
  const std::string arrivals = spec.arrivals ? spec.arrivals->name() : "";
  r.null_unless(!arrivals.empty())
      .add("arrivals", "name of the recording of arrival times; null: by spread_cycles", arrivals);
  r.add("congestion", "links that are held; null without --congestion", spec.congestion);
  r.only(spec.links.retry)
      .add("links", "of links that retry, faults and deaths; only with --link-retry",
           [&](core::Record& links) { describe_links(links, spec); });
  r.add("load_flits_per_node_cycle", "requested background data; 0: none", spec.load_flits);
  r.null_unless(spec.load > 0.0 || spec.load_flits == 0.0)
      .add("load", "the same as a share of the route bound; null with --load-flits or --packets",
           spec.load);
  add_cycles(r, "warmup_cycles", spec.warmup, "only data, before members may arrive");
  r.add("profile", "timing profile; delays are cycles beyond those of the RTL",
        [&](core::Record& p) {
          Profile used = spec.profile;
          used.pipe = result.pipe;
          put_fields(used, p);
          p.rule("name").filled();
        });
  Said(spec, result, &r, nullptr);
}

void describe(core::Record& r, const TrafficStatistics& d) {
  r.add("offered_flits_per_node_cycle", "from the end of the warm-up to the end of the barriers",
        d.offered);
  r.add("accepted_flits_per_node_cycle", "in the same time", d.accepted);
  r.add("packets_generated", "warm-up included", d.generated);
  r.add("packets_delivered", "warm-up included", d.delivered);
  r.add("packets_waiting", "in source queues at the end", d.backlog);
  r.add("packets_measured", "generated since the warm-up and delivered", d.measured);
  r.add("packets_unfinished",
        "generated since the warm-up and not delivered at the end of the barriers", d.unfinished);
  r.add("packet_latency_cycles",
        "of measured packets, from generation to the tail at the destination; null without "
        "packets. In a saturated run slow packets are not finished, so all of these are too low",
        [&](core::Record& latency) {
          core::Record l = latency.null_unless(d.measured != 0);
          l.add("min", d.latency_min);
          l.add("mean", d.latency_mean);
          l.add("max", d.latency_max);
          l.add("p50",
                "the least that half of them do not exceed; above 8191 cycles up to 1/4096 more, "
                "as p95 and p99",
                d.latency_p50);
          l.add("p95", d.latency_p95);
          l.add("p99", d.latency_p99);
        });
}

void describe(core::Record& r, const Waits& w) {
  r.add("packet_bound_cycles",
        "most cycles allowed from a packet's head on the wires to its tail's end", w.packet_bound);
  r.add("longest_packet_cycles", w.longest_packet);
  r.add("barrier_bound_cycles", "most cycles for which a switch may owe a barrier message",
        w.barrier_bound);
  r.add("longest_barrier_cycles", "owed by a barrier register; null if there were none",
        w.longest_barrier);
}

std::string run_to_json(const RunSpec& spec, const RunResult& result, const Provenance& origin) {
  return core::json_text([&](core::Record& r) { describe_run(r, spec, result, origin); });
}

Json run_schema(const RunSpec& spec, const RunResult& result) {
  Json schema = core::json_schema("Result of muster run",
                                  "Settings and results of a run; docs/reference/runs.md. Fields "
                                  "of one system are null or absent in runs of the others.",
                                  [&](core::Record& r) { describe_run(r, spec, result, {}); });
  // A pattern, because no result of the systems of this tree has it.
  schema["patternProperties"]["^systems$"] = {
      {"description", "fields of systems from outside the tree, by name of the system"},
      {"type", "object"},
      {"minProperties", 1},
      {"additionalProperties", {{"type", "object"}, {"minProperties", 1}}}};
  return schema;
}

std::string switches_to_text(const RunSpec& spec, const fabric::SwitchConfig& config) {
  return fmt::format(
      "switches     {}: {} ports, {} virtual channel{} of {} flits, {} bits wide, {} kind; {}\n",
      config.name, config.ports, config.vcs, config.vcs == 1 ? "" : "s", config.depth,
      config.flit_w, config.kind->name, choice(spec, config));
}

std::string run_to_text(const RunSpec& spec, const RunResult& result) {
  std::string text = barrier_table(spec, result);
  if (!result.barriers.empty()) {
    const double us = spec.profile.clock_ns / 1000.0;
    text += fmt::format(
        "latency      {}, min {} mean {:.1f} max {} cycles, p50 {} p95 {} p99 {}; mean "
        "{:.3f} us (profile {}, {} ns clock)\n",
        counted(static_cast<std::uint64_t>(std::ranges::count_if(
                    result.barriers, [](const BarrierRecord& b) { return !b.failed; })),
                "barrier", "barriers"),
        result.latency_min, result.latency_mean, result.latency_max, result.latency_p50,
        result.latency_p95, result.latency_p99, result.latency_mean * us, spec.profile.name,
        spec.profile.clock_ns);
    if (result.latency_first_mean && result.latency_later_mean)
      text += fmt::format(
          "first        barrier of a group {:.1f} cycles, later ones {:.1f} on average; latency "
          "includes both\n",
          *result.latency_first_mean, *result.latency_later_mean);
  }
  text += Said(spec, result, nullptr, nullptr).text;
  text += links_text(result.links);
  if (result.wires) text += faults_text(*result.wires);
  text += casualties_text(spec, result.casualties);
  if (spec.split != 0)
    text += fmt::format(
        "split phase  members wait {:.1f} cycles on average from their check to the release\n",
        result.wait_mean);
  if (const auto& d = result.data) {
    const std::string latency =
        d->measured == 0 ? "-"
                         : fmt::format("min {} mean {:.1f} max {} cycles, p50 {} p95 {} p99 {}",
                                       d->latency_min, d->latency_mean, d->latency_max,
                                       d->latency_p50, d->latency_p95, d->latency_p99);
    text += fmt::format(
        "data         offered {:.4f} accepted {:.4f} flits/node/cycle, {} delivered, latency {}; "
        "{} "
        "not finished{}\n",
        d->offered, d->accepted, counted(d->delivered, "packet", "packets"), latency,
        counted(d->unfinished, "packet was", "packets were"),
        d->saturated ? ", SATURATED: source queues still grow" : "");
    std::uint64_t later = 0;
    if (spec.packets)
      for (const auto& packets : *spec.packets)
        later += static_cast<std::uint64_t>(
            std::ranges::count_if(packets, [&](const TracedPacket& packet) {
              return packet.cycle >= result.cycles - result.drain_cycles;
            }));
    if (later != 0)
      text +=
          fmt::format("later        {} after the end; add --min-cycles\n",
                      counted(later, "packet of --packets begins", "packets of --packets begin"));
  }
  if (result.end == End::kInterrupted)
    text += fmt::format("interrupted  {} of {} barriers were done\n", result.barriers.size(),
                        std::uint64_t{spec.barriers} * spec.groups.size());
  for (const std::string& group : result.stopped) text += "stopped      " + group + "\n";
  std::uint64_t checks = 0;
  for (const CheckCount& c : result.checks) checks += c.passed;
  text += fmt::format("checks       {} passed, {}\n", checks,
                      counted(result.violations.size(), "violation", "violations"));
  for (const std::string& violation : result.violations) text += "violation    " + violation + "\n";
  text += fmt::format(
      "simulated    {} cycles of {} switches ({}, engine {}{}), {:.3g} switch-cycles/s\n"
      "digest       {}\n",
      result.cycles, spec.graph->switches(), result.config.name, result.engine,
      spec.threads > 1 ? fmt::format(", {} threads", spec.threads) : "",
      result.switch_cycles_per_second(), result.digest);
  return text;
}

}  // namespace muster::run
