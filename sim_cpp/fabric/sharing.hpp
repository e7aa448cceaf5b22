// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shared_bank.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::fabric {

/// Which rank has which blocks of a network.
struct Division {
  std::vector<std::uint32_t> switches;  ///< by switch
  std::vector<std::uint32_t> devices;   ///< by node, of what stands at it
  std::vector<std::uint32_t> ends;      ///< by channel of Layout, of the link end at its sender
};

/// How the blocks of an engine are made when several processes clock them.
class Sharing {
 public:
  Sharing(std::uint32_t rank, Division division) : rank_(rank), division_(std::move(division)) {}
  const Division& division() const { return division_; }

  /// A bank of the blocks that `make(options)` makes; `of`: what Base is made of. A waveform is
  /// written by rank 0, which clocks all blocks of such a bank.
  template <class Base, class More = core::WiresAlone, class Make, class... Of>
  std::unique_ptr<Base> bank(std::vector<std::uint32_t> owners, const BankOptions& options,
                             Make&& make, const Of&... of) const {
    BankOptions here = options;
    if (rank_ != 0) here.wave_file.clear();
    if (!options.wave_file.empty()) owners.assign(owners.size(), 0);
    return std::make_unique<core::SharedBank<Base, More>>(rank_, std::move(owners), make(here),
                                                          of...);
  }

 private:
  std::uint32_t rank_;
  Division division_;
};

}  // namespace muster::fabric
