// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/engine_registry.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"

namespace muster::fabric {
namespace {

using Catch::Matchers::Contains;

/// Makes switches of nothing, and what it is given.
struct Engine : BankFactory {
  std::string called;
  explicit Engine(std::string n, BlockMakers makers = {})
      : BankFactory(std::move(makers)), called(std::move(n)) {}
  std::string name() const override { return called; }
  bool supports(const SwitchConfig&) const override { return false; }
  std::unique_ptr<core::Bank> make_switches(const SwitchConfig&, std::uint32_t,
                                            const BankOptions&) const override {
    return nullptr;
  }
};

struct Boxes {
  virtual ~Boxes() = default;
  virtual int size() const = 0;
};
struct Nics {};
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
  const Engine engine("golden", makers);
  REQUIRE(engine.makers().find<Boxes>() != nullptr);
  CHECK(engine.makers().find<Boxes>()->size() == 4);
  CHECK(engine.makers().find<Nics>() == nullptr);
  CHECK(Engine("rtl").makers().find<Boxes>() == nullptr);
}

}  // namespace
}  // namespace muster::fabric
