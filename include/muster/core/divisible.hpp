// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace muster::core {

/// What a bank implements beside Bank (Bank::divisible()) whose blocks may be clocked by several
/// threads at once: they have nothing in common but what begin_clock() and end_clock() touch.
/// Bank::clock() is the three of them, one after the other, with all blocks.
class Divisible {
 public:
  virtual ~Divisible() = default;
  /// Before any block is clocked, on one thread. `awake`: all that will be, in ascending order; it
  /// stays until end_clock().
  virtual void begin_clock(std::uint64_t /*cycle*/, std::span<const std::uint32_t> /*awake*/) {}
  /// The edge of some of the blocks that are awake, on any thread. No block is given to two calls.
  /// Throws what Bank::clock() throws; the other calls of the cycle are still made.
  virtual void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) = 0;
  /// When all blocks have been clocked, on one thread.
  virtual void end_clock(std::uint64_t /*cycle*/) {}
};

}  // namespace muster::core
