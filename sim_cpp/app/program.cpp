// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"
#include "muster/app.hpp"
#include "muster/run/golden_engine.hpp"

namespace muster::app {

int main(int argc, const char* const* argv,
         const std::vector<std::shared_ptr<const fabric::BankFactory>>& engines) {
  fabric::EngineRegistry registry;
  registry.add(run::make_golden_engine());
  for (const auto& engine : engines) registry.add(engine);
  return run_main(argc, argv, registry);
}

}  // namespace muster::app
