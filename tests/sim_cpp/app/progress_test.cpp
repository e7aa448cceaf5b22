// SPDX-License-Identifier: Apache-2.0
#include "app/progress.hpp"

#include <catch2/catch.hpp>

using muster::app::duration_text;
using muster::app::Progress;

TEST_CASE("durations are two numbers at most", "[app][progress]") {
  CHECK(duration_text(0.2) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(200) == "3 min 20 s");
  CHECK(duration_text(3725) == "1 h 02 min");
}

TEST_CASE("time left is that of rows of this process", "[app][progress]") {
  Progress progress(120, 60, "rows");
  CHECK(progress.line(5) == "[###############...............] 60 of 120 rows");
  for (int i = 0; i < 20; ++i) progress.add(i == 0);
  CHECK(progress.line(10) ==
        "[####################..........] 80 of 120 rows, 1 failed, 20 s left");
  for (int i = 0; i < 40; ++i) progress.add(false);
  CHECK(progress.line(30) == "[##############################] 120 of 120 rows, 1 failed");
}
