// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fabric/checkers/seen_flit.hpp"
#include "muster/core/bits.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// For each channel and virtual channel, flits that take its credits less credits returned lie in
/// 0..depth, and are 0 in an empty network except for dead blocks and cut links; of a pocket or
/// barrier buffer, messages in 0..1. Before a delay pipe and behind it.
class Credits final : public LinkChecker {
 public:
  explicit Credits(const Subject& subject);
  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kBoth,
            .credits = true,
            .behind_pipe = subject_.pipe != 0};
  }

  /// All flits of a cycle are given before its credits: a credit on the wire in cycle t can be
  /// spent on a flit that is on the wire in t + 1 at the earliest.
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.sync())
      message(cycle, event);
    else
      data(cycle, SeenFlit(event, subject_.vcs));
  }
  void message(std::uint64_t cycle, const core::FlitEvent& event);  ///< a flit that is sync
  /// One that is not.
  void data(std::uint64_t cycle, const SeenFlit& seen) {
    take(cycle, seen.event, seen.place, subject_.depth);
  }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override {
    credit(cycle, event, [](unsigned, std::uint32_t) {});
  }
  /// The same; `returned` is called with the kind and place of each credit after its checks.
  template <class Returned>
  void credit(std::uint64_t cycle, const core::CreditEvent& event, Returned&& returned) {
    demand<&Credits::no_channel>((event.credits & none_) == 0, 0, cycle, event);
    unsigned checks = 1;
    core::for_each_bit(event.credits, [&](unsigned kind) {
      const std::uint32_t place = place_of(event.channel, kind);
      demand<&Credits::no_flit>(outstanding_[place] != 0, checks, cycle, event, kind);
      --outstanding_[place];
      ++checks;
      returned(kind, place);
    });
    count(checks);
  }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override {
    behind_->flit(cycle, event);
  }
  void credit_behind_pipe(std::uint64_t cycle, const core::CreditEvent& event) override {
    behind_->credit(cycle, event);
  }
  /// The block neither gives nor gets credits any more, or begins anew.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  void forget(core::ChannelId channel);
  void into_void(core::ChannelId channel);
  /// Of the credits of a kind: those of virtual channels as SeenFlit has them, the others behind.
  std::uint32_t place_of(core::ChannelId channel, unsigned kind) const {
    return kind == subject_.vcs ? first_extra_ + channel : channel * subject_.vcs + kind;
  }
  void take(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t place,
            std::uint32_t depth) {
    demand<&Credits::overrun>(++outstanding_[place] <= depth, 0, cycle, event, place, depth);
    count(1);
  }
  std::string overrun(const core::FlitEvent& event, std::uint32_t place, std::uint32_t depth) const;
  std::string no_flit(const core::CreditEvent& event, unsigned kind) const;
  std::string no_channel(const core::CreditEvent& event) const;
  std::string name_of(unsigned kind) const;

  bool extra_;                              ///< channels have credits of a pocket or barrier buffer
  std::uint32_t first_extra_;               ///< their place at channel 0
  std::uint8_t none_;                       ///< bits of credits that are of no kind
  std::vector<std::uint32_t> outstanding_;  ///< by place: flits, or messages
  /// By channel: its receiver is dead, or its link is cut. Credits of what that had taken come back
  /// when the sender's link end goes down, which may be after the run.
  std::vector<std::uint8_t> into_void_;
  std::unique_ptr<Credits> behind_;  ///< the pipe; its checks are not counted
};

/// Data flits that entered a switch less those that left it, for each virtual channel: never
/// negative, never more than its buffers hold, 0 in an empty network. A flit counts as inside from
/// its sender's output register to the switch's own: queues and links together hold `depth` for
/// each connected port, the crossbar one for each. With pipes or link ends it counts from their
/// output on, so that what they lose or add is not counted. Barrier messages are consumed and
/// created, and not counted.
class Conservation final : public LinkChecker {
 public:
  explicit Conservation(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .behind_pipe = subject_.pipe != 0, .cycles = true};
  }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync()) return;
    const SeenFlit seen(event, subject_.vcs);
    event.flit.head() ? head(seen) : body(seen);
  }
  void head(const SeenFlit& seen) { pass(seen, local_.of(seen)); }
  /// A flit of a packet, not its head.
  void body(const SeenFlit& seen) { pass(seen, local_.of_body(seen)); }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// What was inside is gone, and of a dead switch nothing is counted any more.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  /// A virtual channel of a switch, all ports together: flits.
  struct Slot {
    std::int32_t inside = 0;
    std::uint32_t capacity = 0;
  };
  /// The slots (of virtual channel 0) that the flits of a channel leave and enter.
  struct Sides {
    std::uint32_t from, to;
  };
  std::uint32_t left_by(const fabric::End& from) const {
    return from.node ? outside_ + subject_.vcs : from.id * subject_.vcs;
  }
  std::uint32_t entered_by(const fabric::End& to) const {
    return to.node ? outside_ : to.id * subject_.vcs;
  }
  void pass(const SeenFlit& seen, unsigned part) {
    const Sides& sides = sides_[seen.channel];
    enter(sides.to, seen, part);
    if ((part & LocalPackets::kAnswer) == 0) change(sides.from + seen.vc, -1);
  }
  void enter(std::uint32_t slots, const SeenFlit& seen, unsigned part) {
    if (part == 0) change(slots + seen.vc, 1);
  }
  void change(std::uint32_t place, std::int32_t by) {
    Slot& slot = slots_[place];
    slot.inside += by;
    if (static_cast<std::uint32_t>(slot.inside) > slot.capacity) [[unlikely]]
      suspect_ = true;
    touched_.push_back(place);
  }
  void judge(std::uint64_t cycle);

  LocalPackets local_, behind_;  ///< of what leaves a block, and a pipe
  /// By switch and virtual channel. Behind them from `outside_` on those of all nodes: entered
  /// ones, then left ones, which count the changes of the cycle that are none of a switch.
  std::vector<Slot> slots_;
  std::uint32_t outside_;
  std::vector<std::uint8_t> dead_;      ///< by switch
  std::vector<Sides> sides_;            ///< by channel; with pipes flits enter behind them
  std::vector<std::uint32_t> touched_;  ///< slots that changed in this cycle
  bool suspect_ = false;                ///< one of them was out of bounds, or may be dead
  bool any_dead_ = false;
};

}  // namespace muster::checkers
