// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "core/parallel.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "systems/esc/checkers/conservation_check.hpp"
#include "systems/esc/checkers/delivery_check.hpp"
#include "systems/esc/checkers/purity_check.hpp"

namespace muster::esc {
namespace {

const BoxFactory& factory_for(const Spec& spec, const fabric::BankFactory& engine) {
  const BoxFactory* const factory = boxes_of(engine);
  if (factory == nullptr)
    throw InputError(fmt::format("--engine {}: has no interchange boxes", engine.name()));
  if (factory->supports(spec.box)) return *factory;
  std::vector<std::string> built;
  for (const BoxConfig& config : factory->built())
    if (config.combining == spec.box.combining)
      built.push_back(fmt::format("--box {} --buffer {}", config.size, config.depth));
  throw InputError(fmt::format(
      "--box {} --buffer {}: engine {} has {}{}; golden takes any", spec.box.size, spec.box.depth,
      engine.name(), spec.box.combining ? "for --policy combining " : "", fmt::join(built, ", ")));
}

/// Tells how far all threads are.
struct Reporter {
  Progress progress;
  std::mutex mutex;
  std::uint32_t done = 0;   ///< sessions
  std::uint64_t cycle = 0;  ///< that was told last

  void in_cycle(std::uint64_t now) {
    const std::scoped_lock lock(mutex);
    cycle = now;
    progress(done, cycle);
  }
  void finished(std::uint32_t sessions) {
    const std::scoped_lock lock(mutex);
    done = sessions;
    progress(done, cycle);
  }
};

/// Reports from within long sessions.
struct CycleReport final : Observer {
  explicit CycleReport(Reporter& to) : reporter(to) {}
  void observe(const CycleView& view) override {
    if (view.cycle % 4096 == 0) reporter.in_cycle(view.cycle);
  }
  Reporter& reporter;
};

/// Ends a session in which it is thrown.
struct CutShort {};

/// Asks within long sessions.
struct CycleQuestion final : Observer {
  explicit CycleQuestion(const std::function<bool()>& question) : interrupted(question) {}
  void observe(const CycleView& view) override {
    if (view.cycle % 256 == 0 && interrupted()) throw CutShort();
  }
  const std::function<bool()>& interrupted;
};

/// One thread's network and checks. There are as many as threads, as a network is built but once.
struct Worker {
  Worker(const Spec& spec, const BoxFactory& factory, Reporter& reporter,
         const std::function<bool()>& interrupted)
      : runner(spec, factory), cycle_report(reporter), cycle_question(interrupted) {
    if (reporter.progress) runner.attach(cycle_report);
    if (interrupted) runner.attach(cycle_question);
    if (!spec.checkers) return;
    checks.push_back(std::make_unique<DeliveryCheck>(spec));
    checks.push_back(std::make_unique<ConservationCheck>(spec));
    if (spec.policy_acts()) checks.push_back(std::make_unique<PurityCheck>(spec));
    for (const auto& check : checks) runner.attach(*check);
  }
  /// None if it was cut. Adds to an error what the checks saw before; it may explain the error.
  std::optional<SessionResult> run(std::uint32_t session) {
    try {
      return runner.run(session);
    } catch (const CutShort&) {
      return std::nullopt;
    } catch (const InternalError& error) {
      for (const auto& check : checks)
        if (!check->texts().empty())
          throw InternalError(fmt::format("{}; before that, {}", error.what(), check->texts()[0]));
      throw;
    }
  }
  SessionRunner runner;
  CycleReport cycle_report;
  CycleQuestion cycle_question;
  std::vector<std::unique_ptr<Check>> checks;
};

/// The sessions before the first that was cut, as if no more had been asked for.
std::vector<SessionResult> complete(const std::vector<std::optional<SessionResult>>& sessions) {
  std::vector<SessionResult> whole;
  for (const auto& session : sessions) {
    if (!session) break;
    whole.push_back(*session);
  }
  return whole;
}

Estimate estimate(const std::vector<SessionResult>& sessions, Delays SessionResult::*kind) {
  core::RatioEstimate ratio;
  for (const SessionResult& s : sessions)
    ratio.add(static_cast<double>((s.*kind).sum), static_cast<double>((s.*kind).messages));
  return {ratio.mean(), ratio.half_width()};
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
  result.mu_syn = estimate(sessions, &SessionResult::syn);
  result.mu_bg_total = estimate(sessions, &SessionResult::background);
  result.mu_bg_hot = estimate(sessions, &SessionResult::hot);
  core::RatioEstimate length;
  for (const SessionResult& s : sessions) {
    length.add(static_cast<double>(s.length), 1);
    result.lengths.push_back(s.length);
    result.packets += s.packets;
    result.cycles += s.cycles;
    result.digest = mix64(result.digest ^ s.digest);
  }
  result.active_session = {length.mean(), length.half_width()};
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
  if (progress) done = [&](std::uint32_t sessions) { reporter.finished(sessions); };
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

}  // namespace muster::esc
