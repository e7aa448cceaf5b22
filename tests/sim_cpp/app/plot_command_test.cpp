// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// Rows of two schemes, two loads, two seeds; those of a third scheme, which has no center, fail.
struct Rows : Folder {
  Rows() {
    write("plan.json", R"({"schema": "muster-sweep-plan-1", "note": "Two schemes",
        "network": ")" + kFigure1 +
                           R"(", "options": {"group": "paper", "barriers": 2,
        "scheme": ["star", "bsr-1", "btin"], "center": "lowest", "load": [0, 0.2],
        "seed": {"count": 2}}})");
    REQUIRE(muster_command("sweep " + file("plan.json") + " --out " + file("r.jsonl")).status == 1);
  }
  std::string plot(const std::string& options) const {
    return "plot " + file("r.jsonl") + " --out " + file("p") + " " + options;
  }
};

}  // namespace

TEST_CASE("rows of a sweep are drawn as curves", "[app][plot]") {
  const Rows rows;
  const Outcome got = muster_command(rows.plot("--x load --y latency_us.mean --by scheme"));
  CHECK(got.status == 0);
  CHECK_THAT(got.out, Contains("p.dat: 2 curves of 8 rows; 4 failed rows are left out: row 8, "));
  CHECK_THAT(rows.read("p.svg"), StartsWith("<?xml") && Contains("Two schemes") &&
                                     Contains("latency, mean (us)") && Contains("bsr-1"));
  const std::string dat = rows.read("p.dat");
  CHECK_THAT(dat, Contains("\n# star\n0 ") && Contains("\n\n\n# bsr-1\n0 ") && EndsWith(" 2 0\n"));
  CHECK(rows.files() == 4);
  // What has no logarithm is left out as the message says.
  CHECK_THAT(
      muster_command(rows.plot("--x load --y cycles --by scheme --log-x --where 'load>0'")).out,
      Contains("2 curves of 4 rows; 4 failed rows are left out: row 8, "));
}

TEST_CASE("rows beyond saturation are counted, and runs of many seeds have their interval",
          "[app][plot]") {
  const Folder folder;
  folder.write("plan.json", R"({"schema": "muster-sweep-plan-1", "network": ")" + kFigure1 +
                                R"(", "options": {"barriers": 2, "load": [0.1, 3], "repeat": 2,
                                "min-cycles": 8000}})");
  REQUIRE(muster_command("sweep " + folder.file("plan.json") + " --out " + folder.file("r.jsonl"))
              .status == 0);
  const Outcome got =
      muster_command("plot " + folder.file("r.jsonl") +
                     " --x load --y latency_us.mean.mean --out " + folder.file("p"));
  CHECK(got.status == 0);
  CHECK_THAT(got.out, EndsWith("p.dat: 1 curve of 2 rows, 1 saturated\n"));
  CHECK_THAT(folder.read("p.svg"), Contains(">saturated<"));
  const std::string dat = folder.read("p.dat");
  CHECK_THAT(dat, Contains(" 1 0\n") && EndsWith(" 1 1\n") && !Contains("NaN"));
}

TEST_CASE("what cannot be drawn is one line, and nothing is written", "[app][plot][input]") {
  const Rows rows;
  const auto refuses_plot = [&](const std::string& options, const std::string& reason) {
    refuses(rows.plot(options), reason);
    CHECK(rows.files() == 2);
  };
  refuses_plot("--x load", "--y is required");
  refuses_plot("--x laod --y cycles", "--x 'laod': no row has this field; similar are load");
  refuses_plot("--x load --y latency_us.maen", "similar are latency_us.mean");
  refuses_plot("--x load --y latency_us.mean",
               "rows at x = 0 of curve 'latency_us.mean' differ in 'scheme', star and bsr-1; "
               "add --by scheme, or choose one with --where scheme=star");
  refuses_plot("--x load --y cycles --where scheme=bsr-2", "existing values are bsr-1, star");
  refuses_plot("--x load --y cycles --where scheme=btin", "no row has such a value");
  refuses_plot("--x load --y cycles --by scheme --log-x", "--log-x: x = 0 has no logarithm");
  refuses("plot " + rows.file("plan.json") + " --x a --y b", "line 1: is not a header");
  refuses("plot " + rows.file("no.jsonl") + " --x a --y b", "no.jsonl: cannot be read");
}

TEST_CASE("rows that have all failed are no picture", "[app][plot][input]") {
  const Folder folder;
  folder.write("plan.json", R"({"schema": "muster-sweep-plan-1", "network": ")" + kFigure1 +
                                R"(", "options": {"group": "random:99"}})");
  REQUIRE(muster_command("sweep " + folder.file("plan.json") + " --out " + folder.file("r.jsonl"))
              .status == 1);
  refuses("plot " + folder.file("r.jsonl") + " --x load --y cycles --out " + folder.file("p"),
          "none of its 1 rows has status 0");
}
