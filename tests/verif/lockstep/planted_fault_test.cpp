// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "verif/lockstep/worlds.hpp"

using namespace muster;
using namespace muster::testing;
using Catch::Matchers::Contains;

TEMPLATE_TEST_CASE("lockstep reports a change of each output by its name", "[lockstep]",
                   SwitchWorld, NicWorld, LinkWorld, BoxWorld, PolicyWorld, InjectionWorld) {
  using Plant = decltype(TestType::faults().front().plant);
  CHECK_FALSE(failure<TestType>(Plant{}));
  for (const auto& fault : TestType::faults()) {
    CAPTURE(fault.report);
    const auto error = failure<TestType>(fault.plant);
    REQUIRE(error);
    const std::string text = error->what();
    CHECK(text.substr(0, text.find('\n')) == fault.report);
    CHECK_THAT(text, Contains(fmt::format("cycle {}, {}, ", error->cycle(), error->instance())));
  }
}

TEMPLATE_TEST_CASE("lockstep compares what registers answer", "[lockstep]", SwitchWorld, NicWorld) {
  const auto bank = TestType::make(nullptr);
  CHECK(bank->read_register(0, 0x001) != 0);
  CHECK_THROWS_WITH(bank->read_register(0, TestType::kWrongRegister),
                    Contains("golden 0x0, RTL 0x1"));
}
