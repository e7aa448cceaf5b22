// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/record.hpp"
#include "run/run_parts.hpp"

namespace muster::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

std::string number(double value) {
  const bool whole = std::floor(value) == value;
  return fmt::format("{:.{}f}", value, whole || value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2);
}

/// By Goal::Sense: in the table, and in JSON.
constexpr const char* kSigns[] = {"<=", ">=", "="};
constexpr const char* kSenses[] = {"at_most", "at_least", "exactly"};

std::string goal_text(const Goal& goal) {
  return fmt::format("{} {}", kSigns[static_cast<unsigned>(goal.sense)], number(goal.value));
}

void add_link_table(std::string& text, const std::vector<LinkThroughput>& rows) {
  text +=
      "\nflits/cycle on one link and virtual channel (golden; expected depth / (2L + 2), at most "
      "1)\n";
  std::uint32_t latency = 0;
  for (const LinkThroughput& row : rows) {
    if (row.latency != latency)
      text += fmt::format("{}  L = {}:", latency == 0 ? "" : "\n", row.latency);
    latency = row.latency;
    text +=
        fmt::format("  {}: {:.3f}{}", row.depth, row.measured,
                    row.measured == row.expected ? "" : fmt::format(" (not {:.3f})", row.expected));
  }
  text += "\n";
}

/// Measures made in the same way share a line.
void add_methods(std::string& text, const std::vector<Measure>& measures) {
  text += "\nhow\n";
  std::map<std::string, std::vector<std::string>> by_note;
  for (const Measure& measure : measures) by_note[measure.note].push_back(measure.what);
  for (const Measure& measure : measures) {
    const auto found = by_note.find(measure.note);
    if (found == by_note.end()) continue;
    text += fmt::format("  {}: {}\n", fmt::join(found->second, "; "), found->first);
    by_note.erase(found);
  }
}

Machine this_machine(const fabric::EngineRegistry& engines) {
  Machine machine{.cpu = cpu_model(),
                  .compiler = compiler(),
                  .cores = std::thread::hardware_concurrency(),
                  .tools = {}};
  for (const std::string& name : engines.names()) {
    const std::string tool = engines.find(name)->made_with();
    if (!tool.empty()) machine.tools.push_back(fmt::format("{}: {}", name, tool));
  }
  return machine;
}

}  // namespace

bool Measure::met() const {
  if (!goal) return true;
  if (value == goal->value) return true;
  return goal->sense != Goal::Sense::kExactly &&
         (value < goal->value) == (goal->sense == Goal::Sense::kAtMost);
}

Report measure_all(const Setting& setting) {
  std::vector<Group> groups = speed_groups();
  std::ranges::copy(link_groups(), std::back_inserter(groups));
  Report report;
  report.quick = setting.quick;
  report.machine = this_machine(*setting.engines);
  const std::vector<std::string> present = setting.engines->names();
  for (const Group& group : groups) {
    const auto missing = std::ranges::find_if(group.engines, [&](const std::string& name) {
      return std::ranges::find(present, name) == present.end();
    });
    if (missing != group.engines.end()) {
      report.omitted.push_back(
          fmt::format("{}: this program was built without the engine '{}'", group.name, *missing));
      continue;
    }
    if (setting.progress) setting.progress(group.name);
    group.measure(setting, report);
  }
  return report;
}

std::string report_to_text(const Report& report) {
  const Machine& m = report.machine;
  std::string text =
      fmt::format("machine: {}, {} cores, {}{}{}; one thread, CPU time\n{}\n", m.cpu, m.cores,
                  m.compiler, m.tools.empty() ? "" : ", ", fmt::join(m.tools, ", "),
                  report.quick ? "quick: small and short, the times are not meaningful\n" : "");
  text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", "measure", "value", "", "goal", "met");
  for (const Measure& measure : report.measures) {
    text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", measure.what, number(measure.value),
                        measure.unit, measure.goal ? goal_text(*measure.goal) : "",
                        !measure.goal   ? ""
                        : measure.met() ? "yes"
                                        : "NO");
  }
  if (!report.link_throughput.empty()) add_link_table(text, report.link_throughput);
  add_methods(text, report.measures);
  for (const std::string& reason : report.omitted) text += fmt::format("omitted: {}\n", reason);
  return text;
}

void describe(core::Record& r, const Goal& goal) {
  r.add("sense", kSenses[static_cast<unsigned>(goal.sense)])
      .one_of({"at_most", "at_least", "exactly"});
  r.add("value", goal.value).signed_number();
}

void describe(core::Record& r, const Measure& m) {
  r.add("id", "for programs", m.id).like("^[a-z][A-Za-z0-9_]*$");
  r.add("measure", "for people", m.what).filled();
  r.add("value", m.value).signed_number();
  r.add("unit", m.unit);
  r.add("goal", "goal of the value; null without goal", m.goal);
  r.null_unless(m.goal.has_value()).add("met", "null without goal", m.met());
  r.add("method", "how it was measured", m.note);
}

void describe(core::Record& r, const Machine& m) {
  r.add("cpu", m.cpu);
  r.add("cores", "0: unknown", m.cores);
  r.add("compiler", m.compiler).filled();
  r.add("tools", "tools that built the engines", m.tools).each_filled();
}

void describe(core::Record& r, const LinkThroughput& row) {
  r.add("latency_cycles", row.latency).range(1, 255);
  r.add("depth_flits", row.depth).range(1, 16);
  r.add("flits_per_cycle", row.measured).with("maximum", 1);
  r.add("expected_flits_per_cycle", row.expected).with("maximum", 1);
}

void describe(core::Record& r, const Report& report, std::uint64_t seed, const Provenance& origin) {
  core::add_origin(r, "muster-bench-1", origin);
  core::add_seed(r, seed);
  r.add("quick", "too short for meaningful times", report.quick);
  r.add("machine", report.machine);
  r.add("measures", report.measures).with("minItems", 1);
  r.add("link_throughput",
        "one link and virtual channel, by latency and depth of the queue behind it",
        report.link_throughput);
  r.add("omitted", "measures that this program cannot make, with the reason", report.omitted)
      .each_filled();
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double Timings::best(std::size_t subject) const {
  return *std::ranges::min_element(seconds_[subject]);
}

double Timings::ratio(std::size_t subject, std::size_t reference) const {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < seconds_[subject].size(); ++round)
    ratios.push_back(seconds_[subject][round] / seconds_[reference][round]);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

Timings alternate(const std::vector<std::function<void()>>& subjects, unsigned rounds,
                  double (*clock)()) {
  Timings timings(subjects.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::size_t subject = round % 2 == 0 ? i : subjects.size() - 1 - i;
      const double start = clock();
      subjects[subject]();
      timings.add(subject, clock() - start);
    }
  }
  return timings;
}

using fabric::SwitchConfig;

Scenario at_load(topology::Graph graph, double load_flits, std::uint64_t seed) {
  topology::Routes routes = topology::routes_for(graph);
  return {.graph = std::move(graph),
          .routes = std::move(routes),
          .load_flits = load_flits,
          .seed = seed};
}

Scenario at_share_of_bound(topology::Graph graph, double share, std::uint64_t seed) {
  Scenario scenario = at_load(std::move(graph), 0.0, seed);
  scenario.load_flits = share * topology::route_bound_flits_per_node_cycle(
                                    topology::uniform_loads(scenario.graph, scenario.routes));
  return scenario;
}

TrafficNetwork::TrafficNetwork(const Scenario& scenario, const Variant& variant) {
  const SwitchConfig& config = variant.config;
  spec_.graph = core::borrowed(scenario.graph);
  spec_.routes = core::borrowed(scenario.routes);
  spec_.engine = variant.engine;
  spec_.load_flits = scenario.load_flits;
  spec_.packet_length = scenario.packet_length;
  spec_.seed = scenario.seed;
  spec_.skip = variant.skip;
  spec_.bank.assertions = variant.assertions;
  network_ = run::build_network(spec_, config);
  if (spec_.load_flits > 0.0) traffic_ = std::make_unique<run::DataTraffic>(spec_, config.vcs);
  network_->endpoints().attach(nullptr, traffic_.get());
  if (variant.count) network_->engine().observe_with(digest_);
  if (variant.checkers) {
    const checkers::Subject subject{.graph = scenario.graph,
                                    .layout = network_->layout(),
                                    .routes = scenario.routes,
                                    .vcs = config.vcs,
                                    .depth = config.depth,
                                    .formats = fabric::Formats(config.flit_w, config.gid_w)};
    checkers_ = run::make_checkers(subject, {}, {});
    network_->engine().observe_with(*checkers_);
  }
}

std::uint64_t TrafficNetwork::flit_hops() const {
  // A node's last flit is counted when it is sent, seen one cycle later.
  return digest_.flits() - std::min(digest_.flits(), network_->endpoints().flits_sent());
}

}  // namespace muster::bench
