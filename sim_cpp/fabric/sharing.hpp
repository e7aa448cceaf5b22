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

/// BankOptions::sharing.
struct Sharing {
  std::uint32_t rank = 0;  ///< of this process
  Division division;
};

/// The bank that `make(options)` makes; if several processes clock its blocks, each those that it
/// has by `owners`. `of`: what Base is made of. A waveform is written by rank 0, which clocks all
/// blocks of such a bank.
template <class Base, class More = core::WiresAlone, class Make, class... Of>
std::unique_ptr<Base> share_bank(const BankOptions& options,
                                 std::vector<std::uint32_t> Division::*owners, Make&& make,
                                 const Of&... of) {
  if (!options.sharing) return make(options);
  const auto& [rank, division] = *options.sharing;
  std::vector<std::uint32_t> ranks = division.*owners;
  BankOptions here = options;
  if (rank != 0) here.wave_file.clear();
  if (!options.wave_file.empty()) ranks.assign(ranks.size(), 0);
  return std::make_unique<core::SharedBank<Base, More>>(rank, std::move(ranks), make(here), of...);
}

}  // namespace muster::fabric
