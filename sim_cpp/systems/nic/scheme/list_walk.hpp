// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "systems/nic/scheme/step_list.hpp"

namespace muster::nic {

/// The place in a member's step list of a program that walks it, barrier after barrier.
class ListWalk {
 public:
  explicit ListWalk(std::size_t steps) : received_(steps, false), early_(steps, false) {}

  bool walking() const { return walking_; }
  void begin() { walking_ = true; }
  /// The message that step `step` waits for has come, of the barrier that is `ahead` of this one's.
  /// False if it cannot be: it has come before, or its sender cannot be so far.
  bool come(std::uint32_t step, std::uint8_t ahead) {
    if (ahead > 1 || step >= received_.size()) return false;
    std::vector<bool>& bits = ahead == 0 ? received_ : early_;
    if (bits[step]) return false;
    bits[step] = true;
    return true;
  }
  /// Calls `send` for each step that sends, up to the next message that has not come. True if there
  /// is none: the list has been walked, and messages that come are those of the next barrier.
  /// REQUIRES: walking().
  template <typename Send>
  bool go_on(const std::vector<Step>& list, Send&& send) {
    for (; step_ < list.size(); ++step_) {
      if (list[step_].send)
        send(list[step_]);
      else if (!received_[step_])
        return false;
    }
    walking_ = false;
    step_ = 0;
    received_.swap(early_);
    early_.assign(list.size(), false);
    return true;
  }
  /// Where it stands, for a report.
  std::uint32_t step() const { return step_; }

 private:
  bool walking_ = false;
  std::uint32_t step_ = 0;
  std::vector<bool> received_, early_;
};

}  // namespace muster::nic
