// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/rows_file.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::app::sweep;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

/// A plan of `loads` rows in a folder of its own.
struct SmallStudy {
  explicit SmallStudy(int loads)
      : plan(parse_plan(R"({"schema": "muster-sweep-plan-1", "options": {"load": {"count": )" +
                            std::to_string(loads) + "}}}",
                        "p.json")),
        runs(plan, {}, "1") {}

  Json header(const char* cpu = "a") const {
    return {{"schema", "muster-sweep-1"},
            {"version", "1"},
            {"plan", plan.document},
            {"networks", Json::object()},
            {"files", Json::object()},
            {"models", Json::object()},
            {"rows", runs.size()},
            {"shard", nullptr},
            {"machines", Json::array({{{"cpu", cpu}}})}};
  }
  Json row(std::uint64_t number, std::size_t machine = 0, int status = 0) const {
    return {{"schema", "muster-sweep-row-1"},
            {"row", number},
            {"id", runs.at(number).id},
            {"parameters", runs.at(number).parameters},
            {"status", status},
            {"result", Json::object()},
            {"machine", machine}};
  }

  Plan plan;
  Runs runs;
};

std::vector<std::uint64_t> numbers(const std::string& file) {
  std::vector<std::uint64_t> all;
  for (const Json& row : read_rows(file).rows) all.push_back(row["row"]);
  return all;
}

using Numbers = std::vector<std::uint64_t>;

constexpr Reuse kAgain{.failed = false, .mixed = false};

}  // namespace

TEST_CASE("rows are in the file when they are added, and sorted on request", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(3);
  RowsFile file(path, study.header(), study.runs, {});
  CHECK(numbers(path).empty());
  for (const std::uint64_t row : {2, 0, 1}) {
    file.append(study.row(row));
    CHECK(numbers(path).back() == row);
  }
  file.sort();
  CHECK(numbers(path) == Numbers{0, 1, 2});
  CHECK(folder.files() == 1);
}

TEST_CASE("a sweep goes on where it was, without a line that was cut", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(3);
  const std::string whole = line_of(study.header()) + line_of(study.row(1));
  const std::string next = line_of(study.row(2));
  for (const std::size_t left : {std::size_t{1}, next.size() / 2, next.size() - 1}) {
    CAPTURE(left);
    folder.write("r.jsonl", whole + next.substr(0, left));
    CHECK(read_rows(path).cut);
    RowsFile file(path, study.header(), study.runs, {});
    CHECK(file.has(1));
    CHECK_FALSE(file.has(2));
    CHECK(file.found() == 1);
    CHECK(folder.read("r.jsonl") == whole);
    file.append(study.row(0));
    CHECK(numbers(path) == Numbers{1, 0});
  }
}

TEST_CASE("blocks of zeros at the end, as a crash of the machine leaves them, are dropped",
          "[sweep][rows]") {
  const test::Folder folder;
  const SmallStudy study(2);
  const std::string whole = line_of(study.header()) + line_of(study.row(0));
  folder.write("r.jsonl", whole + std::string(4096, '\0'));
  const RowsFile file(folder.file("r.jsonl"), study.header(), study.runs, {});
  CHECK(folder.read("r.jsonl") == whole);
}

TEST_CASE("rows of a smaller plan are kept when it grows", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy small(2), large(4);
  { RowsFile(path, small.header(), small.runs, {}).append(small.row(1)); }
  const RowsFile file(path, large.header(), large.runs, {});
  CHECK(file.has(1));
  CHECK(read_rows(path).header["rows"] == 4);
}

TEST_CASE("rows that are not in the plan are not lost", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy small(1), large(4);
  { RowsFile(path, large.header(), large.runs, {}).append(large.row(3)); }
  const std::string before = folder.read("r.jsonl");
  CHECK_THAT(test::refusal([&] { RowsFile(path, small.header(), small.runs, {}); }),
             EndsWith("r.jsonl: 1 of its rows are not in this plan; name another file with --out"));
  CHECK(folder.read("r.jsonl") == before);
}

TEST_CASE("rows of a file that has changed are told so", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  for (const auto& [field, what] :
       {std::pair("networks", "network 'x'"), std::pair("files", "file 'x'"),
        std::pair("models", "model of configuration 'x'")}) {
    Json before = study.header(), now = study.header(), stranger = study.row(0);
    before[field]["x"] = "1";
    now[field]["x"] = "2";
    stranger["id"] = "0123456789abcdef";
    const std::string text = line_of(before) + line_of(stranger) + line_of(study.row(1));
    folder.write("r.jsonl", text);
    CHECK_THAT(test::refusal([&] { RowsFile(path, now, study.runs, {}); }),
               EndsWith(std::string("r.jsonl: 1 of its rows are of another ") + what +
                        " than there is now; name another file with --out"));
    CHECK(folder.read("r.jsonl") == text);
  }
}

TEST_CASE("failed rows are run again on request", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  {
    RowsFile file(path, study.header(), study.runs, {});
    file.append(study.row(0, 0, 2));
    file.append(study.row(1));
  }
  CHECK(RowsFile(path, study.header(), study.runs, {}).found() == 2);
  const RowsFile again(path, study.header(), study.runs, kAgain);
  CHECK_FALSE(again.has(0));
  CHECK(again.has(1));
  // So are those of what a plan has no more, such as of a model that was not built.
  Json stranger = study.row(0, 0, 2);
  stranger["id"] = "0123456789abcdef";
  folder.write("s.jsonl", line_of(study.header()) + line_of(stranger) + line_of(study.row(1)));
  CHECK(RowsFile(folder.file("s.jsonl"), study.header(), study.runs, kAgain).found() == 1);
}

TEST_CASE("the header has each machine once", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  CHECK(RowsFile(path, study.header("a"), study.runs, {}).machine() == 0);
  CHECK(RowsFile(path, study.header("b"), study.runs, {}).machine() == 1);
  CHECK(RowsFile(path, study.header("a"), study.runs, {}).machine() == 0);
  CHECK(read_rows(path).header["machines"].dump() == R"([{"cpu":"a"},{"cpu":"b"}])");
}

TEST_CASE("rows of another commit are not gone on with, unless they may be mixed",
          "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(3);
  const auto of = [&](const char* commit) {
    Json header = study.header();
    header["machines"][0]["commit"] = commit;
    return header;
  };
  {
    RowsFile file(path, of("one-dirty"), study.runs, {});
    file.append(study.row(0));
    file.append(study.row(1, 0, 2));
  }
  const std::string before = folder.read("r.jsonl");
  const auto refused = [&](const char* commit, Reuse reuse = {}) {
    return test::refusal([&] { RowsFile(path, of(commit), study.runs, reuse); });
  };
  CHECK_THAT(refused("two"),
             EndsWith("r.jsonl: has rows of commit one-dirty, this program is of commit two; name "
                      "another file with --out, or allow both with --mixed"));
  CHECK_THAT(refused("two", kAgain), Contains("has rows of commit one-dirty"));
  CHECK_THAT(refused(""), Contains("this program is of no known commit"));
  CHECK(folder.read("r.jsonl") == before);
  CHECK(RowsFile(path, of("one-dirty"), study.runs, {}).found() == 2);
  {
    RowsFile file(path, of("two"), study.runs, {.failed = false, .mixed = true});
    CHECK(file.found() == 1);
    file.append(study.row(1, file.machine()));
  }
  // Now there are rows of both, so neither goes on by itself.
  CHECK_THAT(refused("one-dirty"), Contains("has rows of commit two, this program is of"));
  CHECK_THAT(refused("two"), Contains("has rows of commit one-dirty, this program is of"));
}

TEST_CASE("rows that keep other fields are not gone on with", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  const auto keeping = [&](const Json& fields) {
    Json header = study.header();
    if (!fields.is_null()) header["plan"]["keep"] = fields;
    return header;
  };
  const Json all, one{"cycles"}, other{"digest"};
  { RowsFile(path, keeping(one), study.runs, {}); }
  // Without rows nothing is lost.
  { RowsFile(path, keeping(other), study.runs, {}).append(study.row(0)); }
  const std::string before = folder.read("r.jsonl");
  for (const Json& fields : {one, all})
    CHECK_THAT(test::refusal([&] { RowsFile(path, keeping(fields), study.runs, {}); }),
               EndsWith("r.jsonl: its rows were made with another \"keep\"; name another file with "
                        "--out"));
  CHECK(folder.read("r.jsonl") == before);
  CHECK(RowsFile(path, keeping(other), study.runs, {}).found() == 1);
}

TEST_CASE("a commit without rows that are kept is no matter", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  Json one = study.header(), two = study.header();
  one["machines"][0]["commit"] = "one";
  two["machines"][0]["commit"] = "two";
  { RowsFile(path, one, study.runs, {}).append(study.row(0, 0, 2)); }
  CHECK(RowsFile(path, two, study.runs, kAgain).found() == 0);
  CHECK(RowsFile(path, two, study.runs, {}).machine() == 1);
}

TEST_CASE("a file of another version or shard is refused", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  { RowsFile(path, study.header(), study.runs, {}); }
  Json other = study.header();
  other["version"] = "2";
  CHECK_THAT(test::refusal([&] { RowsFile(path, other, study.runs, {}); }),
             Contains("is of version 1, this is"));
  other = study.header();
  other["shard"] = {{"number", 1}, {"of", 2}};
  CHECK_THAT(test::refusal([&] { RowsFile(path, other, study.runs, {}); }),
             Contains("is of another shard, null"));
}

TEST_CASE("two sweeps do not write one file", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  RowsFile first(path, study.header(), study.runs, {});
  const auto second = [&] { RowsFile(path, study.header(), study.runs, {}); };
  CHECK_THAT(test::refusal(second), Contains("another sweep writes it"));
  first.append(study.row(0));
  first.sort();
  CHECK_THAT(test::refusal(second), Contains("another sweep writes it"));
  CHECK(numbers(path) == Numbers{0});
}

TEST_CASE("files that are not of sweep are refused with the line", "[sweep][rows]") {
  const test::Folder folder;
  const std::string path = folder.file("r.jsonl");
  const SmallStudy study(2);
  const std::string header = line_of(study.header()), row = line_of(study.row(0));
  const auto reason = [&](const std::string& text) {
    folder.write("r.jsonl", text);
    return test::refusal([&] { read_rows(path); });
  };
  CHECK_THAT(reason("{}\n"),
             EndsWith("line 1: is not a header of muster sweep; is it the right file?"));
  CHECK_THAT(reason(header.substr(0, header.size() - 1)), Contains("line 1: is not a header"));
  CHECK_THAT(reason(row + header), Contains("line 1: is not a header"));
  for (const char* field : {"plan", "networks", "files", "models", "machines"}) {
    Json bad = study.header();
    bad[field] = "x";
    CHECK_THAT(reason(line_of(bad) + row), Contains("line 1: is not a header"));
  }
  for (const Json& machine : {Json("x"), Json{{"commit", 1}}}) {
    Json bad = study.header();
    bad["machines"].push_back(machine);
    CHECK_THAT(reason(line_of(bad) + row), Contains("line 1: is not a header"));
  }
  CHECK_THAT(reason(header + "{\"half\n" + row), Contains("line 2: is not a row of muster sweep"));
  CHECK_THAT(reason(header + row + header + row), Contains("line 3: is not a row"));
  CHECK_THAT(reason(""), Contains("the file is empty"));
}

TEST_CASE("an empty file is begun, what is no file is refused", "[sweep][rows]") {
  const test::Folder folder;
  const SmallStudy study(2);
  folder.write("r.jsonl", "");
  const RowsFile file(folder.file("r.jsonl"), study.header(), study.runs, {});
  CHECK(folder.read("r.jsonl") == line_of(study.header()));
  CHECK_THAT(test::refusal([&] { RowsFile("/dev/null", study.header(), study.runs, {}); }),
             Contains("--out '/dev/null': is not a regular file"));
  CHECK_THAT(
      test::refusal([&] { RowsFile(folder.file("no/r.jsonl"), study.header(), study.runs, {}); }),
      Contains("no/r.jsonl: cannot be written: No such file"));
}
