// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/barrier_message.hpp"

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

namespace regs = fabric::registers;

SpillKeeper::SpillKeeper(NodeId node, const NodeWorld& world, RegisterClient& client, Send send)
    : node_(node), world_(world), client_(client), send_(std::move(send)) {
  if (world.spill == nullptr || world.evict_after == 0) return;
  const SwitchId sw = world.graph.node(node).at.sw;
  if (world.spill->serves(sw) && world.spill->node_of(sw) == node) here_ = sw;
}

bool SpillKeeper::wanted() const {
  return here_ && (!used_.empty() || world_.spill->any_used(*here_));
}

void SpillKeeper::clock(std::uint64_t cycle) {
  now_ = cycle;
  if (!here_) return;
  if (world_.spill->any_used(*here_))
    for (const std::uint32_t gid : world_.spill->take_used(*here_))
      if (gid != serving_ && std::find(used_.begin(), used_.end(), gid) == used_.end())
        used_.push_back(gid);
  if (serving_ || used_.empty() || cycle < rests_until_) return;
  const std::uint32_t gid = used_.front();
  used_.pop_front();
  // It may have been released.
  if (world_.spill->find(*here_, gid) == nullptr) return;
  serving_ = gid;
  holders_.clear();
  client_.read(world_.graph.nodes() + *here_, regs::kSizes,
               [this](fabric::AccessStatus, std::uint32_t sizes) {
                 holders_.resize(regs::kSizesRegs.of(sizes));
                 read_from(0);
               });
}

/// Who has the registers, one after the other, up to one that is free.
void SpillKeeper::read_from(std::uint32_t r) {
  if (r == holders_.size()) return ask_holders();
  client_.read(world_.graph.nodes() + *here_, regs::control(r),
               [this, r](fabric::AccessStatus, std::uint32_t word) {
                 if (word == 0) return ask_place(*serving_, false);
                 holders_[r] = {regs::kBarrierControlGid.of(word),
                                regs::kBarrierControlValid.of(word) == 0, std::nullopt};
                 read_from(r + 1);
               });
}

void SpillKeeper::ask_holders() {
  std::erase_if(holders_, [](const Holder& h) { return h.claimed; });
  awaited_ = static_cast<std::uint32_t>(holders_.size());
  if (awaited_ == 0) return rest();
  for (const Holder& h : holders_)
    send_(h.gid % world_.graph.nodes(), h.gid, {word(ChangeKind::kAskIdle), node_});
}

bool SpillKeeper::receive(const GroupMessage& m) {
  switch (static_cast<ChangeKind>(m.words[0])) {
    case ChangeKind::kIdleFor:
      told_idle(m);
      return true;
    case ChangeKind::kPlaced:
      placed(m);
      return true;
    default:
      return false;
  }
}

void SpillKeeper::told_idle(const GroupMessage& m) {
  const auto holder = std::find_if(holders_.begin(), holders_.end(),
                                   [&](const Holder& h) { return h.gid == m.gid; });
  if (m.words[1] != 0) holder->idle = barrier_at(m.words, 2);
  if (--awaited_ == 0) choose_victim();
}

/// The longest idle, of equal ones in the lowest register.
void SpillKeeper::choose_victim() {
  const auto victim =
      std::max_element(holders_.begin(), holders_.end(),
                       [](const Holder& a, const Holder& b) { return a.idle < b.idle; });
  if (!victim->idle || *victim->idle < world_.evict_after) return rest();
  ask_place(victim->gid, true);
}

void SpillKeeper::ask_place(std::uint32_t gid, bool to_memory) {
  send_(gid % world_.graph.nodes(), gid, {word(ChangeKind::kPlace), node_, *here_, to_memory});
}

void SpillKeeper::placed(const GroupMessage& m) {
  const bool done = static_cast<Outcome>(m.words[1]) == Outcome::kDone;
  refused_ += !done;
  if (!done) return rest();
  if (m.gid != *serving_) return ask_place(*serving_, false);
  serving_.reset();
}

void SpillKeeper::rest() {
  serving_.reset();
  rests_until_ = now_ + world_.evict_after;
}

}  // namespace muster::btin
