// SPDX-License-Identifier: Apache-2.0
#include "core/number_map.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "muster/core/rng.hpp"

using muster::Rng;
using muster::core::NumberMap;

TEST_CASE("a map of numbers holds what a std::map holds", "[core]") {
  Rng rng(7);
  for (const std::uint64_t range : {4u, 1000u, 0xffffffffu}) {
    NumberMap<std::uint32_t> map;
    std::map<std::uint32_t, std::uint32_t> expected;
    CHECK(map.find(0) == nullptr);
    for (int i = 0; i < 3000; ++i) {
      const auto number = static_cast<std::uint32_t>(rng.below(range));
      map[number] += number / 2 + 1;
      expected[number] += number / 2 + 1;
      const auto other = static_cast<std::uint32_t>(rng.below(range));
      REQUIRE((map.find(other) != nullptr) == expected.contains(other));
    }
    for (const auto& [number, value] : expected) {
      REQUIRE(map.find(number) != nullptr);
      REQUIRE(*map.find(number) == value);
    }
  }
}
