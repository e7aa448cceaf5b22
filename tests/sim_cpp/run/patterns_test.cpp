// SPDX-License-Identifier: Apache-2.0
#include "run/patterns.hpp"

#include <catch2/catch.hpp>

namespace muster::run {
namespace {

TEST_CASE("patterns send where their names say, inside the network", "[run][pattern]") {
  Rng rng(1, 1);
  for (const std::uint32_t nodes : {2u, 5u, 16u})
    for (const std::string& name : pattern_names()) {
      CAPTURE(name, nodes);
      const auto pattern = find_pattern(name, nodes);
      for (std::uint32_t n = 0; n < nodes; ++n) {
        const std::uint32_t to = pattern->destination(n, rng);
        CHECK(to < nodes);
        if (name == "uniform") CHECK(to != n);
        if (name == "opposite") CHECK(to == (n + nodes / 2) % nodes);
        if (name == "reverse") CHECK(to == nodes - 1 - n);
      }
    }
}

}  // namespace
}  // namespace muster::run
