// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::fabric {

/// A word that the host writes into the register port of a switch (docs/reference/registers.md).
struct RegisterLoad {
  std::uint32_t sw = 0;       ///< SwitchId
  std::uint32_t address = 0;  ///< of the word
  std::uint32_t value = 0;    ///< written
  friend bool operator==(const RegisterLoad&, const RegisterLoad&) = default;
};

}  // namespace muster::fabric
