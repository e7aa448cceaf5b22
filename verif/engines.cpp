// SPDX-License-Identifier: Apache-2.0
#include "engines.hpp"

namespace muster::verif {

void register_engines(fabric::EngineRegistry& registry) {
  registry.add(make_rtl_engine());
  registry.add(make_lockstep_engine());
}

}  // namespace muster::verif
