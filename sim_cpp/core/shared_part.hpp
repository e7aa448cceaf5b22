// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/home_line.hpp"

namespace muster::core {

/// What SharedBank is to RankedCycle, whatever its blocks are.
class SharedPart {
 public:
  virtual ~SharedPart() = default;
  /// The rank that has each block.
  virtual const std::vector<std::uint32_t>& owners() const = 0;
  /// From now on home reaches the blocks of other ranks on `line`, under this number of the bank.
  virtual void join(HomeLine& line, std::uint32_t bank) = 0;

  /// The outputs of blocks as values of a message.
  virtual void put_outputs(std::span<const std::uint32_t> blocks, RankMessage& message) const = 0;
  virtual void get_outputs(std::span<const std::uint32_t> blocks, RankReader& message) = 0;
  /// Outputs compared so far with a reference, here; what another rank says of it.
  virtual std::uint64_t compared_here() const = 0;
  virtual void compared_by(std::uint32_t rank, std::uint64_t count) = 0;

  /// Tells the owners of blocks of other ranks what home has given these beside their wires.
  virtual void tell_given() = 0;
  /// An order of home for a block of this rank, except for Order::kWake. What is asked it answers,
  /// or throws.
  virtual void obey(Order order, std::uint32_t block, RankReader& values, RankMessage& answer) = 0;
};

}  // namespace muster::core
