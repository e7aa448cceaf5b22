// SPDX-License-Identifier: Apache-2.0
// Which states of a graph have a way to a goal.
#pragma once

#include <cstdint>
#include <vector>

namespace muster::protocol {

class Ways {
 public:
  /// The steps that follow are from the next state, counted from 0.
  void begin_state(bool is_goal) {
    begins_.push_back(steps_.size());
    has_way_.push_back(is_goal);
  }
  void add(std::uint32_t to, bool reaches_goal) {
    if (has_way_.back()) return;
    if (!reaches_goal) {
      steps_.push_back(to);
      return;
    }
    has_way_.back() = true;
    steps_.resize(begins_.back());  // its other steps are not used
  }

  /// The states without a way, in order. Backward from the goal: a state has a way if one of its
  /// steps leads to a state that has. Late states first, again until a pass finds no more.
  std::vector<std::uint32_t> without_goal() {
    begins_.push_back(steps_.size());
    bool found = true;
    while (found) {
      found = false;
      for (std::size_t n = has_way_.size(); n-- > 0;) {
        for (auto i = begins_[n]; !has_way_[n] && i < begins_[n + 1]; ++i) {
          if (has_way_[steps_[i]]) found = has_way_[n] = true;
        }
      }
    }
    std::vector<std::uint32_t> without;
    for (std::size_t n = 0; n < has_way_.size(); ++n) {
      if (!has_way_[n]) without.push_back(static_cast<std::uint32_t>(n));
    }
    return without;
  }

 private:
  std::vector<std::uint64_t> begins_;  ///< of each state in steps_
  std::vector<std::uint32_t> steps_;
  std::vector<bool> has_way_;
};

}  // namespace muster::protocol
