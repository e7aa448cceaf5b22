// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::core {

/// The processes that make one run together (docs/reference/ranks.md). All do the same in the same
/// order, but for the blocks of shared banks, of which each clocks its own; so all call exchange()
/// equally often, and what they send is known from its place in that order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t rank() const = 0;   ///< of this process, 0..count() - 1
  virtual std::uint32_t count() const = 0;  ///< of processes, at least 1
  /// Sends `mine` to all others and returns what each has sent, by rank; that of this rank is
  /// empty. It is valid until the next call.
  virtual std::span<const std::vector<std::byte>> exchange(std::span<const std::byte> mine) = 0;
  /// Ends all processes at once, this one with `status`.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// If it is so in any of the ranks. Without ranks (nullptr): here.
bool any_rank(Ranks* ranks, bool here);

}  // namespace muster::core
