// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/engine_registry.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::test {

/// golden, rtl and lockstep.
inline fabric::EngineRegistry all_engines() {
  fabric::EngineRegistry engines;
  engines.add(run::make_golden_engine());
  for (const auto& engine : verif::engines()) engines.add(engine);
  return engines;
}

using Look = std::function<void(const run::RunResult&)>;

/// The same run on each of these engines, with random registers where there are models: no
/// violation, one digest. An engine skips blocks if it can, but not as `rtl*`. `look` sees each
/// result, of which the last is returned.
inline run::RunResult on_engines(run::RunSpec spec, const std::vector<std::string>& names,
                                 const Look& look = {}) {
  const fabric::EngineRegistry engines = all_engines();
  run::RunResult result;
  std::string digest;
  for (const std::string& name : names) {
    CAPTURE(name);
    spec.engine = engines.find(name.substr(0, name.find('*')));
    spec.skip = !spec.engine->compares() && !name.ends_with('*');
    spec.bank.random_init = spec.engine->has_models();
    result = passes(spec);
    if (digest.empty()) digest = result.digest;
    CHECK(result.digest == digest);
    if (look) look(result);
  }
  return result;
}
inline run::RunResult on_engines(const run::RunSpec& spec, const Look& look = {}) {
  return on_engines(spec, {"golden", "rtl", "lockstep"}, look);
}

/// The run in lockstep, with all its barriers.
inline run::RunResult in_lockstep(const run::RunSpec& spec) {
  return on_engines(spec, {"lockstep"}, [&](const run::RunResult& result) {
    REQUIRE(result.barriers.size() == std::size_t{spec.barriers} * spec.groups.size());
  });
}

}  // namespace muster::test
