// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::golden {

/// The three switches of the paper (docs/systems/preempting-switches.md).
enum class PreemptKind : std::uint8_t { kI = 1, kII, kIII };

}  // namespace muster::golden
