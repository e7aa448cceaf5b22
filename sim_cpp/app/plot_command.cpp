// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

namespace muster::app {

void add_plot(CLI::App& app, const Context& context) {
  (void)app;
  (void)context;
}

}  // namespace muster::app
