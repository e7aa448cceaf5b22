// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_client.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/fabric/reduce_op.hpp"

namespace muster::btin {

bool SpillClient::ask(Phase phase, const RegisterImage& image, SwitchSetup::Done done) {
  if (spill_ == nullptr || !spill_->serves(image.sw)) return false;
  asked_[{image.sw, image.gid}] = std::move(done);
  send_(Kind::kSpill, spill_->node_of(image.sw), image.gid,
        {static_cast<std::uint32_t>(phase), image.sw, image.parent_port, image.child_mask,
         static_cast<std::uint32_t>(image.op) | std::uint32_t{image.reflect} << 3});
  return true;
}

void SpillClient::receive(const GroupMessage& m) {
  if (m.kind == Kind::kSpill) return serve(m);
  const auto found = asked_.find({m.words[1], m.gid});
  if (found == asked_.end())
    throw InternalError(
        fmt::format("group {}: switch {} was spilled without a request", m.gid, m.words[1]));
  const SwitchSetup::Done done = std::move(found->second);
  asked_.erase(found);
  done(Outcome::kDone);
}

/// As the spill node.
void SpillClient::serve(const GroupMessage& m) {
  const SwitchId sw = m.words[1];
  switch (static_cast<Phase>(m.words[0])) {
    case Phase::kReserve:
      spill_->reserve({sw, m.gid, (m.words[4] >> 3 & 1) != 0, m.words[2],
                       static_cast<std::uint16_t>(m.words[3]),
                       static_cast<fabric::ReduceOp>(m.words[4] & 7)});
      break;
    case Phase::kCommit:
      spill_->commit(sw, m.gid);
      break;
    case Phase::kUndo:
    case Phase::kRelease:
      spill_->forget(sw, m.gid);
      break;
  }
  send_(Kind::kSpilled, m.source, m.gid, {m.words[0], sw});
}

}  // namespace muster::btin
