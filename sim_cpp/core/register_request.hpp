// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::core {

/// What stands on the register port of a block in one cycle; docs/reference/registers.md.
struct RegisterRequest {
  std::uint32_t block = 0;
  bool write = false;
  std::uint32_t address = 0, value = 0;
};

}  // namespace muster::core
