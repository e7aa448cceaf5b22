// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/run/system.hpp"

namespace muster::packets {

/// Barriers of packets between nodes, without help of the switches but multicast: the baselines
/// (README.md beside this file).
std::unique_ptr<run::System> make_system();

}  // namespace muster::packets
