// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"

namespace muster::run {

/// Nothing that is put on the wires of a link in `cycles` cycles from `first` on arrives, in
/// neither direction.
struct Flap {
  core::ChannelId channel = 0;  ///< of fabric::Layout, one of the two
  std::uint64_t first = 0;      ///< cycle
  std::uint64_t cycles = 0;     ///< at least 1
};

/// Links that retry (docs/systems/retry-link.md) between all blocks, and what happens on their
/// wires. Shares are of all frames, each drawn for itself, 0 to 0.5, except for one.
struct LinkSpec {
  bool retry = false;         ///< else the rest must be as here
  double drop = 0.0;          ///< frames that are lost
  double corrupt = 0.0;       ///< frames in which 1 to 3 bits are flipped
  double duplicate = 0.0;     ///< frames that come twice
  double ack_drop = 0.0;      ///< frames without a flit that are lost, of these alone; 0 to 1
  std::vector<Flap> flaps{};  ///< any number, of any links
};

/// What has happened on the wires of links that retry, all together.
struct LinkCounts {
  std::uint64_t frames = 0;        ///< put on the wires
  std::uint64_t dropped = 0;       ///< by LinkSpec::drop
  std::uint64_t corrupted = 0;     ///< likewise
  std::uint64_t duplicated = 0;    ///< likewise
  std::uint64_t flapped = 0;       ///< lost in flaps and on links that are cut
  std::uint64_t acks_dropped = 0;  ///< by LinkSpec::ack_drop
  std::uint64_t replayed = 0;      ///< frames with a flit sent before
  std::vector<std::string> down;   ///< channels whose sending end is down, and why
  /// Barrier messages for which the replay buffers had no place, where messages are repeated, as
  /// their ends count them, each up to 255.
  std::optional<std::uint64_t> lost;
};

}  // namespace muster::run
