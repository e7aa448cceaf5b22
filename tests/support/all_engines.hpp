// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines.hpp"
#include "golden/golden_engine.hpp"
#include "network/engine_registry.hpp"

namespace muster::test {

/// golden, rtl and lockstep.
inline network::EngineRegistry all_engines() {
  network::EngineRegistry engines;
  engines.add(golden::make_golden_engine());
  verif::register_engines(engines);
  return engines;
}

}  // namespace muster::test
