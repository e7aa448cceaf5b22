// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "fabric/golden/lanes.hpp"

namespace muster::golden {

/// A word of the register map about what a switch has dropped: how often since it was cleared, and
/// what came first (docs/reference/registers.md). What is noted in a cycle is counted at the edge
/// of the next, once for each port.
class DropRecord {
 public:
  /// `what`: bits of the word that say what was dropped. Of two notes of a port and cycle the one
  /// with the higher bits stays.
  void note(std::uint32_t port, std::uint32_t what) {
    now_.what[port] = has(now_.ports, port) ? std::max(now_.what[port], what) : what;
    now_.ports |= static_cast<std::uint16_t>(bit(port));
  }

  /// The same of the cycle whose clock edge was the last edge().
  void note_past(std::uint32_t port, std::uint32_t what) {
    before_.what[port] = what;
    before_.ports |= static_cast<std::uint16_t>(bit(port));
  }

  /// Something is still to be counted.
  bool pending() const { return before_.ports != 0; }

  /// The clock edge.
  void edge() {
    if ((before_.ports | now_.ports) == 0) return;
    if (before_.ports != 0 && count_ == 0) {
      const std::uint32_t port = lowest(before_.ports);
      first_ = before_.what[port] | port << kPortShift;
    }
    const auto ports = static_cast<std::uint32_t>(std::popcount(before_.ports));
    count_ = std::min(kMaxCount, count_ + ports);
    before_ = now_;
    now_.ports = 0;
  }

  /// The host's write: nothing has been counted up to this edge, what was noted in its cycle will
  /// be.
  void clear() { count_ = first_ = 0; }

  std::uint32_t word() const { return count_ << kCountShift | first_; }

 private:
  static constexpr std::uint32_t kMaxCount = 255, kCountShift = 24, kPortShift = 16;
  struct Notes {
    std::uint16_t ports = 0;
    std::array<std::uint32_t, kMaxPorts> what{};  // of these ports
  };
  Notes now_, before_;
  std::uint32_t count_ = 0, first_ = 0;
};

}  // namespace muster::golden
