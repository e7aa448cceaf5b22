// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/flit.hpp"

namespace muster::fabric {

/// A padding request or end: what the neighbour is told about a channel of a link on which barrier
/// messages cut data (docs/systems/preempting-switches.md, The link).
struct LinkControl {
  bool end = false;          ///< padding end, else padding request
  std::uint8_t channel = 0;  ///< 0..2
  friend bool operator==(const LinkControl&, const LinkControl&) = default;
};

/// It goes on the channel that it is about.
inline core::Flit control_flit(const LinkControl& control) {
  core::Flit flit;
  flit.kind = core::Flit::kControl;
  flit.vc = control.channel;
  flit.lo = std::uint64_t{control.end} << 14 | control.channel;
  return flit;
}
/// The operation field has two bits; 2 and 3 are reserved.
inline bool is_control(const core::Flit& flit) {
  return flit.kind == core::Flit::kControl && (flit.lo >> 15 & 1) == 0;
}
/// REQUIRES: is_control(flit).
inline LinkControl link_control(const core::Flit& flit) {
  return {(flit.lo >> 14 & 1) != 0, static_cast<std::uint8_t>(flit.lo & 3)};
}

}  // namespace muster::fabric
