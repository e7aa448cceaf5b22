// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/system.hpp"

#include <catch2/catch.hpp>

#include "systems/nic/nic_factory.hpp"

namespace muster::nic {
namespace {

using Catch::Matchers::Contains;

/// Supports any NIC, or those of the list alone; makes nothing.
struct Nics : NicFactory {
  bool any;
  explicit Nics(bool a) : any(a) {}
  bool supports(const NicConfig& c) const override { return any || c.name != "fit"; }
  std::unique_ptr<NicBank> make_nics(const NicConfig&, std::uint32_t,
                                     const fabric::BankOptions&) const override {
    return nullptr;
  }
};

fabric::BlockMakers with_nics(bool any) {
  fabric::BlockMakers makers;
  makers.add<NicFactory>(std::make_shared<Nics>(any));
  return makers;
}

struct Engine : fabric::BankFactory {
  explicit Engine(fabric::BlockMakers makers) : BankFactory(std::move(makers)) {}
  explicit Engine(bool any) : Engine(with_nics(any)) {}
  std::string name() const override { return "test"; }
  bool supports(const fabric::SwitchConfig&) const override { return false; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig&, std::uint32_t,
                                            const fabric::BankOptions&) const override {
    return nullptr;
  }
};

TEST_CASE("the smallest NIC that has all that is needed is chosen", "[network][config]") {
  const Engine golden(true), rtl(false);
  NicConfig need{.name = "fit", .contexts = 1, .steps = 8, .conns = 4, .records = 2, .vcs = 2};
  CHECK(choose_nic(need, rtl).name == "nic4");
  CHECK(choose_nic(need, golden).name == "nic4");
  need.records = 4;
  CHECK(choose_nic(need, rtl).name == "nicv2");
  need.vcs = 1;
  CHECK(choose_nic(need, rtl).name == "nic");
  need.records = 1;
  need.conns = 1;
  need.chained = 1;
  CHECK(choose_nic(need, rtl).name == "nicev");
  need.vcs = 2;
  CHECK(choose_nic(need, rtl).name == "nic4ev");
  need.steps = 9;
  CHECK_THROWS_WITH(choose_nic(need, rtl), Contains("9 events"));
  need.chained = 0;
  need.records = 4;
  need.vcs = 3;
  CHECK(choose_nic(need, golden) == need);
  CHECK_THROWS_WITH(choose_nic(need, rtl), Contains("4 send records, 3 virtual channels") &&
                                               Contains("for switches with 2 virtual channels"));
}

TEST_CASE("an engine without NICs says so where some are needed", "[nic][config]") {
  CHECK_THROWS_WITH(choose_nic({.name = "fit"}, Engine(fabric::BlockMakers{})),
                    Contains("engine 'test' has no NIC with"));
}

}  // namespace

}  // namespace muster::nic
