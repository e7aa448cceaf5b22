// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "fabric/checkers/seen_flit.hpp"
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
    for (unsigned left = event.credits; left != 0; left &= left - 1) {
      const auto kind = static_cast<unsigned>(std::countr_zero(left));
      const std::uint32_t place = place_of(event.channel, kind);
      demand<&Credits::no_flit>(outstanding_[place] != 0, checks, cycle, event, kind);
      --outstanding_[place];
      ++checks;
      returned(kind, place);
    }
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

}  // namespace muster::checkers
