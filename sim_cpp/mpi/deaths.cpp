// SPDX-License-Identifier: Apache-2.0
/// Ranks that die, and a session without them.
#include <sys/wait.h>

#include "mpi/session.hpp"

namespace muster::mpi {

std::string text_of(const Death& death) {
  std::string text = fmt::format("rank {} ", death.rank);
  if (WIFSIGNALED(death.status)) {
    const int signal = WTERMSIG(death.status);
    text += fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
  } else {
    text += fmt::format("has ended with status {}", WEXITSTATUS(death.status));
  }
  if (death.call.empty()) return text + "; it made no call";
  return text + fmt::format("; its last call was {} at {}", death.call, death.site);
}

bool ScriptCallers::wait(std::chrono::milliseconds) {
  const std::size_t known = deaths_.size();
  for (std::uint32_t r = 0; r < ranks(); ++r) {
    const std::vector<RecordedCall>& calls = script_[r];
    if (next_[r] != calls.size()) continue;
    if (!calls.empty() && calls.back().call.kind == MUSTER_FINALIZE) continue;
    if (std::ranges::find(deaths_, r, &Death::rank) == deaths_.end())
      deaths_.emplace_back().rank = r;
  }
  return deaths_.size() != known;
}

void Session::lose(const Death& death) {
  Rank& r = ranks_[death.rank];
  pending_.erase({r.clock, death.rank});
  r = Rank{};
  r.state = State::kDead;
  r.clock = now();
  lost_.push_back(death.rank);
  result_.deaths.push_back(death);
  result_.deaths.back().cycle = now();
  if (result_.deaths.size() == ranks_.size()) throw ProgramError("no rank lives:" + waiting());
  leave_ = true;
}

/// REQUIRES: no barrier is under way; who has arrived is in unstarted_.
void Session::leave_out_the_dead() {
  for (const std::uint32_t rank : std::exchange(lost_, {})) {
    std::erase_if(unstarted_, [&](const Part* part) { return part->rank == rank; });
    for (Communicator& comm : comms_) leave_out(comm, rank);
    for (Creation& creation : creations_) std::erase(creation.joined, rank);
  }
  std::erase_if(creations_, [&](const Creation& creation) { return create(creation); });
}

void Session::leave_out(Communicator& comm, std::uint32_t rank) {
  const auto at = std::ranges::find(comm.ranks, rank);
  if (at == comm.ranks.end()) return;
  const auto place = at - comm.ranks.begin();
  comm.ranks.erase(at);
  comm.posted.erase(comm.posted.begin() + place);
  comm.left.erase(comm.left.begin() + place);
  comm.freed.erase(rank);
  const auto posted = [](const auto& part) { return part->posted; };
  for (const auto& meeting : comm.meetings) {
    auto& parts = meeting->parts;
    parts.erase(parts.begin() + place);
    for (std::uint32_t p = 0; p < parts.size(); ++p) parts[p]->place = p;
    const auto first = std::ranges::find_if(parts, posted);
    if (first == parts.end() || meeting->all(&Part::done)) continue;
    meeting->first = (*first)->rank;
    need_the_living(comm, meeting->first, meeting->call);
    // Fewer members may take fewer rounds. None is over: a barrier of which all had come has ended.
    const muster_call& call = meeting->call;
    const auto op = static_cast<fabric::ReduceOp>(call.op);
    const auto size = static_cast<std::uint32_t>(parts.size());
    if (width_ != 0) meeting->rounds = Segments::rounds(op, call.bits, call.count, width_, size);
    for (const auto& part : parts)
      if (part->posted)
        part->data =
            Segments(op, call.bits, part->data.numbers(), meeting->in_network ? width_ : 0, size);
  }
  // What only the dead rank had called.
  while (!comm.meetings.empty() && std::ranges::none_of(comm.meetings.back()->parts, posted))
    comm.meetings.pop_back();
}

/// Throws ProgramError if the call cannot do without the dead ranks of its communicator.
void Session::need_the_living(const Communicator& comm, std::uint32_t rank,
                              const muster_call& call) const {
  for (std::uint32_t r = 0; r < comm.made_of.size(); ++r) {
    if (ranks_[comm.made_of[r]].state != State::kDead) continue;
    const bool from_it = (call.flags & MUSTER_FROM_ROOT) != 0 && call.root == r;
    if (from_it || (call.flags & MUSTER_FOREIGN) != 0)
      throw ProgramError(fmt::format("{}: {} rank {}, which has died", call_text(rank, call),
                                     from_it ? "its root is" : "MPI itself would need",
                                     comm.made_of[r]) +
                         waiting());
  }
}

}  // namespace muster::mpi
