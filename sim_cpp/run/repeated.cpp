// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/ratio_estimate.hpp"
#include "core/text.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

using Quantity = std::optional<double>;

/// A quantity that some runs have, and its name in JSON.
struct Statistic {
  const char* name;
  Quantity (*of)(const RunResult& run);
};

// A run whose barriers have all failed, or that has no data, says nothing of these.
template <auto kMember>
Quantity latency(const RunResult& r) {
  if (!r.latency_first_mean && !r.latency_later_mean) return std::nullopt;
  return static_cast<double>(r.*kMember);
}
template <auto kMember>
Quantity data(const RunResult& r) {
  return r.data ? Quantity((*r.data).*kMember) : std::nullopt;
}
template <auto kMember>
Quantity packets(const RunResult& r) {
  if (!r.data || r.data->measured == 0) return std::nullopt;
  return static_cast<double>((*r.data).*kMember);
}

constexpr Statistic kLatencies[] = {
    {"mean", latency<&RunResult::latency_mean>},
    {"p50", latency<&RunResult::latency_p50>},
    {"p95", latency<&RunResult::latency_p95>},
    {"p99", latency<&RunResult::latency_p99>},
    {"first_mean", [](const RunResult& r) { return r.latency_first_mean; }},
    {"later_mean", [](const RunResult& r) { return r.latency_later_mean; }}};

using Data = TrafficStatistics;
constexpr Statistic kData[] = {{"offered_flits_per_node_cycle", data<&Data::offered>},
                               {"accepted_flits_per_node_cycle", data<&Data::accepted>},
                               {"packet_latency_mean_cycles", packets<&Data::latency_mean>},
                               {"packet_latency_p50_cycles", packets<&Data::latency_p50>},
                               {"packet_latency_p95_cycles", packets<&Data::latency_p95>},
                               {"packet_latency_p99_cycles", packets<&Data::latency_p99>}};

/// A mean over the complete runs that have the quantity; they differ in their seeds only.
using Estimate = core::RatioEstimate;

/// What the complete runs say together.
class Summary {
 public:
  explicit Summary(const std::vector<RunResult>& results) {
    for (const RunResult& r : results) {
      if (r.end != End::kComplete) continue;
      ++complete;
      saturated += r.data && r.data->saturated;
    }
    add(kLatencies, results);
    add(kData, results);
  }
  /// Of the statistic with this name.
  const Estimate& operator[](const std::string& name) const { return estimates_.at(name); }

  std::uint32_t complete = 0, saturated = 0;  ///< runs

 private:
  void add(std::span<const Statistic> statistics, const std::vector<RunResult>& results) {
    for (const Statistic& statistic : statistics) {
      Estimate& mean = estimates_[statistic.name];
      for (const RunResult& result : results)
        if (const auto quantity = statistic.of(result); quantity && result.end == End::kComplete)
          mean.add(*quantity, 1);
    }
  }

  std::map<std::string, Estimate> estimates_;
};

void describe(core::Record& r, const Estimate& e, double unit) {
  const auto scaled = [unit](const Quantity& value) {
    return value ? Quantity(*value * unit) : std::nullopt;
  };
  r.add("mean", "null without a run", scaled(e.mean()));
  r.add("half_width", "of the 95 % interval of Student's t; null below two runs",
        scaled(e.half_width()));
  r.add("runs", "that have the quantity", static_cast<std::uint32_t>(e.members()));
}

/// Fields with the estimates, times `unit`.
auto estimates(const Summary& all, std::span<const Statistic> statistics, double unit = 1.0) {
  return [&all, statistics, unit](core::Record& r) {
    for (const Statistic& statistic : statistics)
      r.add(statistic.name, [&](core::Record& e) { describe(e, all[statistic.name], unit); });
  };
}

void describe_single(core::Record& r, std::uint64_t seed, const RunResult& result) {
  core::add_seed(r, seed);
  r.add("digest", "of muster run with this seed", result.digest).like(core::kHash);
  add_end(r, result.end);
  add_saturated(r, result);
  r.add("cycles", "all, with warm-up and draining", result.cycles);
  r.add("barriers", "that were complete", result.barriers.size());
  r.add("latency_mean_cycles", "of these barriers; 0 without any", result.latency_mean);
  add_texts(r, "violation_texts", result.violations);
  add_stopped(r, result);
}

std::string estimate_text(const Estimate& e, double unit, int digits) {
  if (!e.mean()) return "-";
  std::string text = fmt::format("{:.{}f}", *e.mean() * unit, digits);
  if (e.half_width()) text += fmt::format(" +- {:.{}f}", *e.half_width() * unit, digits);
  return text;
}

}  // namespace

bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked) {
  return results.size() < asked ||
         std::ranges::any_of(results, [](const auto& r) { return r.end == End::kInterrupted; });
}

void describe_repeated(core::Record& r, const RunSpec& first, const std::vector<RunResult>& results,
                       std::uint32_t asked, const Provenance& origin) {
  const Summary all(results);
  core::add_origin(r, "muster-repeat-1", origin);
  r.add("engine", "of all runs", results.front().engine).filled();
  r.add("scheme", "of --scheme", results.front().scheme).filled();
  core::add_seed(r, first.seed, "of the first run; each further one has the next");
  r.add("repeat", "requested runs", asked).with("minimum", 2);
  core::add_units(r, {{"*_cycles", "clock cycles"},
                      {"latency_us", "microseconds"},
                      {"mean", "over the complete runs"},
                      {"half_width", "of the 95 % interval of Student's t over these runs"}});
  r.add("parameters", [&](core::Record& p) { describe_parameters(p, first, results.front()); });
  r.add("complete", "complete runs; the means cover only these", all.complete);
  r.add("saturated", "of the complete runs", all.saturated);
  r.add("latency_cycles", "means over the runs of the values of these names in muster-run-1",
        estimates(all, kLatencies));
  r.add("latency_us", "the same in microseconds",
        estimates(all, kLatencies, first.profile.clock_ns / 1000.0));
  r.null_unless(first.load_flits > 0.0)
      .add("data", "means over the runs; null without background data", estimates(all, kData));
  r.list(
       "runs", "the runs that were started, by seed",
       std::views::iota(std::size_t{0}, results.size()),
       [&](core::Record& run, std::size_t i) { describe_single(run, first.seed + i, results[i]); })
      .with("minItems", 1);
  std::uint64_t violations = 0;
  for (const RunResult& result : results) violations += result.violations.size();
  r.add("violations", "of all runs", violations);
  r.add("interrupted", "an interruption left runs incomplete", were_interrupted(results, asked));
}

Json repeated_schema(const RunSpec& spec, const RunResult& result) {
  Json schema = core::json_schema(
      "Result of muster run --repeat",
      "Runs that differ only in their seeds, and means over them; docs/reference/runs.md.",
      [&](core::Record& r) { describe_repeated(r, spec, {result}, 1, {}); });
  schema["properties"]["parameters"] = {
      {"description", "of the first run; random groups differ in each run"},
      {"$ref", "muster-run-1.schema.json#/properties/parameters"}};
  return schema;
}

std::string repeated_to_text(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked) {
  const Summary all(results);
  const double us = first.profile.clock_ns / 1000.0;
  const auto cycles = [](const Estimate& e) { return estimate_text(e, 1.0, 1); };
  std::string text = fmt::format(
      "runs         {} of {} complete, seeds from {}, {} saturated; means of these runs, +- the 95 "
      "% interval\n",
      all.complete, asked, first.seed, all.saturated);
  text += fmt::format(
      "latency      mean {} cycles, p50 {}, p95 {}, p99 {}; mean {} us (profile {}, {} ns clock)\n",
      cycles(all["mean"]), cycles(all["p50"]), cycles(all["p95"]), cycles(all["p99"]),
      estimate_text(all["mean"], us, 3), first.profile.name, first.profile.clock_ns);
  text += fmt::format(
      "first        barrier of a group {} cycles, later ones {}; latency includes both\n",
      cycles(all["first_mean"]), cycles(all["later_mean"]));
  if (first.load_flits > 0.0)
    text += fmt::format(
        "data         offered {} accepted {} flits/node/cycle, packet latency {} cycles, p50 {}, "
        "p95 {}, p99 {}\n",
        estimate_text(all["offered_flits_per_node_cycle"], 1.0, 4),
        estimate_text(all["accepted_flits_per_node_cycle"], 1.0, 4),
        cycles(all["packet_latency_mean_cycles"]), cycles(all["packet_latency_p50_cycles"]),
        cycles(all["packet_latency_p95_cycles"]), cycles(all["packet_latency_p99_cycles"]));
  std::uint64_t checks = 0, violations = 0;
  for (const RunResult& result : results) {
    for (const CheckCount& c : result.checks) checks += c.passed;
    violations += result.violations.size();
  }
  text += fmt::format("checks       {} passed, {}\n", checks,
                      counted(violations, "violation", "violations"));
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const std::string& group : results[i].stopped)
      text += fmt::format("stopped      seed {}: {}\n", first.seed + i, group);
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const std::string& violation : results[i].violations)
      text += fmt::format("violation    seed {}: {}\n", first.seed + i, violation);
  return text;
}

}  // namespace muster::run
