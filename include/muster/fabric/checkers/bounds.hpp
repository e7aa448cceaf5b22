// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace muster::checkers {

/// What switches promise that cut data for a barrier message.
struct HopWait {
  std::uint32_t data = 0;  ///< W, cycles that a message waits for data at a hop
  std::uint32_t gap = 0;   ///< after a message in which an output takes none
};

/// The longest times anything may take inside the network, in cycles. A run derives close ones from
/// its network and load; the defaults catch only what makes no progress for good.
struct Bounds {
  std::uint64_t packet = 10'000'000;   ///< from injection of the head to ejection of the tail
  std::uint64_t barrier = 10'000'000;  ///< of a barrier message in a switch of its tree
  std::optional<HopWait> hop = {};     ///< none: barrier messages wait for data
};

}  // namespace muster::checkers
