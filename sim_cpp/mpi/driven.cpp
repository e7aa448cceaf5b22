// SPDX-License-Identifier: Apache-2.0
/// Of a session whose ranks drive the endpoints of a Verilated network.

#include "mpi/design.hpp"
#include "mpi/session.hpp"
#include "muster/systems/btin.hpp"

namespace muster::mpi {

void Session::run_driven() {
  Design& design = *options_.design;
  offset_ = 0 - design.cycle();  // the ranks begin when the network is open
  width_ = design.width();
  while (before(design.cycle(), [&design] { return design.still(); }) != Next::kDone) {
    design.step();
    ++result_.simulated;
    for (std::uint32_t r = 0; r < ranks_.size(); ++r)
      if (const auto word = design.ended(places_[r]))
        answer(r, design.cycle() - 1 + offset_, reply_with(*word));
    if (spec_.interrupted && spec_.interrupted()) throw ProgramError("interrupted by a signal");
  }
  result_.scheme = spec_.scheme;
  result_.engine = "rtl";
  result_.config = fmt::format("of {}", design.name());
  result_.set_ups = 1;
  result_.digest = fmt::format("{:016x}", design.digest());
  result_.violations = design.drops();
}

/// The image has one for it, whose operation the driver sets when it is used first; the ranks wait
/// meanwhile.
bool Session::takes_group(Meeting& meeting) {
  std::optional<fabric::ReduceOp> op;
  if (!without_data(meeting)) op = static_cast<fabric::ReduceOp>(meeting.call.op);
  const auto gid = options_.design->group(meeting.comm, nodes_of(comms_[meeting.comm]), op);
  engine_cycle_ = options_.design->cycle();
  meeting.gid = gid.value_or(0);
  return gid.has_value();
}

/// The rank takes the part to its next barrier.
void Session::drive(Part& part, std::uint64_t time) {
  ranks_[part.rank].waits_for = &part;
  muster_reply reply = reply_with(part.meeting->gid, MUSTER_BY_DRIVER);
  reply.data[0] = part.data.next().lo;
  answer(part.rank, time, reply);
}

void Session::end_round(std::uint32_t rank, const muster_call& call) {
  Part* const part = ranks_[rank].waits_for;
  if (part == nullptr) throw ProgramError(call_text(rank, call) + ": it is at no barrier");
  if (part->place == 0) ++result_.barriers;
  if (!without_data(*part->meeting)) {
    part->data.take({call.word, 0});
    if (!part->data.done()) return drive(*part, ranks_[rank].clock);
  }
  finish(*part, ranks_[rank].clock);
}

}  // namespace muster::mpi
