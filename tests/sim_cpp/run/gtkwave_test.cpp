// SPDX-License-Identifier: Apache-2.0
#include "muster/run/gtkwave.hpp"

#include <fmt/format.h>

#include "muster/run/result.hpp"
#include "support/test.hpp"

namespace muster::run {
namespace {

RunResult with_barriers(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& barriers) {
  RunResult result;
  for (const auto& [released_at, latency] : barriers)
    result.barriers.push_back({.latency_cycles = latency, .released_at = released_at});
  return result;
}

/// Nanoseconds that a window shows at the zoom of a page.
double shown(const std::string& page) {
  const auto line = page.find("\n*") + 2;
  const double zoom = std::stod(page.substr(line, page.find(' ', line) - line));
  return 1300.0 / 200 * std::floor(std::exp2(-zoom));
}

TEST_CASE("rows stand in the page in their order and sections, with the flags of their kind",
          "[run][gtkwave]") {
  GtkwaveRows rows("words.txt");
  rows.section("switch 3", true);
  rows.hex("payload", "top.sw3.tx[15:0]");
  rows.binary("valid", "top.sw3.valid");
  rows.section("links");
  rows.bits("port 1", vector_bits("top.sw3.v[7:0]", 6, 7));
  rows.translated("type", vector_bits("top.sw3.t[1:0]", 0, 1));
  CHECK(rows.signals() == 4);  // a title is none
  const std::string page = rows.page("title", "a.gtkw", "a.fst", {});
  CHECK_THAT(page, Catch::Matchers::EndsWith(
                       "[sst_expanded] 0\n"
                       "@800200\n-switch 3\n"
                       "@22\n+{payload} top.sw3.tx[15:0]\n"
                       "@28\n+{valid} top.sw3.valid\n"
                       "@1000200\n-switch 3\n"
                       "@c00200\n-links\n"
                       "@22\n#{port 1} (6)top.sw3.v[7:0] (7)top.sw3.v[7:0]\n"
                       "@2022\n^1 beside/words.txt\n#{type} (0)top.sw3.t[1:0] (1)top.sw3.t[1:0]\n"
                       "@1401200\n-links\n"));
  CHECK(rows.page("title", "a.gtkw", "a.fst", {}) == page);
}

TEST_CASE("a view opens on the first barrier to end, with a marker at each release",
          "[run][gtkwave]") {
  const RunResult result = with_barriers({{300, 20}, {83, 12}, {183, 11}});
  const std::string page =
      GtkwaveRows("w").page("t", "a.gtkw", "a.fst", gtkwave_opening(result, {}));
  CHECK_THAT(page, Contains("[*] Muster: t; 10 ns a cycle\n[dumpfile] \"beside/a.fst\"\n"
                            "[savefile] \"beside/a.gtkw\"\n"
                            "[timestart] 710\n"));
  CHECK_THAT(page, Contains(" 715 835 1835 3005 -1 -1"));  // last arrival, A, B, C
  CHECK(shown(page) >= 10 * 12 + 5);                       // from cycle 71 to the edge of 83
}

TEST_CASE("a view opens at the cycle that was asked for, or where a block failed, in front of it",
          "[run][gtkwave]") {
  const GtkwaveRows rows("w");
  CHECK(rows.signals() == 0);
  CHECK_THAT(rows.page("t", "a", "b", {}), Contains("[timestart] 0\n") && Contains(" -1 -1"));
  RunResult result = with_barriers({{83, 12}});
  const auto page = [&](std::uint64_t at) {
    return rows.page("t", "a", "b", gtkwave_opening(result, at));
  };
  CHECK_THAT(page(4), Contains("[timestart] 0\n") && Contains(" 45 835 -1"));
  CHECK_THAT(page(5), Contains("[timestart] 0\n"));
  CHECK_THAT(page(104), Contains("[timestart] 990\n") && Contains(" 1045 835 -1"));
  result.failed = RunResult::FailedBlock{"sw0", 50};
  CHECK_THAT(page(104), Contains("[timestart] 450\n") && Contains(" 505 835 -1"));
}

TEST_CASE("data on a link have a word, and none while the link is idle", "[run][gtkwave]") {
  LinkWords words(16);
  words.add({.lo = 0x1234, .kind = core::Flit::kSync}, "reduction");
  words.add_data(
      {{.lo = 0x5678, .kind = core::Flit::kHead}, {.lo = 0x1234, .kind = core::Flit::kSync}});
  CHECK(words.text() == "c1234 reduction\n41234 .\na5678 data\n25678 .\n");
}

}  // namespace
}  // namespace muster::run
