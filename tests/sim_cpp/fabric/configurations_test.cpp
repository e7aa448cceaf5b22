// SPDX-License-Identifier: Apache-2.0
#include "fabric/configurations.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace muster::fabric {
namespace {

using Catch::Matchers::Contains;

/// Supports what its flag says; makes nothing.
struct Factory : BankFactory {
  std::string called;
  bool any;
  Factory(std::string n, bool a) : called(std::move(n)), any(a) {}
  std::string name() const override { return called; }
  bool supports(const SwitchConfig& c) const override {
    return any || c.name.starts_with("sw") || (c.serial && c.name != "fit");
  }
  bool supports(const nic::NicConfig& c) const override { return any || c.name != "fit"; }
  std::unique_ptr<core::Bank> make_switches(const SwitchConfig&, std::uint32_t,
                                            const BankOptions&) const override {
    return nullptr;
  }
};

TEST_CASE("the built configurations are those of rtl/configurations.json", "[network][config]") {
  const SwitchConfig& sw8 = configuration("sw8");
  CHECK(sw8.ports == 8);
  CHECK(sw8.vcs == 2);
  CHECK(sw8.depth == 4);
  CHECK(sw8.regs == 4);
  CHECK(sw8.flit_w == 16);
  CHECK(sw8.gid_w == 8);
  CHECK(sw8.dests == 2048);
  CHECK(sw8.kind == SwitchKind::kBarrier);
  CHECK(configuration("mc8").kind == SwitchKind::kMulticast);
  CHECK(configuration("mc8").regs == 0);
  CHECK_THROWS_WITH(configuration("sw9"), Contains("sw9") && Contains("sw8v1"));
}

TEST_CASE("the smallest configuration that fits is taken", "[network][config]") {
  const Factory rtl("rtl", false);
  const auto name = [&](Requirement need) { return choose(configurations(), need, rtl).name; };
  CHECK(name({.ports = 3, .regs = 1, .dests = 10}) == "sw4v1");
  CHECK(name({.ports = 3, .regs = 1, .dests = 10, .vcs = 2}) == "sw4");
  CHECK(name({.ports = 4, .regs = 1, .dests = 65}) == "sw5v1");
  CHECK(name({.ports = 6, .regs = 4, .dests = 100}) == "sw8v1");
  CHECK(name({.ports = 2, .regs = 1, .dests = 1324}) == "sw8v1");
}

TEST_CASE("switches that take one barrier message a cycle are chosen on request only",
          "[network][config][serial]") {
  const Factory rtl("rtl", false), golden("golden", true);
  Requirement need{.ports = 4, .regs = 4, .dests = 64};
  CHECK(choose(configurations(), need, rtl).name == "sw4v1");
  CHECK_FALSE(fits(configuration("ser4"), need));
  need.serial = true;
  CHECK(choose(configurations(), need, rtl).name == "ser4");
  CHECK_FALSE(fits(configuration("sw8"), need));
  need.ports = 8;
  CHECK_THROWS_WITH(choose(configurations(), need, rtl), Contains("'ser4', has 4 ports"));
  CHECK(choose(configurations(), need, golden).serial);
  SwitchConfig worms = configuration("mc4");
  worms.serial = true;
  CHECK_THROWS_WITH(validate(worms), Contains("serial = 1 is not in 0..0"));
}

TEST_CASE("if none fits the nearest is named with what it lacks, and golden makes its own",
          "[network][config]") {
  const Factory rtl("rtl", false), golden("golden", true);
  const Requirement need{.ports = 12, .regs = 2, .dests = 100, .vcs = 2};
  CHECK_THROWS_WITH(choose(configurations(), need, rtl),
                    Contains("'sw8'") && Contains("8 ports where 12 are needed"));
  const SwitchConfig made = choose(configurations(), need, golden);
  CHECK(fits(made, need));
  CHECK(made.ports == 12);
  CHECK_THROWS_AS(choose(configurations(), {.ports = 17}, golden), InputError);
  CHECK_THROWS_WITH(require(configuration("sw4"), {.ports = 5, .regs = 5}),
                    Contains("4 ports where 5") && Contains("4 barrier registers where 5"));
}

TEST_CASE("only switches of the kind needed are chosen", "[network][config]") {
  const Factory golden("golden", true);
  const Requirement worms{.ports = 4, .dests = 64, .vcs = 2, .kind = SwitchKind::kMulticast};
  CHECK(choose(configurations(), worms, golden).name == "mc4");
  CHECK_FALSE(fits(configuration("sw8"), worms));
  CHECK_THROWS_WITH(require(configuration("mc8"), {.ports = 4}),
                    Contains("'mc8' is a multicast switch; this run needs barrier ones"));
  const Requirement large{.ports = 12, .kind = SwitchKind::kMulticast};
  const SwitchConfig made = choose(configurations(), large, golden);
  CHECK(made.kind == SwitchKind::kMulticast);
  CHECK(made.vcs == 2);
  CHECK(made.regs == 0);
  const Factory barriers_only("rtl", false);
  CHECK_THROWS_WITH(choose(configurations(), worms, barriers_only),
                    Contains("engine 'rtl' has no multicast switches"));
}

TEST_CASE("a configurations file that cannot be used is refused", "[network][config]") {
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
}

TEST_CASE("engines are found by name", "[network][config]") {
  EngineRegistry registry;
  registry.add(std::make_unique<Factory>("golden", true));
  registry.add(std::make_unique<Factory>("rtl", false));
  CHECK(registry.find("rtl")->name() == "rtl");
  CHECK(registry.names() == std::vector<std::string>{"golden", "rtl"});
  CHECK_THROWS_WITH(registry.find("vhdl"), Contains("vhdl") && Contains("golden, rtl"));
  CHECK_THROWS_AS(registry.add(std::make_unique<Factory>("rtl", false)), InternalError);
}

TEST_CASE("the smallest NIC that has all that is needed is chosen", "[network][config]") {
  const Factory golden("golden", true), rtl("rtl", false);
  nic::NicConfig need{.name = "fit", .contexts = 1, .steps = 8, .conns = 4, .records = 2, .vcs = 2};
  CHECK(choose_nic(need, rtl).name == "nic4");
  CHECK(choose_nic(need, golden).name == "nic4");
  need.records = 4;
  CHECK(choose_nic(need, golden) == need);
  CHECK_THROWS_WITH(choose_nic(need, rtl), Contains("4 send records, 2 virtual channels"));
  need.vcs = 1;
  CHECK(choose_nic(need, rtl).name == "nic");
}

}  // namespace
}  // namespace muster::fabric
