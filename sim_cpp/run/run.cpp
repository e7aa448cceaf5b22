// SPDX-License-Identifier: Apache-2.0
#include "muster/run/run.hpp"

#include <algorithm>
#include <chrono>

#include "fabric/checkers/delivery.hpp"
#include "muster/run/programs.hpp"
#include "muster/run/watcher.hpp"
#include "run/result_parts.hpp"
#include "run/run_parts.hpp"

namespace muster::run {
namespace {

void add_checks(RunResult& result, RunParts& parts) {
  if (parts.checkers) {
    add_bounds(result, *parts.checkers);
    for (const auto& [name, checks] : parts.checkers->totals())
      result.checks.push_back({name, checks});
    result.checks.push_back({"waits acyclic", parts.resolved.wait_edges});
    const auto& w = parts.checkers->waits();
    const checkers::Bounds& bounds = parts.resolved.bounds;
    result.waits = {bounds.packet, w.longest_packet(), bounds.barrier, w.longest_barrier()};
  }
  const core::Bank* const ends = parts.network->link_ends();
  if (const std::uint64_t compared = parts.network->switches().comparisons(); compared != 0)
    result.checks.push_back({"lockstep", compared + (ends == nullptr ? 0 : ends->comparisons())});
}

void add_counts(RunResult& result, RunParts& parts) {
  const RunSpec& spec = parts.resolved.spec;
  // A node's last flit is counted when it is sent, seen one cycle later. Behind a pipe a flit is
  // seen once more.
  const std::uint64_t flits = parts.digest.flits() / parts.network->segments();
  result.flit_hops = flits - std::min(flits, parts.network->node_flits());
  result.switch_cycles = result.cycles * spec.graph->switches();
  result.switches_clocked = parts.network->switches_clocked();
}

/// Why the group, which was hit or not, has not done all of its barriers.
std::string stopped_text(const RunResult& result, RunParts& parts, std::uint32_t group) {
  const RunSpec& spec = parts.resolved.spec;
  std::string text =
      fmt::format("group '{}' stopped after {} of {} barriers", spec.groups[group].name,
                  parts.members.current(group), spec.barriers);
  for (const Casualties::Group& hit : result.casualties.groups_hit)
    if (hit.group == group)
      text +=
          fmt::format(": it lost {} in cycle {}", labelled(*spec.graph, hit.culprit), hit.cycle);
  bool failed = false;  // its recovery, of which the reason is known
  for (const Casualties::Recovery& recovery : result.casualties.recovered) {
    if (recovery.group != group || recovery.stopped.empty()) continue;
    text += ", and " + recovery.stopped;
    failed = true;
  }
  const auto& members = spec.groups[group].members;
  const bool survivors =
      std::ranges::any_of(members, [&](topology::NodeId n) { return answers(*parts.network, n); });
  const std::string need = parts.scheme->fault_handler().survivors_need();
  if (survivors && !failed && !need.empty())
    text += fmt::format("; with {} its survivors continue", need);
  return text;
}

/// Groups that were given up, of a run that nothing else has ended.
void add_stopped(RunResult& result, RunParts& parts) {
  if (result.end != End::kComplete) return;
  for (std::uint32_t g = 0; g < parts.members.groups(); ++g)
    if (!parts.members.done(g)) result.stopped.push_back(stopped_text(result, parts, g));
  if (!result.stopped.empty()) result.end = End::kStopped;
}

/// Adds what the parts of the run have to say to what its loop does.
RunResult fill_result(RunParts& parts, RunResult result) {
  const ResolvedRun& run = parts.resolved;
  const std::uint64_t cycle = parts.network->engine().cycle();
  result.engine = run.spec.engine->name();
  result.scheme = run.spec.scheme;
  result.config = run.config;
  result.digest = fmt::format("{:016x}", parts.digest.value());
  result.pipe = run.spec.links.retry ? 0 : run.spec.profile.pipe;
  result.cycles = cycle;
  for (std::uint32_t g = 0; g < parts.members.groups(); ++g)
    result.planned_hops.push_back(run.plan->hops(g));
  add_barrier_records(result, parts.members, parts.scheme->traffic());
  parts.scheme->fill(result);
  if (parts.lifecycle != nullptr) result.links = parts.lifecycle->links();
  if (run.spec.links.retry) result.wires = count_links(*parts.network, *parts.wires);
  if (parts.deaths) result.casualties = parts.deaths->results();
  result.wait_mean = parts.members.wait_mean();
  if (parts.traffic && !result.data) result.data = parts.traffic->statistics(cycle);
  add_checks(result, parts);
  add_counts(result, parts);
  const bool undisturbed = result.end == End::kComplete || result.end == End::kInterrupted;
  if (!result.violations.empty() && undisturbed) result.end = End::kViolation;
  add_stopped(result, parts);
  return result;
}

/// The loop over the cycles of one run, from the creation of the groups to the empty network. It
/// turns a hang into a report: now and then it looks at the run; every rule is about what no longer
/// happens, never about how slow it is, as long as something happens within the bounds.
class RunLoop {
 public:
  explicit RunLoop(RunParts& parts)
      : parts_(parts),
        spec_(parts.resolved.spec),
        engine_(parts.network->engine()),
        limits_(parts.resolved.hang_limits),
        hosts_(parts.scheme->hosts()),
        may_run_ahead_(leaves_blocks_alone(parts)) {}

  /// How the run has ended, and the data as they were stopped.
  RunResult go() {
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
      result_.failed = {error.instance(), error.cycle()};
    } catch (const InternalError& error) {
      broken(error.what());
    }
    if (drain_start_ != 0) result_.drain_cycles = engine_.cycle() - drain_start_;
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  static constexpr std::uint64_t kPeriod = 256;  ///< cycles between looks
  /// Cycles without any flit or credit on any link after which what is in the network is stuck;
  /// more than twice the longest link.
  static constexpr std::uint64_t kSilence = 1024;
  /// Cycles for which packets may be held: links may be lost one after the other, and each may hold
  /// a flit for more than a thousand.
  static constexpr std::uint64_t kLongestHold = 1'000'000;

  /// Between two cycles only hang reports look into a block, and none changes.
  bool leaves_blocks_alone(const RunParts& parts) const {
    const RunSpec& spec = parts.resolved.spec;
    return parts.lifecycle == nullptr && parts.deaths == nullptr && !parts.congestion &&
           !spec.links.retry && spec.stopped.empty() && !hosts_.looks_into_blocks();
  }
  bool going() const { return result_.end == End::kComplete; }
  void end(End how, std::string text) {
    if (text.empty()) return;
    result_.end = how;
    result_.violations = {std::move(text)};
  }
  void violation(std::string text) { end(End::kViolation, std::move(text)); }
  void hang(std::string text) { end(End::kHang, std::move(text)); }
  /// A link that has gone down cuts packets short, which is seen before the watchdog looks.
  void broken(const std::string& text) {
    if (spec_.links.retry) hang(ends_down_text());
    if (result_.violations.empty()) return violation(text);
    result_.violations.back() += "\nand then " + text;
  }

  /// By messages or not at all; afterwards the members may arrive.
  void create_groups() {
    while (going() && spec_.links.retry && !links_begun(*parts_.network)) {
      step();
      if (engine_.cycle() > limits_.stuck)
        hang(fmt::format("cycle {}: links that retry have not begun", engine_.cycle()));
    }
    const std::uint64_t joined = engine_.cycle();
    if (parts_.lifecycle != nullptr) {
      parts_.lifecycle->create(engine_.cycle());
      settle();
      if (going()) violation(parts_.lifecycle->refusals());
      if (going()) parts_.lifecycle->go();
    }
    const std::uint64_t start = std::max(spec_.warmup, engine_.cycle());
    parts_.members.begin(start);
    if (spec_.programs) spec_.programs->begin(start, engine_.cycle() - joined, parts_.members);
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
      if (engine_.cycle() - start > limits_.stuck)
        hang(fmt::format("cycle {}: set-up in band makes no progress: {}", engine_.cycle(),
                         parts_.lifecycle->unsettled()));
    }
  }

  /// Steps until all barriers are done; ends the run if they never will be.
  void work() {
    while (going() && busy()) {
      if (!going()) return;
      step_and_look(false);
      if (!going() || engine_.cycle() % kPeriod != 0) continue;
      hang(stall_text());
      if (going() && spec_.progress) spec_.progress(engine_.cycle(), barriers_done());
    }
  }
  bool busy() {
    if (spec_.programs && !parts_.members.done()) listen();
    return !groups_done() || engine_.cycle() < spec_.min_cycles ||
           (parts_.lifecycle != nullptr && !parts_.lifecycle->unchanging());
  }
  /// Lets programs arrive in the next cycle, or end.
  void listen() {
    const auto still = [&] {
      for (std::uint32_t g = 0; g < parts_.members.groups(); ++g)
        if (parts_.members.scheduled(g) != 0) return false;
      return !parts_.traffic && engine_.idle() && parts_.network->endpoints().drained() &&
             hosts_.idle();
    };
    switch (spec_.programs->before(engine_.cycle(), still)) {
      case Programs::Next::kStep:
        return;
      case Programs::Next::kDone:
        return parts_.members.finish();
      case Programs::Next::kLeave:
        result_.end = End::kInterrupted;
    }
  }
  /// Or given up, for what they have lost.
  bool groups_done() const {
    if (parts_.deaths == nullptr) return parts_.members.done();
    if (parts_.deaths->under_way()) return false;
    return parts_.members.done() ||
           (engine_.cycle() % kPeriod == 0 && parts_.deaths->all_given_up(engine_.cycle()));
  }

  void step_and_look(bool released) {
    step();
    const std::uint64_t cycle = engine_.cycle();
    if (parts_.lifecycle != nullptr && cycle % kPeriod == 0)
      hang(parts_.lifecycle->trouble(cycle, limits_.stuck, released));
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
    hosts_.before_cycle(engine_.cycle());
    if (spec_.watcher) spec_.watcher->look(engine_.cycle());
    engine_.run_ahead(may_run_ahead_ && (engine_.cycle() + 1) % kPeriod != 0);
    engine_.step();
    if (engine_.cycle() % kPeriod == 0 && spec_.links.retry) hang(ends_down_text());
    if (engine_.cycle() % kPeriod == 0 &&
        ((spec_.interrupted && spec_.interrupted()) || engine_.interrupted_elsewhere()))
      result_.end = End::kInterrupted;
  }

  void drain() {
    may_run_ahead_ = false;  // after any of these cycles the run may be over
    if (parts_.traffic) result_.data = parts_.traffic->statistics(engine_.cycle());
    fabric::EndpointBank& nodes = parts_.network->endpoints();
    nodes.stop_packets();
    drain_start_ = engine_.cycle();
    for (std::uint32_t g = 0; g < parts_.members.groups() && parts_.deaths; ++g)
      if (!parts_.members.done(g)) parts_.scheme->fault_handler().abandon(engine_.cycle(), g);
    const std::uint64_t limit = spec_.drain_limit != 0 ? spec_.drain_limit : limits_.absent;
    // Of a death from here on neighbours still have to end the packets, once they notice it.
    const std::uint64_t before = parts_.deaths ? parts_.deaths->still_until() : 0;
    const auto unnoticed = [&] {
      return parts_.deaths && parts_.deaths->still_until() > before &&
             engine_.cycle() <= parts_.deaths->still_until();
    };
    while (going() && (!engine_.idle() || !nodes.drained() || !hosts_.idle() || unnoticed())) {
      if (engine_.cycle() - drain_start_ >= limit)
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
      if (!parts_.members.done(g)) text.append("\n").append(parts_.scheme->explain(g));
    return text;
  }

  /// A report if the run makes no progress, else empty.
  std::string stall_text() const {
    std::string text;
    for (std::uint32_t g = 0; g < parts_.members.groups(); ++g) {
      if (!hangs(g) || (parts_.deaths != nullptr && parts_.deaths->hit(g))) continue;
      if (!text.empty()) text += "\n";
      text += fmt::format("cycle {}: {}", engine_.cycle(), parts_.scheme->explain(g));
    }
    if (text.empty() && parts_.deaths != nullptr) text = hold_text(*parts_.deaths);
    return text.empty() ? silence_text() : text;
  }
  bool hangs(std::uint32_t group) const {
    if (parts_.members.done(group) || parts_.members.scheduled(group) != 0) return false;
    const bool absent = !parts_.members.missing(group, parts_.members.current(group)).empty();
    if (absent && spec_.programs) return false;  // they may take their time
    return engine_.cycle() - parts_.members.last_event(group) >
           (absent ? limits_.absent : limits_.stuck);
  }
  /// Packets are held until the network is empty of them, and some switch stays busy.
  std::string hold_text(const Deaths& deaths) const {
    if (!deaths.under_way() || engine_.cycle() - deaths.held_since() <= kLongestHold) return {};
    return fmt::format("cycle {}: packets are held since cycle {}, but the network is not empty{}",
                       engine_.cycle(), deaths.held_since(), busy_switches());
  }
  std::string silence_text() const {
    const std::uint64_t cycle = engine_.cycle(), last = parts_.digest.last_event();
    if (cycle - last <= kSilence + limits_.held) return {};
    if (parts_.traffic == nullptr || parts_.traffic->in_flight() == 0) return {};
    if (parts_.deaths != nullptr &&
        (cycle <= parts_.deaths->still_until() + kSilence || engine_.idle()))
      return {};  // in an empty network they are lost
    return fmt::format(
        "cycle {}: {} packets are in flight and nothing has moved on any link since cycle {}{}",
        cycle, parts_.traffic->in_flight(), last, busy_switches());
  }
  std::string busy_switches() const {
    std::string text;
    core::Bank& switches = parts_.network->switches();
    unsigned shown = 0;
    for (std::uint32_t s = 0; s < switches.blocks() && shown < 4; ++s) {
      if (switches.quiescent(s) || !parts_.network->switch_alive(s)) continue;
      text +=
          fmt::format("\n  {}: {}", topology::switch_text(*spec_.graph, s), switches.describe(s));
      ++shown;
    }
    return text;
  }
  /// A report if a link that retries is down, except for those of blocks that have died. REQUIRES:
  /// links that retry.
  std::string ends_down_text() const {
    std::vector<std::string> down;
    for (const core::ChannelId c : ends_down(*parts_.network))
      if (parts_.deaths == nullptr || !parts_.deaths->expects_down(c))
        down.push_back(end_text(*parts_.network, c));
    if (down.empty()) return {};
    return fmt::format("cycle {}: {} link end{} down: {}", engine_.cycle(), down.size(),
                       down.size() == 1 ? " is" : "s are", fmt::join(down, "; "));
  }

  std::uint64_t barriers_done() const {
    std::uint64_t done = 0;
    for (std::uint32_t g = 0; g < parts_.members.groups(); ++g) done += parts_.members.current(g);
    return done;
  }

  RunParts& parts_;
  const RunSpec& spec_;
  core::Engine& engine_;
  const HangLimits& limits_;
  Hosts& hosts_;        ///< of the scheme
  bool may_run_ahead_;  ///< see core::Engine::run_ahead
  RunResult result_;
  std::uint64_t drain_start_ = 0;  ///< cycle; 0: it did not come to that
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
  return fill_result(parts, RunLoop(parts).go());
}

RunResult run_barriers(const RunSpec& spec) { return run_barriers(*resolve(spec)); }

}  // namespace muster::run
