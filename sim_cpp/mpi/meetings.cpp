// SPDX-License-Identifier: Apache-2.0
/// What ranks of a session do together: communicators, their meetings, and the groups of these.

#include "mpi/design.hpp"
#include "mpi/session.hpp"
#include "muster/systems/btin.hpp"

namespace muster::mpi {
namespace {

using fabric::ReduceOp;

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

bool alike(const muster_call& a, const muster_call& b) {
  return std::strcmp(a.name, b.name) == 0 && a.op == b.op && a.bits == b.bits &&
         a.count == b.count && a.flags == b.flags && a.root == b.root;
}

}  // namespace

/// A group for each operation that communicators which are not freed have asked for.
void Session::set_up_groups() {
  groups_.clear();
  spec_.groups.clear();
  std::vector<ReduceOp> ops;
  leave_out_the_dead();
  for (Communicator& comm : comms_) forget(comm);
  for (const auto& [c, op] : asked_) {
    const Communicator& comm = comms_[c];
    const auto size = static_cast<std::uint32_t>(comm.ranks.size());
    if (!comm.ops.at(op) || (comm.freed.size() == size && comm.meetings.empty())) continue;
    const std::vector<topology::NodeId> ascending = nodes_of(comm);
    Group& group = groups_.emplace_back();
    group.comm = c;
    group.op = op;
    for (const std::uint32_t r : comm.ranks)
      group.member.push_back(static_cast<std::uint32_t>(
          std::ranges::lower_bound(ascending, places_[r]) - ascending.begin()));
    group.parts.resize(size);
    group.data.resize(size);
    ops.push_back(op);
    spec_.groups.push_back({fmt::format("comm{}-{}", c, name_of(op)), ascending});
  }
  spec_.barriers = static_cast<std::uint32_t>(run::kMostBarriers / groups_.size());
  if (run::find_scheme(spec_.scheme).system.name() == btin::Spec::kSystem)
    run::own<btin::Spec>(spec_).ops = ops;
}

/// Of its ranks, ascending.
std::vector<topology::NodeId> Session::nodes_of(const Communicator& comm) const {
  std::vector<topology::NodeId> nodes;
  for (const std::uint32_t r : comm.ranks) nodes.push_back(places_[r]);
  std::ranges::sort(nodes);
  return nodes;
}

void Session::collect(std::uint32_t rank, const muster_call& call) {
  Rank& r = ranks_[rank];
  const bool waits = (call.flags & MUSTER_NONBLOCKING) == 0;
  if (call.comm >= comms_.size())
    throw ProgramError(call_text(rank, call) + ": there is no such communicator");
  Communicator& comm = comms_[call.comm];
  const auto at = std::ranges::find(comm.ranks, rank);
  if (at == comm.ranks.end())
    throw ProgramError(call_text(rank, call) + ": it is not a rank of the communicator");
  need_the_living(comm, rank, call);
  const auto place = static_cast<std::uint32_t>(at - comm.ranks.begin());
  if (!waits && ((call.flags & MUSTER_FOREIGN) != 0 || is_driven())) {
    if (place == 0) ++result_.passed[call.name];
    return answer(rank, r.clock, reply_with(0, MUSTER_BY_MPI));
  }
  Meeting& meeting = this->meeting(rank, place, call);
  Part& part = *meeting.parts[place];
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
  meeting.in_network = !meeting.by_mpi && meeting.rounds != 0 && meeting.rounds <= kMostRounds &&
                       (is_driven() ? takes_group(meeting) : has_room(meeting));
  for (std::uint32_t p = 0; p < size; ++p) {
    Part& part = *meeting.parts.emplace_back(std::make_unique<Part>());
    part.meeting = &meeting;
    part.rank = comm.ranks[p];
    part.place = p;
  }
  return meeting;
}

/// Its earlier calls on the communicator are complete: it arrives.
void Session::start(Part& part, std::uint64_t time) {
  Meeting& meeting = *part.meeting;
  Communicator& comm = comms_[meeting.comm];
  part.started = true;
  if (meeting.all(&Part::started)) complete(meeting, time);
  if (!meeting.in_network) return;
  if (is_driven()) return drive(part, time);
  if (!without_data(meeting) && comm.ops.try_emplace(op_of(meeting.call), true).second)
    asked_.emplace_back(meeting.comm, op_of(meeting.call));
  enter(part, time - offset_);
}

bool Session::all_live(const Communicator& comm) const {
  return std::ranges::none_of(comm.made_of,
                              [&](std::uint32_t r) { return ranks_[r].state == State::kDead; });
}

/// Any group of its communicator serves it.
bool Session::without_data(const Meeting& meeting) const {
  return meeting.call.bits == 0 || width_ == 0;
}

/// It has a group, or may get one.
bool Session::has_room(const Meeting& meeting) const {
  const auto& ops = comms_[meeting.comm].ops;
  if (without_data(meeting))
    return std::ranges::any_of(ops, [](const auto& asked) { return asked.second; });
  const auto at = ops.find(op_of(meeting.call));
  return at == ops.end() || at->second;
}

/// It arrives in the network at its next round.
void Session::enter(Part& part, std::uint64_t cycle) {
  const Meeting& meeting = *part.meeting;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (group.comm != meeting.comm) continue;
    if (!without_data(meeting) && group.op != op_of(meeting.call)) continue;
    const std::uint32_t member = group.member[part.place];
    group.parts[member] = &part;
    group.data[member] = part.data.next();
    ++group.arrived;
    return members_->arrive(cycle, g, member);
  }
  if (has_room(meeting)) {  // its group comes with the next network
    leave_ = true;
    unstarted_.push_back(&part);
    return;
  }
  Meeting& changed = *part.meeting;  // there was no room for it
  changed.in_network = false;
  if (changed.all(&Part::started)) complete(changed, now());
}

/// All have called: without the network it is over.
void Session::complete(Meeting& meeting, std::uint64_t time) {
  combine(meeting);
  if (meeting.in_network) return;
  for (const auto& part : meeting.parts)
    if (!part->done) finish(*part, time);
}

/// The result where messages have no room for it.
void Session::combine(Meeting& meeting) {
  if (meeting.by_mpi || (meeting.in_network && width_ != 0)) return;
  std::vector<std::uint64_t> result = meeting.parts.front()->data.numbers();
  for (std::size_t p = 1; p < meeting.parts.size(); ++p)
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = combined(op_of(meeting.call), result[i], meeting.parts[p]->data.numbers()[i],
                           meeting.call.bits);
  for (const auto& part : meeting.parts) part->data.settle(result);
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
  const bool last = meeting.all(&Part::done);
  const bool together = options_.check && part.waits;
  if (part.waits && !together) answer(part, time);
  if (last && together)
    for (const auto& each : meeting.parts) answer(*each, each->release);
  if (!part.waits && ranks_[part.rank].waits_for == &part)
    answer(part, std::max(time, ranks_[part.rank].clock));
  const std::uint64_t next = ++comm.left[part.place];
  if (comm.posted[part.place] > next)
    start(*comm.meetings[next - comm.over]->parts[part.place], time);
  if (last) close(meeting);
}

void Session::answer(Part& part, std::uint64_t time) {
  muster_reply reply{};
  reply.flags = MUSTER_COMPLETE;
  if (part.meeting->by_mpi) reply.flags |= MUSTER_BY_MPI;
  if (options_.check && part.waits && all_live(comms_[part.meeting->comm]))
    reply.flags |= MUSTER_CHECK;
  std::ranges::copy(part.data.result(), reply.data);
  part.answered = true;
  Rank& rank = ranks_[part.rank];
  rank.waits_for = nullptr;
  if (!part.waits) {
    std::ranges::replace(rank.handles, &part, nullptr);
    while (!rank.handles.empty() && rank.handles.back() == nullptr) rank.handles.pop_back();
  }
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
  if (create(*at)) creations_.erase(at);
}

/// False: not all who live have come.
bool Session::create(const Creation& creation) {
  const auto lives = [&](std::uint32_t r) { return ranks_[r].state != State::kDead; };
  if (std::ranges::count_if(creation.ranks, lives) != std::ranges::count_if(creation.joined, lives))
    return false;
  const auto number = static_cast<std::uint32_t>(comms_.size());
  for (const std::uint32_t r : creation.joined) {
    if (options_.keep) script_[r].back().call.comm = number;
    if (is_driven())
      answer(r, now(), reply_with(number));
    else
      created_.emplace_back(r, number);
  }
  add_communicator({creation.ranks.begin(), creation.ranks.end()});
  leave_ = !is_driven();
  return true;
}

void Session::add_communicator(std::vector<std::uint32_t> ranks) {
  asked_.emplace_back(static_cast<std::uint32_t>(comms_.size()), ReduceOp::kOr);
  Communicator& comm = comms_.emplace_back();
  comm.made_of = std::move(ranks);
  std::ranges::copy_if(comm.made_of, std::back_inserter(comm.ranks),
                       [&](std::uint32_t r) { return ranks_[r].state != State::kDead; });
  comm.posted.resize(comm.ranks.size());
  comm.left.resize(comm.ranks.size());
  comm.ops = {{ReduceOp::kOr, true}};
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
    return meeting.all(&Part::done) && meeting.all(&Part::answered);
  };
  while (!comm.meetings.empty() && over(*comm.meetings.front())) {
    comm.meetings.pop_front();
    ++comm.over;
  }
}

std::string Session::call_text(std::uint32_t rank, const muster_call& call) const {
  std::string what = call.name[0] != '\0' ? call.name : "a call";
  if (call.bits != 0) {
    what += fmt::format(" ({}, {} x {} bits, root {})", name_of(op_of(call)), call.count, call.bits,
                        call.root);
  }
  return fmt::format("rank {} in {} on communicator {} at {}", rank, what, call.comm, call.site);
}

/// What has begun and is not over, a line each.
std::string Session::waiting() const {
  std::string text;
  for (const Communicator& comm : comms_)
    for (const auto& meeting : comm.meetings) {
      if (meeting->all(&Part::done)) continue;
      text += fmt::format("\n  {}; not there:", call_text(meeting->first, meeting->call));
      for (const auto& part : meeting->parts)
        if (!part->posted) text += fmt::format(" {}", part->rank);
    }
  for (const Creation& creation : creations_)
    text += fmt::format("\n  a communicator of {} ranks, made by {} of them", creation.ranks.size(),
                        creation.joined.size());
  for (std::uint32_t r = 0; r < ranks_.size(); ++r)
    if (ranks_[r].state == State::kGone) text += fmt::format("\n  rank {} has ended", r);
  for (const Death& death : result_.deaths) text += "\n  " + text_of(death);
  return text;
}

/// The meeting is over: it counts at its call site.
void Session::close(Meeting& meeting) {
  CallSite& site = sites_[{meeting.call.name, meeting.call.site, meeting.comm}];
  site.call = meeting.call.name;
  site.site = meeting.call.site;
  site.comm = meeting.comm;
  site.members = static_cast<std::uint32_t>(meeting.parts.size());
  site.outside += !meeting.in_network;
  result_.free += !meeting.in_network && !meeting.by_mpi;
  ++site.count;
  if (meeting.in_network) site.rounds += meeting.rounds;
  if (meeting.by_mpi) ++result_.passed[meeting.call.name];
  const auto arrival = [](const auto& part) { return part->arrival; };
  const auto release = [](const auto& part) { return part->release; };
  const Part& first = **std::ranges::min_element(meeting.parts, {}, arrival);
  const Part& last = **std::ranges::max_element(meeting.parts, {}, arrival);
  const std::uint64_t end = release(*std::ranges::max_element(meeting.parts, {}, release));
  site.latency += static_cast<double>(end - last.arrival);
  site.latency_max = std::max(site.latency_max, end - last.arrival);
  site.skew += static_cast<double>(last.arrival - first.arrival);
  ++site.last[last.rank];
  site.releases += meeting.parts.size();
  for (const auto& part : meeting.parts) {
    const double waited = static_cast<double>(part->release - part->arrival);
    site.waited += waited;
    if (part->waits) result_.waited += waited;
  }
}

}  // namespace muster::mpi
