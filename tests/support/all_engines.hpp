// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/engine_registry.hpp"
#include "muster/run/run.hpp"
#include "muster/verif.hpp"

namespace muster::test {

/// golden, rtl and lockstep.
inline fabric::EngineRegistry all_engines() {
  fabric::EngineRegistry engines;
  engines.add(run::make_golden_engine());
  for (const auto& engine : verif::engines()) engines.add(engine);
  return engines;
}

}  // namespace muster::test
