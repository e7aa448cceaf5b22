// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"
#include "fabric/golden/golden_engine.hpp"
#ifdef MUSTER_HAS_RTL
#include "engines.hpp"
#endif

int main(int argc, char** argv) {
  muster::fabric::EngineRegistry engines;
  engines.add(muster::golden::make_golden_engine());
#ifdef MUSTER_HAS_RTL
  muster::verif::register_engines(engines);
#endif
  return muster::app::run_main(argc, argv, engines);
}
