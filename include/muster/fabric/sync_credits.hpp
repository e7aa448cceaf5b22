// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/flit.hpp"

namespace muster::fabric {

/// Which credits barrier messages and link control take on a link
/// (docs/systems/preempting-switches.md, The link).
enum class SyncCredits : std::uint8_t {
  kChannel,  ///< one of its virtual channel for each flit
  kBuffer,   ///< that of the receiver's barrier buffer, bit `vcs` of the credits, for a message
  kBoth      ///< that for a message, and one of its virtual channel for each flit
};

/// Flits that a barrier buffer holds: those of the longest message.
inline constexpr std::uint32_t kBarrierBufferFlits = 3;

/// The flit is of a barrier message or link control, on a link with a barrier buffer.
inline bool passes_data(const core::Flit& flit) {
  return flit.sync() && flit.kind != core::Flit::kPad;
}

/// The credits that a flit takes on a link of `vcs` virtual channels: bit v one of channel v, bit
/// `vcs` that of the barrier buffer.
inline std::uint32_t credits_taken(SyncCredits credits, std::uint32_t vcs, const core::Flit& flit) {
  const std::uint32_t channel = 1u << flit.vc;
  if (credits == SyncCredits::kChannel || !passes_data(flit)) return channel;
  const std::uint32_t buffer = flit.kind == core::Flit::kFirst ? 1u << vcs : 0;
  return credits == SyncCredits::kBoth ? channel | buffer : buffer;
}

}  // namespace muster::fabric
