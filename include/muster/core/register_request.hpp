// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::core {

/// What stands on the register port of a block in one cycle; docs/reference/registers.md.
struct RegisterRequest {
  std::uint32_t block = 0;    ///< of the bank
  bool write = false;         ///< else a read
  std::uint32_t address = 0;  ///< 12 bits
  std::uint32_t value = 0;    ///< of a write
};

}  // namespace muster::core
