// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/register_image.hpp"
#include "muster/topology/graph.hpp"

namespace muster::run {

/// What comes in at a port of a switch may wait for the channel out of a port of the same switch,
/// beside what the routes say. Both ports are joined to something.
struct PortWait {
  topology::SwitchId sw = 0;  ///< the switch
  std::uint32_t in = 0;       ///< the port where it comes in
  std::uint32_t out = 0;      ///< the port that it waits for
};

/// The barrier registers of a run in all switches, wherever their contents are kept, and the waits
/// that they add between channels.
struct WaitingRegisters {
  std::vector<fabric::RegisterImage> images;  ///< in use, of all switches
  std::vector<PortWait> waits;                ///< none if messages go straight to registers
};

}  // namespace muster::run
