// SPDX-License-Identifier: Apache-2.0
#include "muster/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fabric/checkers/bounded_waits.hpp"
#include "muster/core/error.hpp"
#include "muster/run/watcher.hpp"
#include "run/links/link_plan.hpp"
#include "run/results/fill_result.hpp"
#include "run/run_parts.hpp"
#include "run/watchdog.hpp"

namespace muster::run {
namespace {

/// The course of one run, from the creation of the groups to the empty network.
class Course {
 public:
  explicit Course(RunParts& parts)
      : parts_(parts),
        spec_(parts.resolved.spec),
        engine_(parts.network->engine()),
        may_run_ahead_(leaves_blocks_alone(parts)),
        watchdog_(*parts.network, parts.members, *parts.scheme, parts.digest, parts.traffic.get(),
                  parts.resolved.hang_limits, parts.deaths.get()) {}

  Outcome go() {
    const auto start = std::chrono::steady_clock::now();
    try {
      create_groups();
      if (going()) work();
      if (going() && parts_.lifecycle != nullptr) release_groups();
      if (going()) drain();
      if (going() && parts_.lifecycle != nullptr) violation(parts_.lifecycle->residue());
      if (going()) engine_.finish(true);
    } catch (const checkers::Breach& breach) {
      std::string text = breach.what();
      if (breach.checker() == parts_.checkers->waits().name()) text += unfinished();
      broken(text);
    } catch (const BlockError& error) {
      violation(error.what());
      outcome_.failed = {error.instance(), error.cycle()};
    } catch (const InternalError& error) {
      broken(error.what());
    }
    outcome_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(outcome_);
  }

 private:
  /// Between two cycles only the watchdog looks into a block, and none changes.
  static bool leaves_blocks_alone(const RunParts& parts) {
    const RunSpec& spec = parts.resolved.spec;
    return parts.lifecycle == nullptr && parts.deaths == nullptr && !parts.congestion &&
           !spec.links.retry && spec.stopped.empty() && !parts.scheme->looks_into_blocks();
  }
  bool going() const { return outcome_.end == End::kComplete; }
  void end(End how, std::string text) {
    if (text.empty()) return;
    outcome_.end = how;
    outcome_.violation = std::move(text);
  }
  void violation(std::string text) { end(End::kViolation, std::move(text)); }
  void hang(std::string text) { end(End::kHang, std::move(text)); }
  /// A link that has gone down cuts packets short, which is seen before the watchdog looks.
  void broken(const std::string& text) {
    if (spec_.links.retry) hang(watchdog_.look_at_ends(engine_.cycle()));
    if (going()) return violation(text);
    outcome_.violation += "\nand then " + text;
  }

  /// By messages or not at all; afterwards the members may arrive.
  void create_groups() {
    while (going() && spec_.links.retry && !links_begun(*parts_.network)) {
      step();
      if (engine_.cycle() > parts_.resolved.hang_limits.stuck)
        hang(fmt::format("cycle {}: links that retry have not begun", engine_.cycle()));
    }
    if (parts_.lifecycle != nullptr) {
      parts_.lifecycle->create(engine_.cycle());
      settle();
      if (going()) violation(parts_.lifecycle->refusals());
      if (going()) parts_.lifecycle->go();
    }
    parts_.members.begin(std::max(spec_.warmup, engine_.cycle()));
  }

  void release_groups() {
    parts_.lifecycle->release(engine_.cycle());
    settle();
    while (going() && !parts_.lifecycle->finished()) step_and_look(true);
  }

  /// Until all groups are created, or released.
  void settle() {
    const std::uint64_t start = engine_.cycle();
    while (going() && !parts_.lifecycle->settled()) {
      step();
      if (engine_.cycle() - start > parts_.resolved.hang_limits.stuck)
        hang(fmt::format("cycle {}: set-up in band makes no progress: {}", engine_.cycle(),
                         parts_.lifecycle->unsettled()));
    }
  }

  /// Steps until all barriers are done; ends the run if they never will be.
  void work() {
    while (going() && busy()) {
      step_and_look(false);
      if (!going() || engine_.cycle() % Watchdog::kPeriod != 0) continue;
      hang(watchdog_.look(engine_.cycle()));
      if (going() && spec_.progress) spec_.progress(engine_.cycle(), barriers_done());
    }
  }
  bool busy() const {
    return !groups_done() || engine_.cycle() < spec_.min_cycles ||
           (parts_.lifecycle != nullptr && !parts_.lifecycle->unchanging());
  }
  /// Or given up, for what they have lost.
  bool groups_done() const {
    if (parts_.deaths == nullptr) return parts_.members.done();
    if (parts_.deaths->under_way()) return false;
    return parts_.members.done() || (engine_.cycle() % Watchdog::kPeriod == 0 &&
                                     parts_.deaths->all_given_up(engine_.cycle()));
  }

  void step_and_look(bool released) {
    step();
    const std::uint64_t cycle = engine_.cycle();
    if (parts_.lifecycle != nullptr && cycle % Watchdog::kPeriod == 0)
      hang(parts_.lifecycle->trouble(cycle, parts_.resolved.hang_limits.stuck, released));
  }

  void step() {
    if (parts_.lifecycle != nullptr) parts_.lifecycle->step(engine_.cycle());
    if (parts_.congestion) parts_.congestion->step(engine_.cycle());
    for (const StoppedChannel& s : spec_.stopped)
      if (s.cycle == engine_.cycle()) engine_.stop_channel(s.channel, s.flits, s.credits);
    if (parts_.traffic) parts_.traffic->sample(engine_.cycle());
    clock();
  }

  void clock() {
    if (parts_.deaths) parts_.deaths->step(engine_.cycle());
    parts_.scheme->before_cycle(engine_.cycle());
    if (spec_.watcher) spec_.watcher->look(engine_.cycle());
    engine_.run_ahead(may_run_ahead_ && (engine_.cycle() + 1) % Watchdog::kPeriod != 0);
    engine_.step();
    if (engine_.cycle() % Watchdog::kPeriod == 0 && spec_.links.retry)
      hang(watchdog_.look_at_ends(engine_.cycle()));
    if (engine_.cycle() % Watchdog::kPeriod == 0 &&
        ((spec_.interrupted && spec_.interrupted()) || engine_.interrupted_elsewhere()))
      outcome_.end = End::kInterrupted;
  }

  void drain() {
    may_run_ahead_ = false;  // after any of these cycles the run may be over
    if (parts_.traffic) outcome_.traffic = parts_.traffic->statistics(engine_.cycle());
    fabric::EndpointBank& nodes = parts_.network->endpoints();
    nodes.stop_packets();
    outcome_.drain_start = engine_.cycle();
    for (std::uint32_t g = 0; g < parts_.members.groups() && parts_.deaths; ++g)
      if (!parts_.members.done(g)) parts_.scheme->abandon(engine_.cycle(), g);
    const std::uint64_t limit =
        spec_.drain_limit != 0 ? spec_.drain_limit : parts_.resolved.hang_limits.absent;
    // Of a death from here on neighbours still have to end the packets, once they notice it.
    const std::uint64_t before = parts_.deaths ? parts_.deaths->still_until() : 0;
    const auto unnoticed = [&] {
      return parts_.deaths && parts_.deaths->still_until() > before &&
             engine_.cycle() <= parts_.deaths->still_until();
    };
    while (going() &&
           (!engine_.idle() || !nodes.drained() || !parts_.scheme->idle() || unnoticed())) {
      if (engine_.cycle() - outcome_.drain_start >= limit)
        return hang(
            fmt::format("cycle {}: the network is not empty {} cycles after the last packet was "
                        "started; {} packets are in flight",
                        engine_.cycle(), limit, parts_.traffic ? parts_.traffic->in_flight() : 0));
      if (parts_.congestion) parts_.congestion->step(engine_.cycle());
      clock();
    }
  }

  /// What the groups that are not done wait for: of a wait that is too long, the cause.
  std::string unfinished() const {
    std::string text;
    for (std::uint32_t g = 0; g < parts_.members.groups(); ++g)
      if (!parts_.members.done(g))
        text.append("\n").append(parts_.scheme->explain(parts_.members, g));
    return text;
  }

  std::uint64_t barriers_done() const {
    std::uint64_t done = 0;
    for (std::uint32_t g = 0; g < parts_.members.groups(); ++g) done += parts_.members.current(g);
    return done;
  }

  RunParts& parts_;
  const RunSpec& spec_;
  core::Engine& engine_;
  bool may_run_ahead_;  ///< see core::Engine::run_ahead
  Watchdog watchdog_;
  Outcome outcome_;
};

}  // namespace

RunResult run_barriers(const ResolvedRun& run) {
  RunParts parts(run);
  if (const auto& ranks = run.spec.ranks) {
    parts.network->engine().share(ranks);
    if (ranks->rank() != 0) {
      parts.network->engine().serve(run.spec.interrupted);
      return {};
    }
  }
  return fill_result(parts, Course(parts).go());
}

RunResult run_barriers(const RunSpec& spec) { return run_barriers(*resolve(spec)); }

}  // namespace muster::run
