// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/merge.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::app::sweep;
using Catch::Matchers::Contains;

namespace {

Json part_header(const char* cpu) {
  return {{"schema", "muster-sweep-1"},
          {"version", "1"},
          {"plan", {{"note", "x"}}},
          {"networks", Json::object()},
          {"files", Json::object()},
          {"models", Json::object()},
          {"rows", 3},
          {"shard", {{"number", 1}, {"of", 2}}},
          {"machines", Json::array({{{"cpu", cpu}}})}};
}

Json part_row(std::uint64_t number, double seconds = 1.0, int cycles = 5) {
  return {{"schema", "muster-sweep-row-1"},
          {"row", number},
          {"id", std::to_string(number)},
          {"parameters", Json::object()},
          {"status", 0},
          {"result", {{"cycles", cycles}}},
          {"machine", 0},
          {"seconds", seconds}};
}

/// Files of rows.
struct Parts {
  void add(const Json& header, const std::vector<Json>& rows) {
    std::string text = line_of(header);
    for (const Json& row : rows) text += line_of(row);
    const std::string name = std::to_string(files.size());
    folder.write(name, text);
    files.push_back(folder.file(name));
  }
  std::string refused() const {
    return test::refusal([&] { merge_rows(files, false); });
  }
  test::Folder folder;
  std::vector<std::string> files;
};

}  // namespace

TEST_CASE("merged rows are sorted and keep their machines", "[sweep][merge]") {
  Parts parts;
  parts.add(part_header("a"), {part_row(2), part_row(0)});
  parts.add(part_header("b"), {part_row(1)});
  parts.add(part_header("a"), {});
  const RowsText merged = merge_rows(parts.files, false);
  CHECK(merged.header["shard"].is_null());
  CHECK(merged.header["machines"].dump() == R"([{"cpu":"a"},{"cpu":"b"}])");
  std::string rows;
  for (const Json& row : merged.rows) rows += row["row"].dump() + "@" + row["machine"].dump() + " ";
  CHECK(rows == "0@0 1@1 2@0 ");
}

TEST_CASE("a row in two files is the same except for its time", "[sweep][merge]") {
  Parts parts;
  parts.add(part_header("a"), {part_row(0, 1.0)});
  parts.add(part_header("b"), {part_row(0, 2.0)});
  const RowsText merged = merge_rows(parts.files, false);
  REQUIRE(merged.rows.size() == 1);
  CHECK(merged.rows[0]["seconds"] == 1.0);
  parts.add(part_header("a"), {part_row(0, 1.0, 6)});
  CHECK_THAT(parts.refused(), Contains("/2: row 0 differs from the same row of another file"));
}

TEST_CASE("rows of another plan or version are not merged", "[sweep][merge]") {
  for (const char* field : {"version", "plan", "networks", "files", "models", "rows"}) {
    Parts parts;
    parts.add(part_header("a"), {part_row(0)});
    Json other = part_header("a");
    other[field] = {{"another", "1"}};
    if (std::string(field) == "version") other[field] = "another";
    if (std::string(field) == "rows") other[field] = 4;
    parts.add(other, {part_row(1)});
    CHECK_THAT(parts.refused(), Contains(std::string("/1: has other '") + field + "' than"));
  }
}

TEST_CASE("rows of several commits are merged if they may be mixed", "[sweep][merge]") {
  const auto of = [](const char* commit) {
    Json header = part_header("a");
    header["machines"][0]["commit"] = commit;
    return header;
  };
  Parts parts;
  parts.add(of("one"), {part_row(0)});
  parts.add(of("two"), {});
  CHECK(merge_rows(parts.files, false).rows.size() == 1);
  parts.add(of("two"), {part_row(2)});
  CHECK(parts.refused() == parts.files[2] + ": has rows of commit two, " + parts.files[0] +
                               " has rows of commit one; run them with one build, or allow both "
                               "with --mixed");
  CHECK(merge_rows(parts.files, true).rows.size() == 2);
  // One file may have both.
  Parts alone;
  Json header = of("one");
  header["machines"].push_back({{"cpu", "b"}, {"commit", ""}});
  Json other = part_row(1);
  other["machine"] = 1;
  alone.add(header, {part_row(0), other});
  CHECK_THAT(alone.refused(), Contains("/0: has rows of no known commit, ") &&
                                  Contains("/0 has rows of commit one;"));
}

TEST_CASE("a row of a machine that is not there is refused", "[sweep][merge]") {
  Parts parts;
  Json row = part_row(1);
  row["machine"] = 1;
  parts.add(part_header("a"), {row});
  CHECK_THAT(parts.refused(), Contains("row 1: its machine is not in the header"));
  Parts none;
  Json header = part_header("a");
  header["machines"] = Json::array();
  none.add(header, {});
  CHECK_THAT(none.refused(), Contains("line 1: has no machine"));
}
