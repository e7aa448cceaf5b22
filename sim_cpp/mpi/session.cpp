// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "muster/core/rng.hpp"
#include "muster/run/members.hpp"
#include "muster/systems/btin.hpp"

namespace muster::mpi {
namespace {

using fabric::ReduceOp;

constexpr std::chrono::milliseconds kGrace{5};  ///< of real time, for a rank in a call of MPI

const char* name_of(ReduceOp op) {
  for (const auto& named : fabric::kReduceOps)
    if (named.op == op) return named.name;
  return "?";
}

ReduceOp op_of(const muster_call& call) { return static_cast<ReduceOp>(call.op); }

/// What two numbers of `bits` bits make together.
std::uint64_t combined(ReduceOp op, std::uint64_t a, std::uint64_t b, std::uint32_t bits) {
  if (op == ReduceOp::kSum) return (a + b) & (~std::uint64_t{0} >> (64 - bits));
  return fabric::reduce(op, {a, 0}, {b, 0}, 64).lo;
}

muster_reply reply_with(std::uint32_t number, std::uint32_t flags = 0) {
  muster_reply reply{};
  reply.number = number;
  reply.flags = flags;
  return reply;
}

bool alike(const muster_call& a, const muster_call& b) {
  return std::strcmp(a.name, b.name) == 0 && a.op == b.op && a.bits == b.bits &&
         a.count == b.count && a.flags == b.flags && a.root == b.root;
}

}  // namespace

Session::Session(Callers& callers, const run::RunSpec& spec, std::vector<topology::NodeId> places,
                 SessionOptions options)
    : callers_(callers), spec_(spec), places_(std::move(places)), options_(std::move(options)) {
  const std::uint32_t count = callers.ranks();
  ranks_.resize(count);
  script_.resize(count);
  work_ns_.resize(count);
  running_ = count;
  Communicator world;
  for (std::uint32_t r = 0; r < count; ++r) world.ranks.push_back(r);
  world.posted.resize(count);
  world.left.resize(count);
  world.ops = {ReduceOp::kOr};
  comms_.push_back(std::move(world));
  spec_.programs = std::shared_ptr<run::Programs>(std::shared_ptr<void>(), this);
  result_.ranks = count;
}

SessionResult Session::run() {
  std::uint64_t digest = 0;
  for (;;) {
    set_up_groups();
    std::unique_ptr<const run::ResolvedRun> resolved;
    try {
      resolved = run::resolve(spec_);
    } catch (const run::UnfitNetwork&) {
      // The newest group has no room; the ranks of its communicator meet without the network.
      if (groups_.size() <= 1) throw;
      Communicator& comm = comms_[groups_.back().comm];
      comm.refused = true;
      comm.ops.clear();
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
    if (leave_ && run.violations.empty()) continue;
    result_.violations = run.violations;
    break;
  }
  result_.digest = fmt::format("{:016x}", digest);
  for (const Rank& rank : ranks_) {
    result_.cycles = std::max(result_.cycles, rank.clock);
    result_.elapsed += static_cast<double>(rank.clock);
  }
  for (auto& [key, site] : sites_) result_.sites.push_back(site);
  return std::move(result_);
}

/// All communicators that are not freed, a group for each of their operations.
void Session::set_up_groups() {
  groups_.clear();
  spec_.groups.clear();
  std::vector<ReduceOp> ops;
  for (std::uint32_t c = 0; c < comms_.size(); ++c) {
    Communicator& comm = comms_[c];
    const auto size = static_cast<std::uint32_t>(comm.ranks.size());
    forget(comm);
    if (comm.refused || (comm.freed == size && comm.meetings.empty())) continue;
    std::vector<topology::NodeId> nodes;
    for (const std::uint32_t r : comm.ranks) nodes.push_back(places_[r]);
    std::vector<topology::NodeId> ascending = nodes;
    std::ranges::sort(ascending);
    Group group;
    group.comm = c;
    for (const topology::NodeId n : nodes)
      group.member.push_back(
          static_cast<std::uint32_t>(std::ranges::lower_bound(ascending, n) - ascending.begin()));
    group.parts.resize(size);
    group.data.resize(size);
    for (const ReduceOp op : comm.ops) {
      group.op = op;
      groups_.push_back(group);
      ops.push_back(op);
      spec_.groups.push_back({fmt::format("comm{}-{}", c, name_of(op)), ascending});
    }
  }
  spec_.barriers = static_cast<std::uint32_t>(run::kMostBarriers / groups_.size());
  if (run::find_scheme(spec_.scheme).system.name() == btin::Spec::kSystem)
    run::own<btin::Spec>(spec_).ops = ops;
}

void Session::begin(std::uint64_t cycle, std::uint64_t created, run::Members& members) {
  members_ = &members;
  engine_cycle_ = cycle;
  offset_ = restart_ - cycle;
  for (const auto& [rank, comm] : created_) answer(rank, restart_ + created, reply_with(comm));
  created_.clear();
  const std::vector<Part*> waiting = std::exchange(unstarted_, {});
  for (Part* part : waiting) enter(*part, cycle);
}

run::Programs::Next Session::before(std::uint64_t cycle, const std::function<bool()>& still) {
  engine_cycle_ = cycle;
  const std::chrono::milliseconds patience = std::chrono::seconds(options_.patience);
  for (;;) {
    gather();
    if (behind()) {
      await(patience);
    } else if (!pending_.empty() && pending_.begin()->first <= now()) {
      const std::uint32_t rank = pending_.begin()->second;
      pending_.erase(pending_.begin());
      serve(rank);
    } else if (elsewhere_ != 0 && grace()) {
      continue;
    } else if (leave_ && whole()) {
      restart_ = now();
      // Who has arrived and is not released, arrives again.
      for (Group& group : groups_)
        for (Part* part : group.parts)
          if (part != nullptr) unstarted_.push_back(part);
      return Next::kLeave;
    } else if (gone_ == ranks_.size() && over()) {
      return Next::kDone;
    } else if (!still()) {
      return Next::kStep;
    } else if (running_ != 0) {
      await(patience);
    } else if (!pending_.empty()) {
      offset_ += pending_.begin()->first - now();
    } else if (elsewhere_ != 0) {
      await(patience);
    } else if (gone_ == ranks_.size()) {
      return Next::kDone;
    } else {
      throw ProgramError("no rank can go on:" + waiting());
    }
  }
}

void Session::gather() {
  if (running_ == 0 && elsewhere_ == 0) return;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].state != State::kRuns && ranks_[r].state != State::kElsewhere) continue;
    if (const muster_call* const call = callers_.posted(r)) accept(r, *call);
  }
}

void Session::accept(std::uint32_t rank, const muster_call& call) {
  Rank& r = ranks_[rank];
  graced_ = false;
  std::uint64_t time = std::max(r.clock, now());
  if (r.state == State::kElsewhere) {
    --elsewhere_;
    r.carried += time - r.clock;
  } else {
    --running_;
    std::uint64_t work_ns = call.work_ns;
    if (!options_.work_ns.empty())
      work_ns = r.calls < options_.work_ns[rank].size() ? options_.work_ns[rank][r.calls] : 0;
    work_ns_[rank].push_back(work_ns);
    ++r.calls;
    const auto* const replayed = dynamic_cast<const ScriptCallers*>(&callers_);
    std::uint64_t work =
        replayed != nullptr
            ? replayed->work(rank)
            : static_cast<std::uint64_t>(std::llround(static_cast<double>(work_ns) *
                                                      options_.factor / spec_.profile.clock_ns));
    work = std::max<std::uint64_t>(work, 1);
    time = std::max(r.clock + work, now());
    r.carried += time - r.clock;
  }
  if (call.kind != MUSTER_ENTER && call.kind != MUSTER_LEAVE && call.kind != MUSTER_TEST)
    record(rank, call, call.kind);
  r.clock = time;
  r.state = State::kPosted;
  pending_.emplace(time, rank);
}

void Session::record(std::uint32_t rank, const muster_call& call, std::uint32_t kind) {
  RecordedCall& recorded = script_[rank].emplace_back();
  recorded.call = call;
  recorded.call.kind = kind;
  std::ranges::fill(recorded.call.data, 0);
  recorded.work = std::exchange(ranks_[rank].carried, 0);
}

/// A rank that runs may still call before this cycle.
bool Session::behind() const {
  if (running_ == 0) return false;
  return std::ranges::any_of(
      ranks_, [&](const Rank& r) { return r.state == State::kRuns && r.clock < now(); });
}

void Session::await(std::chrono::milliseconds limit) {
  if (callers_.wait(limit)) return;
  std::string text;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r)
    if (ranks_[r].state == State::kRuns || ranks_[r].state == State::kElsewhere)
      text += fmt::format(
          "\n  rank {} {}", r,
          ranks_[r].state == State::kRuns ? "has made no call" : "is in a call of MPI itself");
  throw ProgramError(fmt::format("no call for {} s:{}{}", options_.patience, text, waiting()));
}

/// A rank in a call of MPI is likely to return soon: true if one has called.
bool Session::grace() { return !std::exchange(graced_, true) && callers_.wait(kGrace); }

void Session::answer(std::uint32_t rank, std::uint64_t time, const muster_reply& reply) {
  Rank& r = ranks_[rank];
  r.clock = time;
  r.state = State::kRuns;
  ++running_;
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
      if (call.comm < comms_.size()) ++comms_[call.comm].freed;
      return answer(rank, r.clock, {});
    case MUSTER_FINALIZE:
      ++gone_;
      r.state = State::kGone;
      return callers_.answer(rank, {});
    default:  // it enters or leaves a call of MPI itself
      answer(rank, r.clock, {});
      if (call.kind != MUSTER_ENTER) return;
      r.state = State::kElsewhere;
      --running_;
      ++elsewhere_;
  }
}

void Session::collect(std::uint32_t rank, const muster_call& call) {
  Rank& r = ranks_[rank];
  const bool waits = (call.flags & MUSTER_NONBLOCKING) == 0;
  if (!waits && (call.flags & MUSTER_FOREIGN) != 0) {
    ++result_.passed[call.name];
    return answer(rank, r.clock, reply_with(0, MUSTER_BY_MPI));
  }
  if (call.comm >= comms_.size())
    throw ProgramError(call_text(rank, call) + ": there is no such communicator");
  Communicator& comm = comms_[call.comm];
  const auto at = std::ranges::find(comm.ranks, rank);
  if (at == comm.ranks.end())
    throw ProgramError(call_text(rank, call) + ": it is not a rank of the communicator");
  const auto place = static_cast<std::uint32_t>(at - comm.ranks.begin());
  Meeting& meeting = this->meeting(rank, place, call);
  Part& part = meeting.parts[place];
  part.posted = true;
  part.waits = waits;
  part.arrival = r.clock;
  const std::uint32_t words =
      call.bits == 0 ? 0 : std::min<std::uint32_t>(call.count, MUSTER_WORDS);
  part.data =
      Segments(op_of(call), call.bits, {call.data, call.data + words},
               meeting.in_network ? width_ : 0, static_cast<std::uint32_t>(comm.ranks.size()));
  if (comm.left[place] + 1 == comm.posted[place]) start(part, r.clock);
  if (waits) return;
  r.handles.push_back(&part);
  answer(rank, r.clock, reply_with(static_cast<std::uint32_t>(r.handles.size() - 1)));
}

/// The next one of the rank at this place of the communicator.
Session::Meeting& Session::meeting(std::uint32_t rank, std::uint32_t place,
                                   const muster_call& call) {
  Communicator& comm = comms_[call.comm];
  forget(comm);
  const auto size = static_cast<std::uint32_t>(comm.ranks.size());
  const std::uint64_t index = comm.posted[place]++ - comm.over;
  if (index < comm.meetings.size()) {
    Meeting& meeting = *comm.meetings[index];
    if (!alike(meeting.call, call))
      throw ProgramError(fmt::format("calls do not match:\n  {}\n  meets {}", call_text(rank, call),
                                     call_text(meeting.first, meeting.call)));
    return meeting;
  }
  Meeting& meeting = *comm.meetings.emplace_back(std::make_unique<Meeting>());
  meeting.call = call;
  meeting.first = rank;
  meeting.comm = call.comm;
  meeting.by_mpi = (call.flags & MUSTER_FOREIGN) != 0;
  if (width_ != 0)
    meeting.rounds = Segments::rounds(op_of(call), call.bits, call.count, width_, size);
  meeting.in_network =
      !meeting.by_mpi && !comm.refused && meeting.rounds != 0 && meeting.rounds <= kMostRounds;
  meeting.parts.resize(size);
  for (std::uint32_t p = 0; p < size; ++p) {
    meeting.parts[p].meeting = &meeting;
    meeting.parts[p].rank = comm.ranks[p];
    meeting.parts[p].place = p;
  }
  return meeting;
}

/// Its earlier calls on the communicator are complete: it arrives.
void Session::start(Part& part, std::uint64_t time) {
  Meeting& meeting = *part.meeting;
  Communicator& comm = comms_[meeting.comm];
  part.started = true;
  if (++meeting.started == meeting.parts.size()) combine(meeting);
  if (!meeting.in_network) {
    if (meeting.started == meeting.parts.size())
      for (Part& each : meeting.parts) finish(each, time);
    return;
  }
  const bool any = meeting.call.bits == 0 || width_ == 0;
  if (any || comm.ops.contains(op_of(meeting.call))) return enter(part, time - offset_);
  comm.ops.insert(op_of(meeting.call));
  leave_ = true;
  unstarted_.push_back(&part);
}

/// It arrives in the network at its next round.
void Session::enter(Part& part, std::uint64_t cycle) {
  const Meeting& meeting = *part.meeting;
  const bool any = meeting.call.bits == 0 || width_ == 0;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (group.comm != meeting.comm || (!any && group.op != op_of(meeting.call))) continue;
    const std::uint32_t member = group.member[part.place];
    group.parts[member] = &part;
    group.data[member] = part.data.next();
    ++group.arrived;
    return members_->arrive(cycle, g, member);
  }
  if (!comms_[meeting.comm].refused) {  // its group comes with the next network
    leave_ = true;
    unstarted_.push_back(&part);
    return;
  }
  Meeting& changed = *part.meeting;  // there was no room for it
  changed.in_network = false;
  if (changed.started != changed.parts.size()) return;
  combine(changed);
  for (Part& each : changed.parts)
    if (!each.done) finish(each, now());
}

/// All have called: the result where messages have no room for it.
void Session::combine(Meeting& meeting) {
  if (meeting.by_mpi || (meeting.in_network && width_ != 0)) return;
  std::vector<std::uint64_t> result = meeting.parts.front().data.numbers();
  for (std::size_t p = 1; p < meeting.parts.size(); ++p)
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = combined(op_of(meeting.call), result[i], meeting.parts[p].data.numbers()[i],
                           meeting.call.bits);
  for (Part& part : meeting.parts) part.data.settle(result);
}

fabric::Payload Session::brings(std::uint32_t group, std::uint32_t member) const {
  return groups_[group].data[member];
}

fabric::Payload Session::all(std::uint32_t group) const {
  const Group& g = groups_[group];
  fabric::Payload data = fabric::neutral(g.op, width_);
  for (const fabric::Payload& each : g.data) data = fabric::reduce(g.op, data, each, width_);
  return width_ == 0 ? fabric::Payload{} : data;
}

void Session::takes(std::uint32_t group, std::uint32_t member, const fabric::Payload& data) {
  if (width_ != 0) groups_[group].parts[member]->data.take(data);
}

void Session::released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  Group& g = groups_[group];
  Part& part = *std::exchange(g.parts[member], nullptr);
  if (++g.released % g.parts.size() == 0) ++result_.barriers;
  if (width_ != 0 && part.meeting->call.bits != 0 && !part.data.done()) return enter(part, cycle);
  finish(part, cycle + offset_);
}

/// The rank has left the meeting.
void Session::finish(Part& part, std::uint64_t time) {
  Meeting& meeting = *part.meeting;
  Communicator& comm = comms_[meeting.comm];
  part.done = true;
  part.release = time;
  const bool last = ++meeting.done == meeting.parts.size();
  const bool together = options_.check && part.waits;
  if (part.waits && !together) answer(part, time);
  if (last && together)
    for (Part& each : meeting.parts) answer(each, each.release);
  if (!part.waits && ranks_[part.rank].waits_for == &part)
    answer(part, std::max(time, ranks_[part.rank].clock));
  const std::uint64_t next = ++comm.left[part.place];
  if (comm.posted[part.place] > next)
    start(comm.meetings[next - comm.over]->parts[part.place], time);
  if (last) close(meeting);
}

void Session::answer(Part& part, std::uint64_t time) {
  muster_reply reply{};
  reply.flags = MUSTER_COMPLETE;
  if (part.meeting->by_mpi) reply.flags |= MUSTER_BY_MPI;
  std::ranges::copy(part.data.result(), reply.data);
  part.answered = true;
  Rank& rank = ranks_[part.rank];
  rank.waits_for = nullptr;
  for (Part*& handle : rank.handles)
    if (handle == &part) handle = nullptr;
  answer(part.rank, time, reply);
}

void Session::test(std::uint32_t rank, const muster_call& call) {
  Rank& r = ranks_[rank];
  if (call.handle >= r.handles.size() || r.handles[call.handle] == nullptr)
    throw ProgramError(call_text(rank, call) + ": the request is not open");
  Part& part = *r.handles[call.handle];
  if (part.done && part.release <= now()) {
    if (call.kind == MUSTER_TEST) record(rank, call, MUSTER_WAIT);
    return answer(part, r.clock);
  }
  if (call.kind == MUSTER_TEST) return answer(rank, r.clock, {});
  r.waits_for = &part;
  if (part.done) answer(part, part.release);
}

/// All ranks of the new communicator come here.
void Session::create(std::uint32_t rank, const muster_call& call) {
  const std::size_t count = std::min<std::size_t>(call.count, MUSTER_RANKS);
  const std::vector<std::uint16_t> members(call.members, call.members + count);
  auto at = std::ranges::find_if(creations_, [&](const Creation& c) {
    return c.ranks == members && std::ranges::find(c.joined, rank) == c.joined.end();
  });
  if (at == creations_.end()) at = creations_.insert(at, {members, {}});
  at->joined.push_back(rank);
  if (at->joined.size() != members.size()) return;
  Communicator comm;
  comm.ranks.assign(members.begin(), members.end());
  comm.posted.resize(members.size());
  comm.left.resize(members.size());
  comm.ops = {ReduceOp::kOr};
  for (const std::uint32_t r : at->joined) {
    created_.emplace_back(r, static_cast<std::uint32_t>(comms_.size()));
    script_[r].back().call.comm = static_cast<std::uint32_t>(comms_.size());
  }
  comms_.push_back(std::move(comm));
  creations_.erase(at);
  leave_ = true;
}

/// No barrier of which all members have arrived is under way.
bool Session::whole() const {
  return std::ranges::all_of(groups_, [](const Group& g) {
    return g.released % g.parts.size() == 0 && g.arrived - g.released < g.parts.size();
  });
}

bool Session::over() const {
  return std::ranges::all_of(groups_, [](const Group& g) { return g.arrived == g.released; });
}

void Session::forget(Communicator& comm) {
  const auto over = [](const Meeting& meeting) {
    return meeting.done == meeting.parts.size() &&
           std::ranges::all_of(meeting.parts, [](const Part& p) { return p.answered; });
  };
  while (!comm.meetings.empty() && over(*comm.meetings.front())) {
    comm.meetings.pop_front();
    ++comm.over;
  }
}

}  // namespace muster::mpi
