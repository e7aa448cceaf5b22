// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/clocking.hpp"

namespace muster::verif {

/// A request on a model's register port, until the next eval.
template <class Model>
void put_request(Model& m, std::uint32_t address, bool write, std::uint32_t value) {
  m.reg_valid_i = 1;
  m.reg_write_i = write;
  // A port of 12 bits, or of 17.
  constexpr bool wide = sizeof(m.reg_addr_i) > sizeof(std::uint16_t);
  if constexpr (wide)
    m.reg_addr_i = address & 0x1FFFF;
  else
    m.reg_addr_i = static_cast<std::uint16_t>(address & 0xFFF);
  m.reg_wdata_i = value;
}

/// One clock with a write and the other inputs as they stand; afterwards the clock is low.
template <class Model>
void clock_write(Model& m, std::uint32_t address, std::uint32_t value) {
  put_request(m, address, true, value);
  m.eval();
  rise(m);
  m.reg_valid_i = 0;
  m.eval();
}

/// Answered in the same cycle: the clock stays low, nothing moves.
template <class Model>
std::uint32_t read_now(Model& m, std::uint32_t address) {
  put_request(m, address, false, 0);
  m.eval();
  const std::uint32_t value = m.reg_rdata_o;
  m.reg_valid_i = 0;
  m.eval();
  return value;
}

}  // namespace muster::verif
