// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "Vboard_top_fast.h"
#include "rtl/board/serial_line.hpp"

namespace {

TEST_CASE("the board's serial line has a barrier in each line, by the hops if no packets are there",
          "[board]") {
  constexpr unsigned kLines = 250;  // fewer than the numbers of lines
  VerilatedContext context;
  context.randReset(2);
  Vboard_top_fast model(&context, "board");
  const auto line = muster::test::listen(model, 4, kLines, 2000 * kLines);
  REQUIRE(line.framed());

  std::istringstream text(line.text());
  unsigned number = 0, near = 0, far = 0, longer = 0;
  for (std::string one; std::getline(text, one); ++number) {
    CAPTURE(one);
    REQUIRE(one.size() == 8);
    CHECK(one[2] == ' ');
    CHECK(one[7] == '\r');
    CHECK(std::stoul(one.substr(0, 2), nullptr, 16) == number);
    const auto cycles = std::stoul(one.substr(3, 4), nullptr, 16);
    if (number % 2 == 0) {
      // 5 and 7 by the hops from the last member to the farthest, as node 2 is at the root; the
      // other group may have an output first, once on each of three hops.
      CHECK(cycles >= 5);
      CHECK(cycles <= 10);
      near += cycles == 5;
      far += cycles == 7;
    } else {
      // Data: two flits at each of three outputs at most.
      CHECK(cycles >= 5);
      CHECK(cycles <= 16);
      longer += cycles > 7;
    }
  }
  CHECK(number == kLines);
  CHECK(near > 0);
  CHECK(far > 0);
  CHECK(near + far > kLines / 4);  // of kLines / 2
  CHECK(longer > 0);
}

}  // namespace
