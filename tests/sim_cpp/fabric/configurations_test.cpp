// SPDX-License-Identifier: Apache-2.0
#include "fabric/configurations.hpp"

#include "muster/fabric/engine_registry.hpp"
#include "run/configurations.hpp"
#include "support/test.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::fabric {
namespace {

/// Supports any switches, or those that are built; makes nothing but what it is given.
struct Engine : BankFactory {
  std::string called;
  bool any;
  explicit Engine(std::string n, bool a = false, BlockMakers makers = {})
      : BankFactory(std::move(makers)), called(std::move(n)), any(a) {}
  std::string name() const override { return called; }
  bool supports(const SwitchConfig& c) const override {
    return any || c.name.starts_with("sw") || (btin::variant(c).serial && c.name != "fit");
  }
  std::unique_ptr<core::Bank> make_switches(const SwitchConfig&, std::uint32_t,
                                            const BankOptions&) const override {
    return nullptr;
  }
};

const VariantValues kSerial = btin::values({.serial = true});
const VariantValues kSpill = btin::values({.spill = true});

/// Barrier switches, if no other kind is named.
Requirement of_kind(Requirement need) {
  if (need.kind == nullptr) need.kind = &btin::kBarrierSwitch;
  return need;
}
SwitchConfig golden(const Requirement& need) {
  return choose(run::configurations(), of_kind(need), Engine("golden", true));
}
SwitchConfig rtl(const Requirement& need) {
  return choose(run::configurations(), of_kind(need), Engine("rtl"));
}
bool fits(const std::string& name, const Requirement& need) {
  return fabric::fits(run::configuration(name), of_kind(need));
}

TEST_CASE("the smallest configuration that fits is taken", "[network][config]") {
  const std::pair<Requirement, const char*> rows[] = {
      {{.ports = 3, .regs = 1, .dests = 10}, "sw4v1"},
      {{.ports = 3, .regs = 1, .dests = 10, .vcs = 2}, "sw4"},
      {{.ports = 4, .regs = 1, .dests = 65}, "sw5v1"},
      {{.ports = 6, .regs = 4, .dests = 100}, "sw8v1"},
      {{.ports = 2, .regs = 1, .dests = 1324}, "sw8v1"},
      // With the usual channels before a smaller one without.
      {{.ports = 4, .regs = 1, .dests = 10, .usual_vcs = 2}, "sw4"},
      {{.ports = 6, .regs = 1, .dests = 10, .usual_vcs = 2}, "sw8"},
      // On request only: a spill port, wide messages, one message a cycle.
      {{.ports = 4, .regs = 4, .dests = 64, .vcs = 2}, "sw4"},
      {{.ports = 4, .regs = 4, .dests = 64, .vcs = 2, .variant = kSpill}, "sw4s"},
      {{.ports = 5, .regs = 4, .dests = 64, .vcs = 2, .variant = kSpill}, "sw8s"},
      {{.ports = 4, .regs = 4, .dests = 64, .vcs = 2, .data_w = 6}, "sw4"},
      {{.ports = 4, .regs = 4, .dests = 64, .vcs = 2, .data_w = 64}, "sw4w80"},
      {{.ports = 4, .regs = 4, .dests = 64, .variant = kSerial}, "ser4"}};
  for (const auto& [need, name] : rows) CHECK(rtl(need).name == name);
  CHECK_FALSE(fits("sw8", {.ports = 5, .variant = kSpill}));
  CHECK_FALSE(fits("ser4", {.ports = 4, .regs = 4, .dests = 64}));
  CHECK_FALSE(fits("sw8", {.ports = 4, .variant = kSerial}));
  CHECK_THROWS_WITH(rtl({.ports = 8, .regs = 4, .dests = 64, .vcs = 2, .data_w = 64}),
                    Contains("6 bits of data where 64 are needed"));
  CHECK_THROWS_WITH(rtl({.ports = 8, .regs = 4, .dests = 64, .variant = kSerial}),
                    Contains("'ser4', has 4 ports"));
}

TEST_CASE("golden makes what is not built", "[network][config]") {
  // There are none with two channels.
  CHECK(golden({.ports = 6, .usual_vcs = 2, .variant = btin::values({.retry = true})}).name ==
        "sw8r");
  CHECK(golden({.ports = 12, .usual_vcs = 9}).vcs == btin::kBarrierSwitch.max_vcs);
  CHECK(golden({.ports = 8, .regs = 4, .dests = 64, .data_w = 64}).flit_w == 74);
  CHECK(btin::variant(golden({.ports = 8, .variant = kSerial})).serial);
}

TEST_CASE("a configuration made to measure has the usual channels", "[network][config][preempt]") {
  const auto made = [&](const SwitchKind& kind, std::uint32_t vcs) {
    const SwitchConfig config =
        golden({.ports = 12, .regs = 5, .dests = 300, .vcs = vcs, .usual_vcs = 2, .kind = &kind});
    CHECK((config.name == "fit" && config.ports == 12 && config.regs == 5));
    return config.vcs;
  };
  for (const SwitchKind* kind :
       {&preempt::kBsr1, &preempt::kBsr2, &preempt::kBsr3, &btin::kBarrierSwitch}) {
    CAPTURE(kind->name);
    CHECK(made(*kind, 1) == 2);
    CHECK(made(*kind, 3) == 3);
  }
}

TEST_CASE("if none fits the nearest is named with what it lacks, and golden makes its own",
          "[network][config]") {
  const Requirement need{.ports = 12, .regs = 2, .dests = 100, .vcs = 2};
  CHECK_THROWS_WITH(rtl(need), Contains("'sw8'") && Contains("8 ports where 12 are needed"));
  const SwitchConfig made = golden(need);
  CHECK(fabric::fits(made, of_kind(need)));
  CHECK(made.ports == 12);
  CHECK_THROWS_AS(golden({.ports = 65}), InputError);
  CHECK_THROWS_WITH(require(run::configuration("sw4"), of_kind({.ports = 5, .regs = 5})),
                    Contains("4 ports where 5") && Contains("4 barrier registers where 5"));
}

TEST_CASE("only switches of the kind needed are chosen", "[network][config]") {
  const Requirement worms{.ports = 4, .dests = 64, .vcs = 2, .kind = &packets::kMulticastSwitch};
  CHECK(golden(worms).name == "mc4");
  CHECK_FALSE(fits("sw8", worms));
  CHECK_THROWS_WITH(require(run::configuration("mc8"), of_kind({.ports = 4})),
                    Contains("'mc8' is a multicast switch; this run needs barrier ones"));
  const Requirement large{.ports = 12, .kind = &packets::kMulticastSwitch};
  const SwitchConfig made = golden(large);
  CHECK((made.kind == large.kind && made.vcs == 2 && made.regs == 0));
  CHECK_THROWS_WITH(rtl(worms), Contains("engine 'rtl' has no multicast switches"));
}

TEST_CASE("a configuration is of a kind, within its limits", "[network][config]") {
  SwitchConfig none = run::configuration("mc4"), both = run::configuration("sw8");
  none.variant = kSpill;
  CHECK_THROWS_WITH(validate(none), Contains("variant = 1 is not in 0..0"));
  both.variant = btin::values({.spill = true, .retry = true});
  CHECK_THROWS_WITH(validate(both), Contains("retry = 1 is not in 0..0"));
  CHECK_THROWS_WITH(validate({.name = "lost"}), Contains("'lost' has no kind"));
  fabric::Block foreign = block_of(run::configuration("mc4"));
  foreign.params["Serial"] = 1;
  CHECK_THROWS_WITH(switch_config({"odd", "switch", foreign}, packets::kMulticastSwitch),
                    Contains("'odd': muster_multicast_switch has no parameter Serial"));
}

struct Boxes : BlockMaker {
  virtual int size() const = 0;
};
struct Nics : BlockMaker {};
struct FourBoxes : Boxes {
  int size() const override { return 4; }
};

TEST_CASE("engines are found by name", "[network][config]") {
  EngineRegistry registry;
  registry.add(std::make_unique<Engine>("golden"));
  registry.add(std::make_unique<Engine>("rtl"));
  CHECK(registry.find("rtl")->name() == "rtl");
  CHECK(registry.names() == std::vector<std::string>{"golden", "rtl"});
  CHECK(registry.choices() == "golden or rtl");
  registry.add(std::make_unique<Engine>("lockstep"));
  CHECK(registry.choices() == "golden, rtl or lockstep");
  CHECK_THROWS_WITH(registry.find("vhdl"), Contains("vhdl") && Contains("golden, rtl"));
  CHECK_THROWS_AS(registry.add(std::make_unique<Engine>("rtl")), InternalError);
}

TEST_CASE("what an engine makes besides switches is found by its class", "[network][config]") {
  BlockMakers makers;
  makers.add<Boxes>(std::make_shared<FourBoxes>());
  const Engine engine("golden", true, makers);
  REQUIRE(engine.makers().find<Boxes>() != nullptr);
  CHECK(engine.makers().find<Boxes>()->size() == 4);
  CHECK(engine.makers().find<Nics>() == nullptr);
  CHECK(Engine("rtl").makers().find<Boxes>() == nullptr);
}

}  // namespace
}  // namespace muster::fabric
