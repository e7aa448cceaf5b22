// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace muster::core {

/// Which rank clocks which block of a bank: neighbours in number, equally many. Every rank has all
/// outputs of all blocks, so where a network is cut does not matter; and of several blocks that
/// fail the first one is found in the first rank that fails.
class Partition {
 public:
  /// `ranks` at least 1.
  Partition(std::uint32_t blocks, std::uint32_t ranks) : blocks_(blocks), ranks_(ranks) {}
  /// All blocks are those of rank 0: a waveform is written by one process.
  static Partition whole(std::uint32_t blocks, std::uint32_t ranks) {
    Partition partition(blocks, ranks);
    partition.whole_ = true;
    return partition;
  }

  std::uint32_t ranks() const { return ranks_; }  ///< as given
  /// The rank that clocks a block, 0..ranks() - 1.
  std::uint32_t owner(std::uint32_t block) const {
    if (whole_) return 0;
    return static_cast<std::uint32_t>(((std::uint64_t{block} + 1) * ranks_ - 1) / blocks_);
  }
  /// The blocks of a rank among some in ascending order.
  std::span<const std::uint32_t> part(std::uint32_t rank,
                                      std::span<const std::uint32_t> blocks) const {
    const auto at = [&](std::uint32_t block) {
      return std::lower_bound(blocks.begin(), blocks.end(), block);
    };
    return {at(first(rank)), at(first(rank + 1))};
  }

 private:
  /// Of a rank; of `ranks_` the number of blocks.
  std::uint32_t first(std::uint32_t rank) const {
    if (whole_) return rank == 0 ? 0 : blocks_;
    return static_cast<std::uint32_t>(std::uint64_t{blocks_} * rank / ranks_);
  }
  std::uint32_t blocks_, ranks_;
  bool whole_ = false;
};

}  // namespace muster::core
