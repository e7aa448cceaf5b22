// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// For each channel and virtual channel, flits that take its credits less credits returned lie in
/// 0..depth, and are 0 in an empty network but for dead blocks and cut links; of a pocket or
/// barrier buffer, messages in 0..1. Before a delay pipe and behind it.
class Credits : public LinkChecker {
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
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override;
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
  void take(std::uint64_t cycle, core::ChannelId channel, std::size_t kind);
  std::string name_of(std::size_t kind) const;

  std::uint32_t kinds_;  ///< of credits on a channel: virtual channels, then pocket or buffer
  std::vector<std::uint32_t> outstanding_;  ///< by channel and kind: flits, or messages
  /// By channel: its receiver is dead, or its link is cut. Credits of what that had taken come back
  /// when the sender's link end goes down, which may be after the run.
  std::vector<std::uint8_t> into_void_;
  std::unique_ptr<Credits> behind_;  ///< the pipe; its checks are not counted
};

}  // namespace muster::checkers
