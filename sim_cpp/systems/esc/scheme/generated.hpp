// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// Messages generated in each cycle since the active session began, summed over sessions; a session
/// has none after its end.
struct Generated {
  std::vector<std::uint64_t> synchronization, hot_background;
};

/// Of the first sessions of a spec, by the lengths of their active sessions.
Generated count_generated(const Spec& spec, std::span<const std::uint64_t> lengths);

}  // namespace muster::esc
