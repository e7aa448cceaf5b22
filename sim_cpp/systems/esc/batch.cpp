// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/batch.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/parallel.hpp"
#include "core/record.hpp"
#include "systems/esc/checkers/checks.hpp"

namespace muster::esc {
namespace {

const BoxFactory& factory_for(const Spec& spec, const fabric::BankFactory& engine) {
  const BoxFactory* const factory = boxes_of(engine);
  if (factory == nullptr) throw InputError("--engine {}: has no interchange boxes", engine.name());
  if (factory->supports(spec.box)) return *factory;
  std::vector<std::string> built;
  for (const BoxConfig& config : factory->built())
    if (config.combining == spec.box.combining)
      built.push_back(fmt::format("--box {} --buffer {}", config.size, config.depth));
  throw InputError("--box {} --buffer {}{}: engine {} has {}{}; golden takes any", spec.box.size,
                   spec.box.depth, spec.box.refill ? " --refill" : "", engine.name(),
                   spec.box.combining ? "for --policy combining " : "", fmt::join(built, ", "));
}

/// Tells how far all threads are.
struct Reporter {
  Progress progress;
  std::mutex mutex;
  std::uint32_t done = 0;   ///< sessions
  std::uint64_t cycle = 0;  ///< that was told last

  /// One of the two numbers has become another.
  void tell(auto Reporter::*which, auto number) {
    const std::scoped_lock lock(mutex);
    this->*which = number;
    progress(done, cycle);
  }
};

/// Ends a session in which it is thrown.
struct Interrupted {};

/// Reports from within long sessions, and asks whether to go on.
struct Rounds final : Observer {
  Rounds(Reporter& to, const std::function<bool()>& question)
      : reporter(to), interrupted(question) {}
  void observe(const CycleView& view) override {
    if (view.cycle % 256 != 0) return;
    if (reporter.progress && view.cycle % 4096 == 0) reporter.tell(&Reporter::cycle, view.cycle);
    if (interrupted && interrupted()) throw Interrupted();
  }
  Reporter& reporter;
  const std::function<bool()>& interrupted;
};

/// One thread's network and checks. There are as many as threads, as a network is built but once.
struct Worker {
  Worker(const Spec& spec, const BoxFactory& factory, Reporter& reporter,
         const std::function<bool()>& interrupted)
      : runner(spec, factory), rounds(reporter, interrupted) {
    if (reporter.progress || interrupted) runner.attach(rounds);
    if (!spec.checkers) return;
    checks.push_back(std::make_unique<DeliveryCheck>(spec));
    checks.push_back(std::make_unique<ConservationCheck>(spec));
    if (spec.policy_acts()) checks.push_back(std::make_unique<PurityCheck>(spec));
    for (const auto& check : checks) runner.attach(*check);
  }
  /// None if it was interrupted. Adds to an error what the checks saw before; it may explain the
  /// error.
  std::optional<SessionResult> run(std::uint32_t session) {
    try {
      return runner.run(session);
    } catch (const Interrupted&) {
      return std::nullopt;
    } catch (const InternalError& error) {
      for (const auto& check : checks)
        if (!check->texts().empty())
          throw InternalError("{}; before that, {}", error.what(), check->texts()[0]);
      throw;
    }
  }
  SessionRunner runner;
  Rounds rounds;
  std::vector<std::unique_ptr<Check>> checks;
};

/// The sessions before the first that was interrupted, as if no more had been asked for.
std::vector<SessionResult> complete(const std::vector<std::optional<SessionResult>>& sessions) {
  std::vector<SessionResult> whole;
  for (const auto& session : sessions) {
    if (!session) break;
    whole.push_back(*session);
  }
  return whole;
}

void add_checks(const std::vector<std::unique_ptr<Check>>& checks, BatchResult& result) {
  for (std::size_t c = 0; c < checks.size(); ++c) {
    if (result.checks.size() <= c) result.checks.push_back({checks[c]->name(), 0});
    result.checks[c].passed += checks[c]->passed();
    result.violations += checks[c]->violations();
    const auto& texts = checks[c]->texts();
    result.violation_texts.insert(result.violation_texts.end(), texts.begin(), texts.end());
  }
}

void summarize(const std::vector<SessionResult>& sessions, BatchResult& result) {
  const auto add = [](RatioEstimate& estimate, std::uint64_t sum, std::uint64_t members) {
    estimate.add(static_cast<double>(sum), static_cast<double>(members));
  };
  for (const SessionResult& s : sessions) {
    add(result.mu_syn, s.syn.sum, s.syn.messages);
    add(result.mu_bg_total, s.background.sum, s.background.messages);
    add(result.mu_bg_hot, s.hot.sum, s.hot.messages);
    add(result.active_session, s.length, 1);
    add(result.height, s.height, s.length);
    result.lengths.push_back(s.length);
    result.packets += s.packets;
    result.cycles += s.cycles;
    result.digest = mix64(result.digest ^ s.digest);
  }
}

void describe_parameters(core::Record& r, const Spec& spec) {
  run::put_fields(spec, r);
  r.rule("box").with("enum", std::vector{2, 4, 8});
  r.rule("rate_messages_per_pe_cycle").with("exclusiveMaximum", 1);
  r.rule("mean_cycle").with("minimum", 100);
  r.rule("policy").with(
      "pattern",
      "^(bypass|isolated-bg|isolated-hs|hot-section:([0-9]+|auto)|throttle:[0-9]+|adaptive|"
      "combining)$");
  r.rule("checkers").with("description", "the links are checked");
  r.only(spec.rate_change.has_value())
      .add("rate_change", "another gamma from a cycle on; absent: none", [&](core::Record& change) {
        const RateChange c = spec.rate_change.value_or(RateChange());
        change.add("cycle", c.cycle);
        change.add("rate_messages_per_pe_cycle", c.rate).with("exclusiveMaximum", 1);
      });
  r.add("sections", "K of hot-section:K, at first of hot-section:auto, else 1", spec.sections)
      .with("minimum", 1);
  r.list("faults", "faulty parts, PART:STAGE:NUMBER", spec.faults, fault_text)
      .each_like("^(box|link|bypass):[0-9]+:[0-9]+$");
  r.add("input_stage_enabled", "not bypassed", spec.stages().input);
  r.add("output_stage_enabled", "not bypassed", spec.stages().output);
  r.add("policy_acts", "both outer stages serve the policy", spec.policy_acts());
}

/// The fields of an estimate.
auto estimate(const RatioEstimate& e) {
  return [&e](core::Record& r) {
    r.add("mean", "null over none", e.mean());
    r.add("half_width", "of the 95 % confidence interval; null with one session", e.half_width());
  };
}

void describe_batch(core::Record& r, const Spec& spec, const BatchResult& result,
                    const Provenance& origin, const std::optional<Generated>& generated) {
  core::add_origin(r, "muster-esc-1", origin);
  r.add("engine", "golden, rtl or lockstep, or one of the caller of the library", result.engine)
      .filled();
  core::add_seed(r, spec.seed);
  core::add_units(r, {{"mu_*", "cycles of delay, traversal excluded"},
                      {"active_session_cycles", "clock cycles"},
                      {"half_width", "of the 95 % confidence interval"},
                      {"saturation_tree_height", "links"},
                      {"packets", "delivered"},
                      {"box_cycles", "one box clocked once"}});
  r.add("parameters", "all parameters, including the defaults used",
        [&](core::Record& p) { describe_parameters(p, spec); });
  r.add("mu_syn",
        "of synchronization messages: cycles from generation to arrival, enabled stages on the way "
        "not counted",
        estimate(result.mu_syn));
  r.add("mu_bg_total", "the same of background messages generated in the active session",
        estimate(result.mu_bg_total));
  r.add("mu_bg_hot", "the same of those with a coordinator as destination",
        estimate(result.mu_bg_hot));
  r.add("active_session_cycles", "first synchronization message generated to the last one arriving",
        estimate(result.active_session));
  r.add("saturation_tree_height",
        "links on the longest way of refused packets that ends with one for a coordinator, mean "
        "over the cycles of active sessions",
        estimate(result.height));
  r.only(generated.has_value())
      .add("generated",
           "with --generated: messages generated in each cycle since the active session began, "
           "sums over sessions",
           generated.value_or(Generated()));
  r.add("sessions", "completed", result.sessions);
  r.add("interrupted", "by a signal, with fewer sessions than asked", result.interrupted);
  r.add("packets", "delivered", result.packets);
  r.add("cycles", "of all sessions", result.cycles);
  r.add("box_cycles", "one for each box clocked once", result.box_cycles);
  r.add("digest", "hash of all packets on all links by cycle; equal on every engine",
        fmt::format("{:016x}", result.digest))
      .like(core::kHash);
  r.add("violations", "0 if all checks passed", result.violations);
  r.add("violation_texts", result.violation_texts).each_filled();
  core::add_counts(r, "checks", "passes of each check; 0 with --no-checkers", result.checks);
  r.add("comparisons", "of golden and RTL by the engine lockstep", result.comparisons);
  const std::string warning = capacity_warning(spec);
  r.add("warnings", std::vector<std::string>(warning.empty() ? 0 : 1, warning)).each_filled();
  r.add("seconds", "of simulation", result.seconds);
}

std::string line(const char* name, const RatioEstimate& e, const char* what) {
  if (!e.mean()) return fmt::format("{:<15} none: {}\n", name, what);
  const std::string width = e.half_width() ? fmt::format(" +- {:.2f}", *e.half_width()) : "";
  return fmt::format("{:<15} {:.2f}{} cycles: {}\n", name, *e.mean(), width, what);
}

std::string faults_text(const Spec& spec) {
  std::string text = "faults         ";
  for (const Fault& fault : spec.faults) text += fmt::format(" {}", fault_text(fault));
  const OuterStages stages = spec.stages();
  text += fmt::format(": input stage {}, output stage {}", stages.input ? "enabled" : "bypassed",
                      stages.output ? "enabled" : "bypassed");
  if (!spec.bypass && !spec.policy_acts()) text += ", so the policy does not act";
  return text + "\n";
}

}  // namespace

BatchResult run_batch(const Spec& spec, const fabric::BankFactory& engine, const Progress& progress,
                      const std::function<bool()>& interrupted) {
  validate(spec);
  const BoxFactory& factory = factory_for(spec, engine);
  const auto begin = std::chrono::steady_clock::now();
  Reporter reporter{progress, {}};
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned w = 0; w < core::worker_count(spec.sessions, spec.threads); ++w)
    workers.push_back(std::make_unique<Worker>(spec, factory, reporter, interrupted));
  core::JobsDone done;
  if (progress) done = [&](std::uint32_t sessions) { reporter.tell(&Reporter::done, sessions); };
  const std::vector<SessionResult> sessions = complete(core::run_parallel(
      spec.sessions, spec.threads,
      [&](std::uint32_t session, unsigned worker) { return workers[worker]->run(session); }, done,
      interrupted));

  BatchResult result;
  result.engine = engine.name();
  result.sessions = static_cast<std::uint32_t>(sessions.size());
  result.interrupted = result.sessions < spec.sessions;
  summarize(sessions, result);
  const Cube cube(spec.pes, spec.box.size);
  result.box_cycles = result.cycles * cube.boxes_per_stage() * spec.stages().count(cube);
  for (const auto& worker : workers) {
    add_checks(worker->checks, result);
    result.comparisons += worker->runner.comparisons();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

void describe(core::Record& r, const Generated& g) {
  r.add("synchronization", g.synchronization);
  r.add("hot_background", "with a coordinator as destination; none after the end of a session",
        g.hot_background);
}

std::string batch_to_json(const Spec& spec, const BatchResult& result, const Provenance& origin,
                          const std::optional<Generated>& generated) {
  return core::json_text(
      [&](core::Record& r) { describe_batch(r, spec, result, origin, generated); });
}

core::Json batch_schema() {
  return core::json_schema(
      "Result of muster esc",
      "Sessions on the multistage network of interchange boxes; docs/systems/esc.md.",
      [](core::Record& r) { describe_batch(r, {}, {}, {}, {}); });
}

std::string batch_to_text(const Spec& spec, const BatchResult& result) {
  std::string text = fmt::format(
      "Extra Stage Cube: {} PEs, {}x{} boxes of {} packets, rate {}, sigma {}, policy {}\n",
      spec.pes, spec.box.size, spec.box.size, spec.box.depth, spec.rate, spec.sigma,
      policy_name(spec));
  if (!spec.faults.empty()) text += faults_text(spec);
  text += line("mu_SYN", result.mu_syn, "delay of a synchronization message");
  text += line("mu_BG(Tot)", result.mu_bg_total, "of a background message of the active session");
  text += line("mu_BG(HS)", result.mu_bg_hot, "of one for the hot spot");
  text += line("active session", result.active_session, "first generated to last arrived");
  text += fmt::format("sessions        {}, {}\n", result.sessions,
                      result.sessions < 2 ? "too few for a confidence interval"
                                          : "half-widths for 95 % confidence");
  if (result.interrupted)
    text +=
        fmt::format("interrupted     {} of {} sessions were run\n", result.sessions, spec.sessions);
  std::uint64_t passed = result.comparisons;
  for (const run::CheckCount& c : result.checks) passed += c.passed;
  text += fmt::format("checks          {} passed, {} violation{}\n", passed, result.violations,
                      result.violations == 1 ? "" : "s");
  for (const std::string& violation : result.violation_texts) text += "  " + violation + "\n";
  text += fmt::format(
      "simulated       {} cycles, {} packets, engine {}, {:.1f} s, {:.2e} "
      "box-cycles/s\n",
      result.cycles, result.packets, result.engine, result.seconds,
      static_cast<double>(result.box_cycles) / result.seconds);
  text += fmt::format("digest          {:016x}\n", result.digest);
  return text;
}

std::string capacity_warning(const Spec& spec) {
  const double rate = largest_rate(spec);
  if (rate > capacity_around_faults(spec))
    return fmt::format(
        "rate {} exceeds the capacity around the faults ({:.3f}): the queues of some sources grow "
        "without bound",
        rate, capacity_around_faults(spec));
  if (rate <= capacity(spec)) return {};
  return fmt::format(
      "rate {} exceeds the capacity of the input stage under {} while synchronizations are pending "
      "({:.3f}): the source queues grow without bound",
      rate, policy_name(spec), capacity(spec));
}

}  // namespace muster::esc
