// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "systems/btin/golden/barrier_register.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// Groups in block RAM (docs/systems/many-groups.md): one message is taken a cycle and decided in
/// the next; what a group has to send waits in one queue for all outputs. Begins where the memory
/// has been cleared.
class ManyUnit {
 public:
  /// REQUIRES: the variant with `groups`.
  explicit ManyUnit(const fabric::SwitchConfig& config)
      : ports_(config.ports), groups_(btin::variant(config).groups) {
    const fabric::Formats formats(config.flit_w, config.gid_w);
    for (std::uint32_t gid = 0; gid < groups_.size(); ++gid) {
      groups_[gid].gid = static_cast<std::uint16_t>(gid);
      groups_[gid].data.width = static_cast<std::uint8_t>(formats.data_width());
      groups_[gid].data.serial = true;
    }
  }

  /// A message and the port where it was taken.
  struct Taken {
    std::uint32_t port = 0;
    fabric::BarrierMessage message;  ///< reduction or distribution
  };
  /// What has become of one.
  struct Verdict {
    Taken of;
    Fate fate = Fate::kTaken;
  };

  /// The clock edge: `taken` is decided at the next one; the first message of the queue leaves
  /// through the ports `departed`. The verdict on the message taken in the cycle before.
  std::optional<Verdict> edge(const std::optional<Taken>& taken, Ports departed) {
    std::optional<Verdict> verdict;
    std::optional<Waiting> made;
    if (taken_) made = decide(*taken_, verdict.emplace());
    leave(departed);
    advance(made);
    taken_ = taken;
    written_ = false;
    return verdict;
  }

  /// Outputs for which the first message of the queue waits, and that message.
  Ports requested() const { return first_ ? first_->ports : Ports{0}; }
  const fabric::BarrierMessage& message() const { return first_->message; }
  /// Something is under way besides the first message.
  bool busy() const { return taken_ || written_ || !behind_.empty(); }

  /// The host's window on one group, words of 0x100 on (docs/systems/many-groups.md, "The host").
  void write(std::uint32_t word, std::uint32_t value) {
    if (!writes(word, ports_)) return;
    if (word == kSelectionWord) selected_ = value & static_cast<std::uint32_t>(groups_.size() - 1);
    BarrierRegister& group = groups_[selected_];
    Waiting* const own = waiting(selected_);
    if (word != kSelectionWord) {
      group.clear();
      if (own != nullptr) own->stale = true;
    }
    if (word == kControlWord) {
      group.write(Control::of(value, 0, ports_));
      group.gid = static_cast<std::uint16_t>(selected_);
    } else if (is_half(word, kChildrenWord, ports_)) {
      group.children = written_mask(group.children, word & 1, value, ports_);
    }
    for (std::uint32_t w = 0; w < seen_.size(); ++w) seen_[w] = this->word(selected_, w);
    written_ = true;
  }
  std::uint32_t read(std::uint32_t word) const {
    if (word == kSelectionWord) return selected_;
    if (word == kGroupsWord) return static_cast<std::uint32_t>(groups_.size());
    return word < seen_.size() ? seen_[word] : 0;
  }
  /// What the window on a group has to show now: its words, 0 if there is no such group.
  std::uint32_t word(std::uint32_t gid, std::uint32_t word) const {
    if (gid >= groups_.size()) return 0;
    const BarrierRegister& group = groups_[gid];
    const std::uint32_t state = std::uint32_t{waiting(gid) != nullptr} << 1 | group.sent;
    return RegisterWords{group.word(), state, group.children, group.arrived, serve(gid)}.at(word,
                                                                                            ports_);
  }
  /// A write to it, with which no message is taken.
  static bool writes(std::uint32_t word, std::uint32_t ports) {
    return word == kControlWord || is_half(word, kChildrenWord, ports) || word == kSelectionWord;
  }

  /// Groups that are valid, and messages that wait, as text.
  void describe(std::vector<std::string>& parts) const {
    for (const BarrierRegister& group : groups_) {
      if (!group.valid || (group.arrived | serve(group.gid) | group.sent) == 0) continue;
      parts.push_back(fmt::format("group {} children {:#x} arrived {:#x}{} serve {:#x}", group.gid,
                                  group.children, group.arrived, group.sent ? " sent" : "",
                                  serve(group.gid)));
    }
    if (first_)
      parts.push_back(fmt::format("message of group {} for ports {:#x}, {} behind",
                                  first_->message.gid, first_->ports, behind_.size()));
    if (taken_) parts.push_back(fmt::format("message of group {} taken", taken_->message.gid));
  }

 private:
  using MessageType = fabric::MessageType;
  static constexpr std::uint32_t kSelectionWord = kRegisterWords, kGroupsWord = kRegisterWords + 1;

  struct Waiting {
    fabric::BarrierMessage message;
    Ports ports = 0;     ///< that it has not left through
    bool stale = false;  ///< the host has written the group since
  };
  /// The message of a group that waits; null if none does.
  const Waiting* waiting(std::uint32_t gid) const {
    if (first_ && first_->message.gid == gid) return &*first_;
    const auto at = std::ranges::find_if(
        behind_, [&](const Waiting& waiting) { return waiting.message.gid == gid; });
    return at == behind_.end() ? nullptr : &*at;
  }
  Waiting* waiting(std::uint32_t gid) {
    return const_cast<Waiting*>(std::as_const(*this).waiting(gid));
  }
  /// A message from before the host wrote the group counts as one for the children, if it is not
  /// first in the queue.
  Ports serve(std::uint32_t gid) const {
    const Waiting* const own = waiting(gid);
    if (own == nullptr || !own->stale) return groups_[gid].serve;
    return first_ && own == &*first_ ? own->ports : groups_[gid].children;
  }
  Fate judge(const Taken& taken) const {
    const std::uint32_t gid = taken.message.gid;
    if (gid >= groups_.size() || !groups_[gid].valid) return Fate::kUnknown;
    const BarrierRegister& group = groups_[gid];
    if (!group.accepts(taken.message.type, taken.port)) return Fate::kRefused;
    if (taken.message.type == MessageType::kDistribution) return Fate::kTaken;
    if (has(serve(gid), taken.port)) return Fate::kRefused;
    const bool last = (group.arrived | bit(taken.port)) == group.children;
    return last && waiting(gid) != nullptr ? Fate::kRefused : Fate::kTaken;
  }
  /// Decides a message: what its group has to send then, if anything.
  std::optional<Waiting> decide(const Taken& taken, Verdict& verdict) {
    verdict = {taken, judge(taken)};
    if (verdict.fate != Fate::kTaken) return std::nullopt;
    BarrierRegister& group = groups_[taken.message.gid];
    const bool waited = waiting(group.gid) != nullptr;
    std::array<fabric::Payload, kMaxPorts> data;
    data[taken.port] = taken.message.data;
    Arrivals arrivals;
    if (taken.message.type == MessageType::kReduction) {
      arrivals.reductions = static_cast<Ports>(bit(taken.port));
      arrivals.data = data.data();
    } else {
      arrivals.distribution = true;
      arrivals.down = taken.message.data;
    }
    group.edge(arrivals, 0);
    const Ports ports = group.requests(ports_);
    if (waited || ports == 0) return std::nullopt;
    return Waiting{group.message(lowest(ports)), ports};
  }
  void leave(Ports departed) {
    if (departed == 0) return;
    first_->ports &= static_cast<Ports>(~departed);
    if (!first_->stale) groups_[first_->message.gid].edge({}, departed);
    if (first_->ports == 0) first_.reset();
  }
  /// The memory behind the first message shows what came at an edge two edges later.
  void advance(std::optional<Waiting> made) {
    const bool ready = behind_.size() > 1 || (behind_.size() == 1 && !fresh_);
    fresh_ = false;
    if (!first_ && ready) {
      first_ = behind_.front();
      behind_.pop_front();
    } else if (!first_ && behind_.empty()) {
      std::swap(first_, made);
    }
    if (!made) return;
    behind_.push_back(*made);
    fresh_ = true;
  }

  std::uint32_t ports_;
  std::vector<BarrierRegister> groups_;  ///< by identifier
  std::optional<Taken> taken_;           ///< in the cycle before
  std::optional<Waiting> first_;
  std::deque<Waiting> behind_;
  bool fresh_ = false;    ///< the last one behind came at the last edge
  bool written_ = false;  ///< the host's last write is still on its way to the memory
  std::uint32_t selected_ = 0;
  /// Words of the selected group after the host's last write.
  std::array<std::uint32_t, kServeWord + 2> seen_{};
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
