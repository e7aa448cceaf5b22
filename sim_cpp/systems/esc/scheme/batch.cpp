// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "core/ratio_estimate.hpp"
#include "core/rng.hpp"
#include "systems/esc/checkers/conservation_check.hpp"
#include "systems/esc/checkers/delivery_check.hpp"
#include "systems/esc/checkers/purity_check.hpp"

namespace muster::esc {
namespace {

const BoxFactory& factory_for(const Spec& spec, const fabric::BankFactory& engine) {
  const BoxFactory* const factory = engine.boxes();
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
  std::uint32_t done = 0;

  void report(std::uint64_t cycle, bool session_done) {
    const std::scoped_lock lock(mutex);
    done += session_done;
    if (progress) progress(done, cycle);
  }
};

/// Reports from within long sessions.
struct CycleReport final : Observer {
  explicit CycleReport(Reporter& to) : reporter(to) {}
  void observe(const CycleView& view) override {
    if (view.cycle % 4096 == 0) reporter.report(view.cycle, false);
  }
  Reporter& reporter;
};

/// One thread's network and checks.
struct Worker {
  Worker(const Spec& spec, const BoxFactory& factory, Reporter& reporter)
      : runner(spec, factory), cycle_report(reporter) {
    if (reporter.progress) runner.attach(cycle_report);
    if (!spec.checkers) return;
    checks.push_back(std::make_unique<DeliveryCheck>(spec));
    checks.push_back(std::make_unique<ConservationCheck>(spec));
    if (spec.policy_acts()) checks.push_back(std::make_unique<PurityCheck>(spec));
    for (const auto& check : checks) runner.attach(*check);
  }
  SessionRunner runner;
  CycleReport cycle_report;
  std::vector<std::unique_ptr<Check>> checks;
};

/// What the checks saw before an error stopped the worker; it may explain the error.
std::string first_breach(const Worker& worker) {
  for (const auto& check : worker.checks)
    if (!check->texts().empty()) return "; before that, " + check->texts().front();
  return {};
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
    result.packets += s.packets;
    result.cycles += s.cycles;
    result.digest = mix64(result.digest ^ s.digest);
  }
  result.active_session = {length.mean(), length.half_width()};
}

}  // namespace

BatchResult run_batch(const Spec& spec, const fabric::BankFactory& engine,
                      const Progress& progress) {
  validate(spec);
  const BoxFactory& factory = factory_for(spec, engine);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<SessionResult> sessions(spec.sessions);
  Reporter reporter{progress, {}, 0};
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned w = 0; w < std::clamp(spec.threads, 1u, spec.sessions); ++w)
    workers.push_back(std::make_unique<Worker>(spec, factory, reporter));

  std::atomic<std::uint32_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto stop = [&](std::exception_ptr why) {
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::move(why);
    next = spec.sessions;
  };
  const auto work = [&](Worker& worker) {
    try {
      for (std::uint32_t s = next++; s < spec.sessions; s = next++) {
        sessions[s] = worker.runner.run(s);
        reporter.report(sessions[s].cycles, true);
      }
    } catch (const InternalError& error) {
      stop(std::make_exception_ptr(InternalError(error.what() + first_breach(worker))));
    } catch (...) {
      stop(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers.size(); ++w)
      threads.emplace_back([&, w] { work(*workers[w]); });
    work(*workers[0]);
  }
  if (failure) std::rethrow_exception(failure);

  BatchResult result;
  result.engine = engine.name();
  result.sessions = spec.sessions;
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
