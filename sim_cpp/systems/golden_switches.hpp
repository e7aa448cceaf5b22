// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

// Golden switches of all kinds that may have more than 16 ports, compiled for either size.

namespace muster::golden {

using SwitchMaker = std::unique_ptr<core::Bank>(std::uint32_t blocks,
                                                const fabric::SwitchConfig& config);
inline namespace narrow {
SwitchMaker barrier_switches, multicast_switches, unit_switches;
}
namespace wide {
SwitchMaker barrier_switches, multicast_switches, unit_switches;
}

/// fabric::SwitchKind::golden.
template <SwitchMaker Narrow, SwitchMaker Wide>
std::unique_ptr<core::Bank> by_ports(std::uint32_t blocks, const fabric::SwitchConfig& config) {
  return (config.ports <= core::kRowPorts ? Narrow : Wide)(blocks, config);
}

}  // namespace muster::golden
