// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/switch_kind.hpp"

namespace muster::fabric {

/// What the largest switch of a run needs.
struct Requirement {
  std::uint32_t ports = 0;  ///< at least
  std::uint32_t regs = 0;   ///< barrier registers or table entries, at least
  std::uint32_t dests = 0;  ///< entries of the routing table, at least
  std::uint32_t vcs = 1;    ///< 2 if barrier messages or worms have a virtual channel of their own
  std::uint32_t usual_vcs = 1;       ///< virtual channels, at least, if there is such a switch
  std::uint32_t depth = 0;           ///< flits in each input queue, exactly; 0: any
  const SwitchKind* kind = nullptr;  ///< always set
  std::uint32_t data_w = 0;          ///< bits of data in a barrier message, at least
  bool serial = false;               ///< switches that take one barrier message a cycle
  bool spill = false;                ///< switches with a spill port
  bool retry = false;                ///< switches whose registers repeat messages
  std::uint32_t groups = 0;          ///< groups in block RAM, at least; 0: in registers
};

}  // namespace muster::fabric
