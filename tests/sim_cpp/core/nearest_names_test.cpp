// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_names.hpp"

#include <catch2/catch.hpp>

using muster::nearest_names;

TEST_CASE("the nearest names have the fewest letters to change", "[core][names]") {
  const std::vector<std::string> known{"scheme", "spread", "load", "load-flits", "seed"};
  CHECK(nearest_names("laod", known, 1) == std::vector<std::string>{"load"});
  CHECK(nearest_names("sed", known, 1) == std::vector<std::string>{"seed"});
  CHECK(nearest_names("shceme", known, 1) == std::vector<std::string>{"scheme"});
}

TEST_CASE("a part of a name is near to it", "[core][names]") {
  CHECK(nearest_names("latency", {"digest", "lately", "data.packet_latency_cycles.mean"}, 2) ==
        std::vector<std::string>{"data.packet_latency_cycles.mean", "lately"});
}

TEST_CASE("no more names than there are, equally near ones in their order", "[core][names]") {
  CHECK(nearest_names("x", {"b", "a"}) == std::vector<std::string>{"b", "a"});
  CHECK(nearest_names("x", {}).empty());
}
