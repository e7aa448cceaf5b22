// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace muster::verif {

/// The rising edge, with the inputs as they are. The clock is low again for the next one. No block
/// has a flip-flop of the falling edge, so the model is told that it has seen one: an evaluation
/// of the logic behind the inputs would be a tenth of the time of a switch-cycle.
template <class Model>
void rise(Model& model) {
  model.clk_i = 1;
  model.eval();
  model.clk_i = 0;
  if constexpr (requires { model.rootp->__Vtrigrprev__TOP__clk_i; })  // Verilator 5.006
    model.rootp->__Vtrigrprev__TOP__clk_i = 0;
  else
    model.eval();
}

/// Two cycles of reset with the inputs as they are, and those after it in which a block clears what
/// it has in block RAM: the routing table, groups. `quiet`: the block is quiescent after all that.
template <bool quiet = true, class Model>
void reset_model(Model& model) {
  constexpr int kClearing = 65536;  // the most entries that it has
  model.clk_i = 0;
  model.rst_ni = 0;
  for (int i = 0; i < 2; ++i) {
    model.eval();
    rise(model);
  }
  model.rst_ni = 1;
  model.eval();
  if constexpr (quiet && requires { model.quiescent_o; }) {
    for (int i = 0; i < kClearing && !model.quiescent_o; ++i) {
      rise(model);
      model.eval();
    }
  }
}

/// Time in a waveform, in nanoseconds of a 10 ns clock: cycle c lasts from 10 c to 10 c + 10,
/// inputs change at its beginning, the rising edge is in its middle.
constexpr std::uint64_t input_time(std::uint64_t cycle) { return 10 * cycle; }
constexpr std::uint64_t edge_time(std::uint64_t cycle) { return 10 * cycle + 5; }

/// A request on a model's register port, until the next eval.
template <class Model>
void put_request(Model& m, std::uint32_t address, bool write, std::uint32_t value) {
  m.reg_valid_i = 1;
  m.reg_write_i = write;
  using Address = std::remove_reference_t<decltype(m.reg_addr_i)>;  // of 12 bits, or of 17
  m.reg_addr_i = static_cast<Address>(address & (sizeof(Address) > 2 ? 0x1FFFF : 0xFFF));
  m.reg_wdata_i = value;
}

/// The clocks of a write, with the other inputs as they stand; afterwards the clock is low. `late`:
/// it is done in the cycle after that of its request.
template <class Model>
void clock_write(Model& m, std::uint32_t address, std::uint32_t value, bool late = false) {
  put_request(m, address, true, value);
  m.eval();
  rise(m);
  m.reg_valid_i = 0;
  m.eval();
  if (!late) return;
  rise(m);
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

/// Cycles that a waveform goes on after a failure, with idle links at its blocks.
inline constexpr std::uint64_t kRunOnCycles = 8;

}  // namespace muster::verif
