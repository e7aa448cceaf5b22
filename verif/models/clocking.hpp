// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::verif {

/// The rising edge, with the inputs as they were settled. The clock is low again for the next
/// settle.
template <class Model>
void rise(Model& model) {
  model.clk_i = 1;
  model.eval();
  model.clk_i = 0;
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

}  // namespace muster::verif
