// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/flit.hpp"

namespace muster::fabric {

/// Which credits sync flits take on a link, barrier messages and link control.
enum class SyncCredits : std::uint8_t {
  kNone,    ///< none: they are consumed as they come (docs/systems/barrier-switch.md)
  kPocket,  ///< that of the receiver's pocket for each flit (likewise, Spill)
  kBuffer,  ///< that of the receiver's barrier buffer for a message
            ///< (docs/systems/preempting-switches.md, The link)
  kBoth     ///< that for a message, and one of its virtual channel for each flit
};

/// Pocket and barrier buffer have bit `vcs` of the credits, behind those of the virtual channels.
inline bool has_extra_credit(SyncCredits credits) { return credits != SyncCredits::kNone; }
/// Messages of several flits are kept together in the receiver.
inline bool has_barrier_buffer(SyncCredits credits) {
  return credits == SyncCredits::kBuffer || credits == SyncCredits::kBoth;
}

/// Flits that a barrier buffer holds: those of the longest message.
inline constexpr std::uint32_t kBarrierBufferFlits = 3;

/// The flit is of a barrier message or link control, on a link with a barrier buffer.
inline bool passes_data(const core::Flit& flit) {
  return flit.sync() && flit.kind != core::Flit::kPad;
}

/// The credits that a flit takes on a link of `vcs` virtual channels: bit v one of channel v, bit
/// `vcs` that of the pocket or barrier buffer.
inline std::uint32_t credits_taken(SyncCredits credits, std::uint32_t vcs, const core::Flit& flit) {
  const std::uint32_t channel = 1u << flit.vc, extra = 1u << vcs;
  if (!flit.sync()) return channel;
  switch (credits) {
    case SyncCredits::kNone:
      return 0;
    case SyncCredits::kPocket:
      return extra;
    default:
      break;
  }
  if (!passes_data(flit)) return channel;
  const std::uint32_t buffer = flit.kind == core::Flit::kFirst ? extra : 0;
  return credits == SyncCredits::kBoth ? channel | buffer : buffer;
}

}  // namespace muster::fabric
