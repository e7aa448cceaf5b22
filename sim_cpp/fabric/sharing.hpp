// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

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
  std::unique_ptr<Base> bank(std::uint32_t blocks, const BankOptions& options, Make&& make,
                             const Of&... of) const {
    using Shared = core::SharedBank<Base, More>;
    return join<Shared>(blocks, options, make(here(options)), of...);
  }
  /// The options of the blocks in this process.
  BankOptions here(BankOptions options) const {
    if (ranks_->rank() != 0) options.wave_file.clear();
    return options;
  }
  /// The bank that `inner` is the blocks here of; `options` of all.
  template <class Shared, class Base, class... Of>
  std::unique_ptr<Shared> join(std::uint32_t blocks, const BankOptions& options,
                               std::unique_ptr<Base> inner, const Of&... of) const {
    const std::uint32_t ranks = ranks_->count();
    const auto partition = options.wave_file.empty() ? core::Partition(blocks, ranks)
                                                     : core::Partition::whole(blocks, ranks);
    return std::make_unique<Shared>(ranks_, partition, std::move(inner), of...);
  }

 private:
  std::shared_ptr<core::Ranks> ranks_;
};

}  // namespace muster::fabric
