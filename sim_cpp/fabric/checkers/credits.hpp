// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fabric/checkers/seen_flit.hpp"
#include "muster/core/bits.hpp"

namespace muster::checkers {

/// For each channel and virtual channel, flits that take its credits less credits returned lie in
/// 0..depth, and are 0 in an empty network except for dead blocks and cut links; of a pocket or
/// barrier buffer, messages in 0..1. Before a delay pipe and behind it.
class Credits final : public NamedChecker {
 public:
  explicit Credits(const Subject& subject)
      : NamedChecker("credits", subject),
        extra_(fabric::has_extra_credit(subject.sync_credits)),
        first_extra_(static_cast<std::uint32_t>(subject.layout.channels().size()) * subject.vcs),
        none_(static_cast<std::uint8_t>(~0u << (subject.vcs + extra_))),
        outstanding_(first_extra_ + (extra_ ? subject.layout.channels().size() : 0), 0),
        into_void_(subject.layout.channels().size(), 0) {
    if (subject.pipe == 0) return;
    Subject behind = subject;
    behind.pipe = 0;
    behind_ = std::make_unique<Credits>(behind);
  }

  /// All flits of a cycle are given before its credits: a credit on the wire in cycle t can be
  /// spent on a flit that is on the wire in t + 1 at the earliest.
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.sync())
      message(cycle, event);
    else
      data(cycle, SeenFlit(event, subject_.vcs));
  }
  /// A flit that is sync.
  void message(std::uint64_t cycle, const core::FlitEvent& event) {
    const auto taken = fabric::credits_taken(subject_.sync_credits, subject_.vcs, event.flit);
    core::for_each_bit(taken, [&](unsigned kind) {
      take(cycle, event, place_of(event.channel, kind),
           kind == subject_.vcs ? subject_.buffers : subject_.depth);
    });
  }
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
  /// Between the block and its ends of its links; the ends of its neighbours return what they take.
  void lose(std::uint64_t, const Loss& loss) override {
    const auto& channels = subject_.layout.channels();
    for (core::ChannelId c = 0; c < channels.size(); ++c) {
      if (loss.is(channels[c].from)) forget(c);
      if (loss.is(channels[c].to) && behind_) behind_->forget(c);
      if (loss.link ? c / 2 == loss.id : loss.is(channels[c].to) && !loss.reset) into_void(c);
    }
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (core::ChannelId c = 0; c < into_void_.size(); ++c)
      for (unsigned kind = 0; kind < subject_.vcs + extra_ && subject_.receives(c); ++kind) {
        const std::uint32_t outstanding = outstanding_[place_of(c, kind)];
        require(outstanding == 0 || into_void_[c] != 0, cycle, c,
                "{} credits of {} have not returned to an empty network", outstanding,
                name_of(kind));
      }
    if (behind_) behind_->finish(cycle, drained);
  }

 private:
  void forget(core::ChannelId channel) {
    for (unsigned kind = 0; kind < subject_.vcs + extra_; ++kind)
      outstanding_[place_of(channel, kind)] = 0;
  }
  void into_void(core::ChannelId channel) {
    into_void_[channel] = 1;
    if (behind_) behind_->into_void(channel);
  }
  /// Of the credits of a kind: those of virtual channels as SeenFlit has them, the others behind.
  std::uint32_t place_of(core::ChannelId channel, unsigned kind) const {
    return kind == subject_.vcs ? first_extra_ + channel : channel * subject_.vcs + kind;
  }
  void take(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t place,
            std::uint32_t depth) {
    demand<&Credits::overrun>(++outstanding_[place] <= depth, 0, cycle, event, place, depth);
    count(1);
  }
  std::string overrun(const core::FlitEvent& event, std::uint32_t place,
                      std::uint32_t depth) const {
    return fmt::format(
        "flit sent without a credit: {} outstanding in {}, depth {}", outstanding_[place],
        name_of(place < first_extra_ ? place - event.channel * subject_.vcs : subject_.vcs), depth);
  }
  std::string no_flit(const core::CreditEvent&, unsigned kind) const {
    return fmt::format("credit of {} returned for no flit", name_of(kind));
  }
  std::string no_channel(const core::CreditEvent& event) const {
    return fmt::format("credits {:#x} name a virtual channel beyond the {} there are",
                       event.credits, subject_.vcs);
  }
  std::string name_of(unsigned kind) const {
    if (kind != subject_.vcs) return fmt::format("virtual channel {}", kind);
    return fabric::has_barrier_buffer(subject_.sync_credits) ? "the barrier buffer" : "the pocket";
  }

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
class Conservation final : public NamedChecker {
 public:
  explicit Conservation(const Subject& subject)
      : NamedChecker("conservation", subject),
        local_(subject),
        behind_(subject),
        slots_((std::size_t{subject.graph.switches()} + 2) * subject.vcs),
        outside_(subject.graph.switches() * subject.vcs),
        dead_(subject.graph.switches(), 0) {
    const std::uint32_t left_outside = outside_ + subject.vcs;
    for (const fabric::Channel& channel : subject.layout.channels()) {
      const auto id = static_cast<core::ChannelId>(sides_.size());
      const std::uint32_t entered = subject.receives(id) ? entered_by(channel.to) : outside_;
      sides_.push_back({subject.sends(id) ? left_by(channel.from) : left_outside,
                        subject.pipe == 0 ? entered + subject.raise(id) : outside_});
      for (std::uint32_t vc = 0; vc < subject.vcs; ++vc)
        slots_[entered + vc].capacity += subject.depth + 1;
    }
    for (std::uint32_t place = outside_; place < slots_.size(); ++place)
      slots_[place].capacity = ~std::uint32_t{0};
    touched_.reserve(2 * subject.layout.channels().size());
  }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync()) return;
    const SeenFlit seen(event, subject_.vcs);
    event.flit.head() ? head(seen) : body(seen);
  }
  void head(const SeenFlit& seen) { pass(seen, local_.of(seen)); }
  /// A flit of a packet, not its head.
  void body(const SeenFlit& seen) { pass(seen, local_.of_body(seen)); }
  void flit_behind_pipe(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync() || event.flit.vc == subject_.worm_channel) return;
    const SeenFlit seen(event, subject_.vcs);
    enter(entered_by(subject_.layout.channels()[event.channel].to) + subject_.raise(event.channel),
          seen, behind_.of(seen));
    if (event.flit.tail()) behind_.close(seen.place);
  }
  /// What was inside is gone, and of a dead switch nothing is counted any more.
  void lose(std::uint64_t, const Loss& loss) override {
    if (loss.node || loss.link) return;
    for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc)
      slots_[loss.id * subject_.vcs + vc].inside = 0;
    const auto& channels = subject_.layout.channels();
    for (core::ChannelId c = 0; c < channels.size(); ++c)
      if (loss.is(channels[c].to))
        for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc) behind_.close(c * subject_.vcs + vc);
    dead_[loss.id] = !loss.reset;
    suspect_ = any_dead_ = any_dead_ || !loss.reset;
  }
  /// After all flits of the cycle, whose order is arbitrary.
  /// A slot that was within its bounds after each change is so at the end.
  void end_cycle(std::uint64_t cycle) override {
    std::uint64_t outside = 0;
    for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc) {
      Slot& entered = slots_[outside_ + vc];
      Slot& left = slots_[outside_ + subject_.vcs + vc];
      outside += static_cast<std::uint64_t>(entered.inside - left.inside);
      entered.inside = left.inside = 0;
    }
    if (suspect_)
      judge(cycle);
    else
      count(2 * (touched_.size() - outside));
    touched_.clear();
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (std::uint32_t place = 0; place < outside_; ++place) {
      if (slots_[place].capacity == 0) continue;  // of another partition
      const topology::SwitchId sw = place / subject_.vcs;
      require_at(dead_[sw] || slots_[place].inside == 0, cycle, sw,
                 "{} flits of virtual channel {} were lost inside", slots_[place].inside,
                 place % subject_.vcs);
    }
  }

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
  /// By switch, whatever the order of flits.
  void judge(std::uint64_t cycle) {
    const auto out = [&](std::uint32_t place) {
      return static_cast<std::uint32_t>(slots_[place].inside) > slots_[place].capacity;
    };
    if (std::ranges::any_of(touched_, out)) std::ranges::sort(touched_);
    for (const std::uint32_t touched : touched_) {
      if (touched >= outside_) continue;
      const Slot& slot = slots_[touched];
      const topology::SwitchId sw = touched / subject_.vcs;
      const std::uint32_t vc = touched % subject_.vcs;
      if (dead_[sw]) continue;
      require_at(slot.inside >= 0, cycle, sw,
                 "{} more flits of virtual channel {} have left than have entered", -slot.inside,
                 vc);
      require_at(static_cast<std::uint32_t>(slot.inside) <= slot.capacity, cycle, sw,
                 "{} flits of virtual channel {} inside, its buffers hold {}", slot.inside, vc,
                 slot.capacity);
    }
    suspect_ = any_dead_;
  }

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
