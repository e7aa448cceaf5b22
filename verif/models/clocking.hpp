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

/// Two cycles of reset with the inputs as they are.
template <class Model>
void reset_model(Model& model) {
  model.clk_i = 0;
  model.rst_ni = 0;
  for (int i = 0; i < 2; ++i) {
    model.eval();
    rise(model);
  }
  model.rst_ni = 1;
  model.eval();
}

}  // namespace muster::verif
