// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {

/// The keeper of a switch, in its spill node (docs/systems/groups.md): brings groups that are
/// used from its memory back into registers, and has the group that has been idle longest moved out
/// for them. It asks; the root nodes of the groups lead the moves.
class SpillKeeper {
 public:
  /// To a node, of a group, the words of a kChange message.
  using Send = std::function<void(NodeId, std::uint32_t gid, std::vector<std::uint32_t>)>;

  /// A node that is not a spill node, or where nothing is moved, keeps nothing.
  SpillKeeper(NodeId node, const NodeWorld& world, RegisterClient& client, Send send)
      : node_(node), world_(world), client_(client), send_(std::move(send)) {
    if (world.spill == nullptr || world.evict_after == 0) return;
    const SwitchId sw = world.graph.node(node).at.sw;
    if (world.spill->serves(sw) && world.spill->node_of(sw) == node) here_ = sw;
  }

  /// Once a cycle.
  void clock(std::uint64_t cycle) {
    now_ = cycle;
    if (!here_) return;
    if (world_.spill->any_used(*here_))
      for (const std::uint32_t gid : world_.spill->take_used(*here_))
        if (gid != serving_ && std::ranges::find(used_, gid) == used_.end()) used_.push_back(gid);
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
  /// True if the kChange message is for a keeper.
  bool receive(const GroupMessage& m) {
    const auto kind = static_cast<ChangeKind>(m.words[0]);
    if (kind == ChangeKind::kIdleFor) told_idle(m);
    if (kind == ChangeKind::kPlaced) placed(m);
    return kind == ChangeKind::kIdleFor || kind == ChangeKind::kPlaced;
  }
  /// It has asked for something.
  bool working() const { return serving_.has_value(); }
  /// A group that is used waits for it, or has not been seen yet.
  bool wanted() const { return here_ && (!used_.empty() || world_.spill->any_used(*here_)); }
  std::uint64_t refused() const { return refused_; }  ///< moves

 private:
  /// A group in a register of the switch.
  struct Holder {
    std::uint32_t gid = 0;
    bool claimed = false;               ///< by a group that is being created or changed
    std::optional<std::uint64_t> idle;  ///< once told, if it may be moved out
  };
  /// Who has the registers, one after the other, up to one that is free.
  void read_from(std::uint32_t r) {
    if (r == holders_.size()) return ask_holders();
    client_.read(world_.graph.nodes() + *here_, regs::control(r),
                 [this, r](fabric::AccessStatus, std::uint32_t word) {
                   if (word == 0) return ask_place(*serving_, false);
                   holders_[r] = {regs::kBarrierControlGid.of(word),
                                  regs::kBarrierControlValid.of(word) == 0, std::nullopt};
                   read_from(r + 1);
                 });
  }
  void ask_holders() {
    std::erase_if(holders_, [](const Holder& h) { return h.claimed; });
    awaited_ = static_cast<std::uint32_t>(holders_.size());
    if (awaited_ == 0) return rest();
    for (const Holder& h : holders_)
      send_(h.gid % world_.graph.nodes(), h.gid, {word(ChangeKind::kAskIdle), node_});
  }
  void told_idle(const GroupMessage& m) {
    const auto holder =
        std::ranges::find_if(holders_, [&](const Holder& h) { return h.gid == m.gid; });
    if (m.words[1] != 0) holder->idle = barrier_at(m.words, 2);
    if (--awaited_ == 0) choose_victim();
  }
  /// The longest idle, of equal ones in the lowest register.
  void choose_victim() {
    const auto victim = std::ranges::max_element(holders_, {}, &Holder::idle);
    if (!victim->idle || *victim->idle < world_.evict_after) return rest();
    ask_place(victim->gid, true);
  }
  void ask_place(std::uint32_t gid, bool to_memory) {
    send_(gid % world_.graph.nodes(), gid, {word(ChangeKind::kPlace), node_, *here_, to_memory});
  }
  void placed(const GroupMessage& m) {
    const bool done = static_cast<Outcome>(m.words[1]) == Outcome::kDone;
    refused_ += !done;
    if (!done) return rest();
    if (m.gid != *serving_) return ask_place(*serving_, false);
    serving_.reset();
  }
  void rest() {
    serving_.reset();
    rests_until_ = now_ + world_.evict_after;
  }

  NodeId node_;
  const NodeWorld& world_;
  RegisterClient& client_;
  Send send_;
  std::optional<SwitchId> here_;  ///< the switch that it keeps
  std::deque<std::uint32_t> used_;
  std::optional<std::uint32_t> serving_;  ///< the group that is to have a register
  std::vector<Holder> holders_;           ///< by register
  std::uint32_t awaited_ = 0;             ///< answers of root nodes
  std::uint64_t now_ = 0, rests_until_ = 0, refused_ = 0;
};

}  // namespace muster::btin
