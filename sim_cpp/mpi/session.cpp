// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.hpp"

#include <cmath>
#include <numeric>

#include "mpi/design.hpp"
#include "muster/systems/btin.hpp"

namespace muster::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{5};  ///< of real time, for a rank in a call of MPI

}  // namespace

Session::Session(Callers& callers, const run::RunSpec& spec, std::vector<topology::NodeId> places,
                 SessionOptions options)
    : callers_(callers), spec_(spec), places_(std::move(places)), options_(std::move(options)) {
  const std::uint32_t count = callers.ranks();
  ranks_.resize(count);
  script_.resize(count);
  work_ns_.resize(count);
  std::vector<std::uint32_t> world(count);
  std::iota(world.begin(), world.end(), 0);
  add_communicator(std::move(world));
  spec_.programs = std::shared_ptr<run::Programs>(std::shared_ptr<void>(), this);
  result_.ranks = count;
}

SessionResult Session::run() {
  if (is_driven())
    run_driven();
  else
    run_networks();
  for (const Rank& rank : ranks_) {
    result_.cycles = std::max(result_.cycles, rank.clock);
    result_.elapsed += static_cast<double>(rank.clock);
  }
  for (auto& [key, site] : sites_) result_.sites.push_back(site);
  return std::move(result_);
}

/// One after the other, each with all groups that have been asked for.
void Session::run_networks() {
  std::uint64_t digest = 0;
  for (;;) {
    set_up_groups();
    std::unique_ptr<const run::ResolvedRun> resolved;
    try {
      resolved = run::resolve(spec_);
    } catch (const run::UnfitNetwork&) {
      // The newest group has no room; what needs it meets without the network.
      if (groups_.size() <= 1) throw;
      comms_[groups_.back().comm].ops[groups_.back().op] = false;
      continue;
    }
    leave_ = false;
    const run::RunResult run = run::run_barriers(*resolved);
    result_.simulated += run.cycles;
    result_.scheme = run.scheme;
    result_.engine = run.engine;
    result_.config = run.config.name;
    digest = mix64(digest ^ std::stoull(run.digest, nullptr, 16));
    ++result_.set_ups;
    if (std::exchange(left_, false) && run.violations.empty()) continue;
    if (run.end == run::End::kInterrupted) throw ProgramError("interrupted by a signal");
    result_.violations = run.violations;
    break;
  }
  result_.digest = fmt::format("{:016x}", digest);
}

void Session::begin(std::uint64_t cycle, std::uint64_t created, run::Members& members) {
  members_ = &members;
  engine_cycle_ = begin_ = cycle;
  offset_ = restart_ - cycle;
  for (const auto& [rank, comm] : created_) answer(rank, restart_ + created, reply_with(comm));
  created_.clear();
  const std::vector<Part*> waiting = std::exchange(unstarted_, {});
  for (Part* part : waiting) enter(*part, cycle);
  // Those that waited for a dead rank alone.
  for (Communicator& comm : comms_)
    for (const auto& meeting : comm.meetings)
      if (meeting->all(&Part::started) && !meeting->all(&Part::done)) complete(*meeting, now());
}

run::Programs::Next Session::before(std::uint64_t cycle, const std::function<bool()>& still) {
  if (cycle < begin_) return Next::kStep;  // warm-up
  engine_cycle_ = cycle;
  for (;;) {
    gather();
    if (behind()) {
      await();
    } else if (!pending_.empty() && pending_.begin()->first <= now()) {
      const std::uint32_t rank = pending_.begin()->second;
      pending_.erase(pending_.begin());
      serve(rank);
    } else if (some(State::kElsewhere) && grace()) {
      continue;
    } else if (all_gone() && over()) {
      return Next::kDone;
    } else if (leave_ && whole()) {
      restart_ = now();
      // Who has arrived and is not released, arrives again.
      for (Group& group : groups_)
        for (Part* part : group.parts)
          if (part != nullptr) unstarted_.push_back(part);
      left_ = true;
      return Next::kLeave;
    } else if (!still()) {
      constexpr std::uint64_t kLook = 4096;  // data may move for ever
      if (cycle % kLook == 0 && some(State::kElsewhere) && Clock::now() - heard_ > patience())
        give_up();
      return Next::kStep;
    } else if (some(State::kRuns)) {
      await();
    } else if (!pending_.empty()) {
      offset_ += pending_.begin()->first - now();
    } else if (some(State::kElsewhere)) {
      await();
    } else if (all_gone()) {
      return Next::kDone;
    } else {
      throw ProgramError("no rank can go on:" + waiting());
    }
  }
}

void Session::gather() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].state != State::kRuns && ranks_[r].state != State::kElsewhere) continue;
    if (const muster_call* const call = callers_.posted(r)) accept(r, *call);
  }
}

void Session::accept(std::uint32_t rank, const muster_call& call) {
  Rank& r = ranks_[rank];
  std::uint64_t time = std::max(r.clock, now());
  const bool by_driver = call.kind >= MUSTER_READ;
  graced_ = graced_ && by_driver;
  heard_ = Clock::now();
  if (by_driver) {  // a cycle after its last access
    time = std::max(r.clock + 1, now());
  } else if (r.state == State::kElsewhere) {
    r.carried += time - r.clock;
  } else {
    const std::optional<std::uint64_t> known = callers_.work(rank);
    const std::uint64_t work = known ? *known : measured_work(rank, call);
    time = std::max(r.clock + std::max<std::uint64_t>(work, 1), now());
    r.carried += time - r.clock;
  }
  if (!by_driver && call.kind != MUSTER_ENTER && call.kind != MUSTER_LEAVE &&
      call.kind != MUSTER_TEST)
    record(rank, call, call.kind);
  r.clock = time;
  r.state = State::kPosted;
  pending_.emplace(time, rank);
}

/// In cycles, of its processor time or that of --compute.
std::uint64_t Session::measured_work(std::uint32_t rank, const muster_call& call) {
  std::vector<std::uint64_t>& before = work_ns_[rank];
  std::uint64_t work_ns = call.work_ns;
  if (!options_.work_ns.empty()) {
    const std::vector<std::uint64_t>& recorded = options_.work_ns[rank];
    if (before.size() == recorded.size())
      throw ProgramError(fmt::format("{}: --compute has {} calls of this rank",
                                     call_text(rank, call), recorded.size()));
    work_ns = recorded[before.size()];
  }
  before.push_back(work_ns);
  const double cycles = static_cast<double>(work_ns) * options_.factor / spec_.profile.clock_ns;
  return static_cast<std::uint64_t>(
      std::llround(std::min(cycles, static_cast<double>(run::kMostCycles))));
}

void Session::record(std::uint32_t rank, const muster_call& call, std::uint32_t kind) {
  const std::uint64_t work = std::exchange(ranks_[rank].carried, 0);
  if (!options_.keep) return;
  RecordedCall& recorded = script_[rank].emplace_back();
  recorded.call = call;
  recorded.call.kind = kind;
  std::ranges::fill(recorded.call.data, 0);
  recorded.work = work;
}

/// A rank that runs may still call before this cycle.
bool Session::behind() const {
  return std::ranges::any_of(
      ranks_, [&](const Rank& r) { return r.state == State::kRuns && r.clock < now(); });
}

/// False: no rank has called, and none has died.
bool Session::hear(std::chrono::milliseconds limit) {
  const bool heard = callers_.wait(limit);
  for (std::size_t i = result_.deaths.size(); i < callers_.deaths().size(); ++i)
    lose(callers_.deaths()[i]);
  return heard;
}

void Session::await() {
  if (!hear(patience())) give_up();
}

bool Session::all_gone() const {
  return std::ranges::all_of(
      ranks_, [](const Rank& r) { return r.state == State::kGone || r.state == State::kDead; });
}

void Session::give_up() const {
  std::string text;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r)
    if (ranks_[r].state == State::kRuns || ranks_[r].state == State::kElsewhere)
      text += fmt::format(
          "\n  rank {} {}", r,
          ranks_[r].state == State::kRuns ? "has made no call" : "is in a call of MPI itself");
  throw ProgramError(fmt::format("no call for {} s:{}{}", options_.patience, text, waiting()));
}

/// A rank in a call of MPI is likely to return soon: true if one has called.
bool Session::grace() { return !std::exchange(graced_, true) && hear(kGrace); }

void Session::answer(std::uint32_t rank, std::uint64_t time, const muster_reply& reply) {
  Rank& r = ranks_[rank];
  if (r.state == State::kDead) return;
  r.clock = time;
  r.state = State::kRuns;
  callers_.answer(rank, reply);
}

void Session::serve(std::uint32_t rank) {
  const muster_call& call = *callers_.posted(rank);
  Rank& r = ranks_[rank];
  r.state = State::kWaits;
  switch (call.kind) {
    case MUSTER_COLLECTIVE:
      return collect(rank, call);
    case MUSTER_WAIT:
    case MUSTER_TEST:
      return test(rank, call);
    case MUSTER_CREATE:
      return create(rank, call);
    case MUSTER_FREE:
      if (call.comm < comms_.size()) {
        Communicator& comm = comms_[call.comm];
        comm.freed.insert(rank);
        if (comm.freed.size() == comm.ranks.size() && is_driven())
          options_.design->release(call.comm);
      }
      return answer(rank, r.clock, {});
    case MUSTER_READ:
    case MUSTER_WRITE:
    case MUSTER_INTERRUPT:
      return options_.design->begin(places_[rank], call);
    case MUSTER_ROUND:
      return end_round(rank, call);
    case MUSTER_FINALIZE:
      r.state = State::kGone;
      return callers_.answer(rank, {});
    default:  // it enters or leaves a call of MPI itself
      answer(rank, r.clock, {});
      if (call.kind == MUSTER_ENTER) r.state = State::kElsewhere;
  }
}

}  // namespace muster::mpi
