// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/register_image.hpp"

namespace muster::run {

/// The barrier registers in use of all switches, with what spill nodes keep instead, and by switch
/// the mask of the port to its spill node; the latter may be empty.
struct WaitingRegisters {
  std::vector<fabric::RegisterImage> images;  ///< of all switches
  std::vector<std::uint16_t> spill_ports;     ///< by switch, a mask; or empty
};

}  // namespace muster::run
