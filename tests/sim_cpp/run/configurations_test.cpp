// SPDX-License-Identifier: Apache-2.0
#include "run/configurations.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "muster/core/error.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/packets/switch_kinds.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("the built configurations are those of rtl/configurations.json", "[workload][config]") {
  const fabric::SwitchConfig sw8 = configuration("sw8");
  CHECK(sw8.ports == 8);
  CHECK(sw8.vcs == 2);
  CHECK(sw8.depth == 4);
  CHECK(sw8.regs == 4);
  CHECK(sw8.flit_w == 16);
  CHECK(sw8.gid_w == 8);
  CHECK(sw8.dests == 2048);
  CHECK(sw8.kind == &btin::kBarrierSwitch);
  CHECK(configuration("mc8").kind == &packets::kMulticastSwitch);
  CHECK(configuration("mc8").regs == 0);
  CHECK_THROWS_WITH(configuration("sw9"), Contains("sw9") && Contains("sw8v1"));
}

TEST_CASE("the usual channels are enough for every kind", "[workload][config][fair]") {
  CHECK(usual_vcs() == 2);
  // With one channel preempting switches I and II are the same machine, and worms have none.
  for (const fabric::SwitchKind* kind : switch_kinds())
    CHECK((kind->min_vcs <= usual_vcs() && usual_vcs() <= kind->max_vcs));
}

TEST_CASE("a configurations file that cannot be used is refused", "[workload][config]") {
  CHECK_THROWS_AS(read_configurations("{", "f"), InputError);
  CHECK_THROWS_AS(read_configurations(R"({"schema": "x", "configurations": []})", "f"), InputError);
  CHECK_THROWS_WITH(read_configurations(R"({"schema": "muster-configurations-1", "configurations": [
      {"name": "s", "top": "barrier_switch", "kind": "switch",
       "params": {"Ports": 2, "Vcs": 1, "Depth": 4, "Regs": 1,
       "FlitW": 16, "GidW": 8, "Dests": 64}}]})",
                                        "f"),
                    Contains("ports = 2"));
  CHECK_THROWS_WITH(read_configurations(R"({"schema": "muster-configurations-1", "configurations": [
      {"name": "s", "top": "no_switch", "kind": "switch", "params": {"Ports": 4, "Vcs": 1,
       "Depth": 4, "FlitW": 16, "GidW": 8, "Dests": 64}}]})",
                                        "f"),
                    Contains("no_switch"));
  for (const std::string name : {"", "A", "../a", "a\\u0000"})
    CHECK_THROWS_WITH(
        read_configurations(
            R"({"schema": "muster-configurations-1", "configurations": [{"name": ")" + name +
                R"(", "top": "x", "kind": "switch", "params": {}}]})",
            "f"),
        "f: name \"" + name + "\" of a configuration: use lower-case letters, digits and '_'");
}

TEST_CASE("no two kinds of switches share a name, a module or a number", "[workload][config]") {
  std::set<std::string_view> names, modules;
  std::set<std::uint32_t> numbers;
  for (const fabric::SwitchKind* kind : switch_kinds()) {
    CAPTURE(kind->name);
    CHECK(names.insert(kind->name).second);
    CHECK(modules.insert(kind->module).second);
    CHECK(numbers.insert(kind->number).second);
  }
  CHECK(names.size() == 6);
}

}  // namespace
}  // namespace muster::run
