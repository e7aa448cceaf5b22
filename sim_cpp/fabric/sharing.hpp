// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/partition.hpp"
#include "core/shared_bank.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::fabric {

/// How the blocks of an engine are made when several processes clock them.
class Sharing {
 public:
  explicit Sharing(std::shared_ptr<core::Ranks> ranks) : ranks_(std::move(ranks)) {}

  /// A bank of `blocks` that `make(options)` makes; `of`: what Base is made of. A waveform is
  /// written by rank 0, which clocks all blocks of such a bank.
  template <class Base, class More = core::WiresAlone, class Make, class... Of>
  std::unique_ptr<Base> bank(std::uint32_t blocks, BankOptions options, Make&& make,
                             const Of&... of) const {
    const bool traced = !options.wave_file.empty();
    if (ranks_->rank() != 0) options.wave_file.clear();
    const std::uint32_t ranks = ranks_->count();
    const auto partition =
        traced ? core::Partition::whole(blocks, ranks) : core::Partition(blocks, ranks);
    return std::make_unique<core::SharedBank<Base, More>>(ranks_, partition, make(options), of...);
  }

 private:
  std::shared_ptr<core::Ranks> ranks_;
};

}  // namespace muster::fabric
