// SPDX-License-Identifier: Apache-2.0
#include "muster/run/gtkwave.hpp"

#include <catch2/catch.hpp>

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

TEST_CASE("rows stand in the page in their order, with the flags of their kind", "[run][gtkwave]") {
  GtkwaveRows rows("words.txt");
  rows.comment("switch 3");
  rows.hex("payload", "top.sw3.tx[15:0]");
  rows.binary("valid", "top.sw3.valid");
  rows.bits("port 1", vector_bits("top.sw3.v[7:0]", 6, 7));
  rows.translated("type", vector_bits("top.sw3.t[1:0]", 0, 1));
  CHECK(rows.signals() == 4);  // a comment is none
  CHECK_THAT(rows.page("title", "a.fst", {}),
             EndsWith("[signals_width] 420\n"
                      "@200\n-switch 3\n"
                      "@22\n+{payload} top.sw3.tx[15:0]\n"
                      "@28\n+{valid} top.sw3.valid\n"
                      "@22\n#{port 1} (6)top.sw3.v[7:0] (7)top.sw3.v[7:0]\n"
                      "@2022\n^1 words.txt\n#{type} (0)top.sw3.t[1:0] (1)top.sw3.t[1:0]\n"));
}

TEST_CASE("a page opens at its marker, at most 200 ns before it", "[run][gtkwave]") {
  const GtkwaveRows rows("w");
  CHECK(rows.signals() == 0);
  CHECK_THAT(rows.page("t", "x/a.fst", {}),
             Contains("[*] Muster: t; 10 ns a cycle\n[dumpfile] \"x/a.fst\"\n[timestart] 0\n") &&
                 Contains("\n*-7.5 0 -1"));
  CHECK_THAT(rows.page("t", "a", 45), Contains("[timestart] 0\n") && Contains("\n*-7.5 45 -1"));
  CHECK_THAT(rows.page("t", "a", 200), Contains("[timestart] 0\n"));
  CHECK_THAT(rows.page("t", "a", 1045),
             Contains("[timestart] 845\n") && Contains("\n*-7.5 1045 -1"));
}

TEST_CASE("bits of a vector are counted from its left", "[run][gtkwave]") {
  CHECK(vector_bits("x[3:0]", 2, 2) == " (2)x[3:0]");
  CHECK(vector_bits("x[3:0]", 0, 2) == " (0)x[3:0] (1)x[3:0] (2)x[3:0]");
  CHECK(vector_bits("x[3:0]", 3, 2).empty());
}

}  // namespace
}  // namespace muster::run
