// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines.hpp"
#include "fabric/engine_registry.hpp"
#include "fabric/golden/golden_engine.hpp"

namespace muster::test {

/// golden, rtl and lockstep.
inline fabric::EngineRegistry all_engines() {
  fabric::EngineRegistry engines;
  engines.add(golden::make_golden_engine());
  verif::register_engines(engines);
  return engines;
}

}  // namespace muster::test
