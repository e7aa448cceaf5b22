// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "muster/core/flit.hpp"

namespace muster::core {

/// What a disturbed wire makes of a flit: none, one or two that arrive.
struct Arriving {
  std::uint32_t count = 1;    ///< 0 to 2; the second comes a cycle after the first
  std::array<Flit, 2> flits;  ///< the first `count`
};

/// Faults on wires: asked for every flit that is put on one (Engine::disturb). A flit that comes a
/// cycle late is lost if another is on the wire then, so flits do not pass each other.
class Disturbance {
 public:
  virtual ~Disturbance() = default;
  /// `wire`: as it was given to Engine::disturb; `cycle`: in which the flit is put there.
  virtual Arriving pass(std::uint32_t wire, std::uint64_t cycle, const Flit& flit) = 0;
};

}  // namespace muster::core
