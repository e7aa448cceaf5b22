// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/checkers/checker.hpp"

namespace muster::checkers {

/// For each channel and virtual channel, flits sent less credits returned lie in 0..depth, and are
/// 0 in an empty network.
class Credits : public Checker {
 public:
  explicit Credits(const Subject& subject);

  /// All flits of a cycle are given before its credits: a credit on the wire in cycle t can be
  /// spent on a flit that is on the wire in t + 1 at the earliest.
  void flit(std::uint64_t cycle, const core::FlitEvent& event);
  void credit(std::uint64_t cycle, const core::CreditEvent& event);
  void finish(std::uint64_t cycle, bool drained);

 private:
  std::vector<std::uint32_t> outstanding_;  ///< by channel and virtual channel, flits
};

}  // namespace muster::checkers
