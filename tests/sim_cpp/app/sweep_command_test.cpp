// SPDX-License-Identifier: Apache-2.0
// docs/how-to/sweep.md
#include <sys/stat.h>

#include <algorithm>

#include "sim_cpp/app/plan_folder.hpp"
#include "support/valid_json.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using nlohmann::json;

namespace {

/// 0 if there is no such file.
ino_t inode(const std::string& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

}  // namespace

TEST_CASE("a sweep writes a header and a row for each run", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("load": [0, 0.2], "seed": {"count": 2, "from": 5})"));
  const Outcome got = folder.sweep("--csv " + folder.file("r.csv"));
  CHECK(got.status == 0);
  CHECK(got.out == folder.file("r.jsonl") + ": 4 rows\n");
  CHECK(got.err.empty());
  const auto lines = lines_of(folder.read("r.jsonl"));
  REQUIRE(lines.size() == 5);
  const json header = valid_json(lines[0]);
  CHECK(header["rows"] == 4);
  CHECK(header["plan"]["options"]["load"] == json({0, 0.2}));
  CHECK(header["networks"].contains(kFigure1));
  CHECK(header["shard"].is_null());
  const json row = valid_json(lines[4]);
  CHECK(row["row"] == 3);
  CHECK(row["seed"] == 6);
  CHECK(row["parameters"]["load"] == 0.2);
  // The row has what the run by itself has.
  const auto alone = json::parse(
      muster_command(run("--group paper --barriers 2 --load 0.2 --seed 6 --json -")).out);
  CHECK(row["result"]["digest"] == alone["digest"]);
  CHECK(row["result"]["latency_us"] == alone["latency_us"]);
  CHECK(lines_of(folder.read("r.csv")).size() == 5);
}

TEST_CASE("a sweep lists its commands and runs none", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("absent": [null, "4:2@1"], "no-skip": true)"));
  const Outcome got = folder.sweep("--list");
  CHECK(got.out == "0 muster run " + kFigure1 + " --group=paper --barriers=2 --no-skip" +
                       " --threads=1\n1 muster run " + kFigure1 +
                       " --group=paper --barriers=2 --absent=4:2@1 --no-skip --threads=1\n");
  CHECK(folder.files() == 1);
}

TEST_CASE("runs that fail are rows, and the sweep goes on", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("absent": [null, "4:2@1", "99:9@1"], "max-wait": 2000)"));
  const Outcome got = folder.sweep();
  CHECK(got.status == 1);
  CHECK(got.out == folder.file("r.jsonl") + ": 3 rows, 2 failed\n");
  const auto rows = rows_of(folder.read("r.jsonl"));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["status"] == 0);
  CHECK(rows[0]["error"].is_null());
  CHECK(rows[1]["status"] == 1);
  CHECK_THAT(rows[1]["error"].get<std::string>(), Contains("makes no progress at barrier 1"));
  CHECK(rows[1]["result"]["end"] == "hang");
  CHECK(rows[2]["status"] == 2);
  CHECK_THAT(rows[2]["error"].get<std::string>(), Contains("--absent '99:9@1'"));
  CHECK(rows[2]["result"].empty());
  valid_json(lines_of(folder.read("r.jsonl"))[3]);
  // Nothing is left to do, and the status is that of the rows.
  CHECK(folder.sweep().status == 1);
}

TEST_CASE("runs whose groups stopped are failed rows, which a plot leaves out", "[app][sweep]") {
  const PlanFolder folder(R"("network": ")" + kFigure1 + R"(", "options": {"group": "paper",
      "link-retry": true, "barriers": 20, "max-wait": 2000, "kill-switch": [null, "sw3@200"],
      "seed": {"count": 2}})");
  CHECK(folder.sweep().status == 1);
  const auto rows = rows_of(folder.read("r.jsonl"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[1]["status"] == 0);
  CHECK(rows[2]["status"] == 1);
  CHECK(rows[2]["result"]["end"] == "groups stopped");
  const std::string reason = rows[2]["error"];
  CHECK_THAT(reason, Contains("group 'paper' stopped after") && Contains("--retry"));
  const Outcome plot = muster_command("plot " + folder.file("r.jsonl") +
                                      " --x seed --y latency_us.mean --out " + folder.file("p"));
  CHECK(plot.status == 0);
  CHECK_THAT(plot.out, Contains("of 2 rows; 2 failed rows are left out: row 2, " + reason));
}

TEST_CASE("a sweep goes on after a line that was cut", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("load": {"from": 0, "to": 0.3, "step": 0.1})"));
  REQUIRE(folder.sweep().status == 0);
  const std::string whole = folder.read("r.jsonl");
  folder.write("r.jsonl", whole.substr(0, whole.size() - 40));
  CHECK(folder.sweep().status == 0);
  const auto before = lines_of(whole), after = lines_of(folder.read("r.jsonl"));
  REQUIRE(after.size() == 5);
  // What was whole was not run again: even its time is the same.
  for (std::size_t line = 0; line < 4; ++line) CHECK(after[line] == before[line]);
  json was = json::parse(before[4]), is = json::parse(after[4]);
  for (json* row : {&was, &is}) row->erase("seconds");
  CHECK(was == is);
}

TEST_CASE("a plan may grow, and rows keep their results", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("load": [0.1, 0.2])"));
  REQUIRE(folder.sweep().status == 0);
  const auto before = rows_of(folder.read("r.jsonl"));
  folder.write("plan.json", R"({"schema": "muster-sweep-plan-1", )" +
                                of_figure1(R"("load": [0, 0.1, 0.2])") + "}");
  CHECK(folder.sweep().status == 0);
  const auto after = rows_of(folder.read("r.jsonl"));
  REQUIRE(after.size() == 3);
  CHECK(after[2]["row"] == 2);
  CHECK(after[2]["seconds"] == before[1]["seconds"]);
  folder.write("plan.json",
               R"({"schema": "muster-sweep-plan-1", )" + of_figure1(R"("load": [0])") + "}");
  refuses(folder.words(), "2 of its rows are not in this plan; name another file with --out");
}

TEST_CASE("rows of arrivals that were recorded anew are not taken for those of before",
          "[app][sweep]") {
  const PlanFolder folder(R"("network": ")" + kFigure1 +
                          R"(", "options": {"group": "random:2", "barriers": 1,
                          "arrivals": "a.json"})");
  const auto record = [&](const std::string& ns) {
    folder.write("a.json", R"({"schema": "muster-arrivals-1", "ranks": 2, "calls": [
        {"call": "MPI_Barrier", "work_ns": [0, )" +
                               ns + "]}]}");
  };
  record("1000");
  REQUIRE(folder.sweep().status == 0);
  const json header = valid_json(lines_of(folder.read("r.jsonl"))[0]);
  CHECK(header["files"].contains("a.json"));
  CHECK(header["models"].empty());
  const json row = rows_of(folder.read("r.jsonl"))[0];
  record("90000");
  refuses(folder.words(),
          "r.jsonl: 1 of its rows are of another file 'a.json' than there is now; "
          "name another file with --out");
  std::filesystem::remove(folder.file("r.jsonl"));
  REQUIRE(folder.sweep().status == 0);
  const json other = rows_of(folder.read("r.jsonl"))[0];
  CHECK(other["id"] != row["id"]);
  CHECK(other["result"]["cycles"] > row["result"]["cycles"]);
}

TEST_CASE("rows of two builds are mixed with --mixed only", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("load": [0, 0.1])"));
  REQUIRE(folder.sweep("--shard 1/2").status == 0);
  REQUIRE(folder.sweep("--shard 2/2").status == 0);
  // Another build made the first shard.
  const std::string first = folder.file("r-1-of-2.jsonl"), second = folder.file("r-2-of-2.jsonl");
  const auto lines = lines_of(folder.read("r-1-of-2.jsonl"));
  json header = json::parse(lines[0]);
  const std::string own = header["machines"][0]["commit"];
  header["machines"][0]["commit"] = "0123456789ab-dirty";
  folder.write("r-1-of-2.jsonl", header.dump() + "\n" + lines[1] + "\n");
  const std::string shown = own.empty() ? "no known commit" : "commit " + own;
  refuses(folder.words("--shard 1/2"),
          "r-1-of-2.jsonl: has rows of commit 0123456789ab-dirty, "
          "this program is of " +
              shown + "; name another file");
  CHECK(folder.sweep("--shard 1/2 --mixed").status == 0);
  const std::string merge =
      "sweep --merge " + first + " " + second + " --out " + folder.file("all.jsonl");
  refuses(merge, "r-2-of-2.jsonl: has rows of " + shown + ", " + first +
                     " has rows of commit 0123456789ab-dirty; run them with one build, or allow "
                     "both with --mixed");
  CHECK_FALSE(folder.has("all.jsonl"));
  REQUIRE(muster_command(merge + " --mixed").status == 0);
  const auto plot = [&](const std::string& options) {
    return muster_command("plot " + folder.file("all.jsonl") +
                          " --x load --y latency_us.mean --out " + folder.file("p") + options);
  };
  const Outcome both = plot("");
  CHECK(both.status == 0);
  CHECK(both.err == "muster: warning: " + folder.file("all.jsonl") +
                        ": these rows are of commit 0123456789ab-dirty and " + shown +
                        "; their results may differ with the program\n");
  CHECK(plot(" --where load=0").err.empty());
}

TEST_CASE("failed rows are run again with --again", "[app][sweep]") {
  const PlanFolder folder(of_figure1(""));
  REQUIRE(folder.sweep().status == 0);
  const auto lines = lines_of(folder.read("r.jsonl"));
  json row = json::parse(lines[1]);
  row["status"] = 137;
  row["error"] = "ended by signal 9, Killed";
  folder.write("r.jsonl", lines[0] + "\n" + row.dump() + "\n");
  CHECK(folder.sweep().status == 1);
  CHECK(folder.sweep("--again").status == 0);
  CHECK(rows_of(folder.read("r.jsonl"))[0]["status"] == 0);
}

TEST_CASE("networks are generated once, and lie beside the rows", "[app][sweep]") {
  const PlanFolder folder(
      R"("network": {"generate": "mesh", "options": {"width": [2, 3], "height": 2}},
         "options": {"barriers": 2, "load": [0, 0.1]})");
  CHECK(folder.sweep("--jobs 2").status == 0);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.file("r-networks")), {}) == 2);
  const auto rows = rows_of(folder.read("r.jsonl"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[3]["parameters"]["network"].dump() == R"({"generate":"mesh","height":2,"width":3})");
  CHECK(rows[3]["result"]["parameters"]["nodes"] == 6);
}

TEST_CASE("a network that cannot be made is a row with the reason", "[app][sweep]") {
  const PlanFolder folder(
      R"("network": {"generate": "irregular", "options": {"switches": 9, "nodes": [27, 400]}},
         "options": {"barriers": 2})");
  CHECK(folder.sweep().status == 1);
  const auto rows = rows_of(folder.read("r.jsonl"));
  CHECK(rows[0]["status"] == 0);
  CHECK(rows[1]["status"] == 2);
  const std::string error = rows[1]["error"];
  CHECK_THAT(error, Contains("400") && !Contains(folder.file("")));
}

TEST_CASE("other commands are swept", "[app][sweep]") {
  const PlanFolder esc(R"("command": "esc", "options": {"pes": [16, 64], "sessions": 2,
                          "mean": 200, "rate": 0.1}, "keep": ["violations"])");
  CHECK(esc.sweep().status == 0);
  CHECK(rows_of(esc.read("r.jsonl"))[1]["result"].dump() == R"({"violations":0})");
  const PlanFolder info(R"("command": "topo info", "network": [")" + kFigure1 +
                        R"(", {"generate": "mesh", "options": {"width": 3}}])");
  CHECK(info.sweep().status == 0);
  CHECK(rows_of(info.read("r.jsonl"))[1]["result"]["switches"] == 24);
  const PlanFolder gen(R"("command": "topo gen mesh", "options": {"width": [2, 3]})");
  CHECK(gen.sweep().status == 0);
  CHECK(rows_of(gen.read("r.jsonl"))[0]["result"]["switches"] == 16);
}

TEST_CASE("a task of a Slurm array runs its shard", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("seed": {"count": 5})"));
  Running task(folder.words("--csv " + folder.file("r.csv")),
               "export SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=2");
  const Outcome got = task.wait();
  CHECK(got.status == 0);
  CHECK_THAT(got.out, EndsWith("r-2-of-2.jsonl: 2 rows (shard 2 of 2)\n"));
  CHECK(rows_of(folder.read("r-2-of-2.jsonl"))[1]["row"] == 3);
  CHECK(folder.has("r-2-of-2.csv"));
  // Merged without the other shard, rows are missing.
  const Outcome merged = muster_command("sweep --merge " + folder.file("r-2-of-2.jsonl") +
                                        " --out " + folder.file("all.jsonl"));
  CHECK(merged.status == 1);
  CHECK_THAT(merged.out, EndsWith("all.jsonl: 2 rows, 3 missing\n"));
  // The merged file is one that a sweep goes on with.
  CHECK(muster_command("sweep " + folder.file("plan.json") + " --out " + folder.file("all.jsonl"))
            .status == 0);
  CHECK(rows_of(folder.read("all.jsonl")).size() == 5);
}

TEST_CASE("a sweep that is interrupted keeps its rows and goes on", "[app][sweep][interruption]") {
  // One row ends at once, the other one never.
  const PlanFolder folder(of_figure1(R"("spread": [100, 1000000000])"));
  for (const auto& [signal, status] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    const ino_t before = inode(folder.file("r.jsonl"));
    Running running(folder.words("--jobs 2 --csv " + folder.file("r.csv")));
    // The sweep has locked the file that it puts in place of the one before.
    const auto has_a_row = [&] {
      return inode(folder.file("r.jsonl")) != before &&
             lines_of(folder.read("r.jsonl")).size() == 2;
    };
    for (int tenths = 0; tenths < 600 && !has_a_row(); ++tenths) Running::pause(100);
    REQUIRE(has_a_row());
    refuses(folder.words(), "another sweep writes it");
    running.send(signal);
    const Outcome got = running.wait();
    CHECK(got.status == status);
    CHECK(got.err == std::string("muster: interrupted by ") +
                         (signal == SIGINT ? "SIGINT" : "SIGTERM") + ": 1 of 2 rows are in " +
                         folder.file("r.jsonl") + "; repeat the command to continue\n");
    CHECK(rows_of(folder.read("r.jsonl")).size() == 1);
    CHECK(lines_of(folder.read("r.csv")).size() == 2);
    CHECK(folder.files() == 3);
  }
}

TEST_CASE("rows that a full disk does not take are one line", "[app][sweep][disk-full]") {
  const PlanFolder folder(of_figure1(R"("seed": {"count": 8})"));
  Running running(folder.words("--jobs 1"), "ulimit -f 8");
  const Outcome got = running.wait();
  CHECK(got.status == 2);
  CHECK_THAT(got.err, Contains("r.jsonl: cannot be written: File too large"));
  CHECK(std::count(got.err.begin(), got.err.end(), '\n') == 1);
  // What is there is whole, and enough room later is enough.
  const auto rows = rows_of(folder.read("r.jsonl"));
  CHECK(rows.size() > 0);
  CHECK(rows.size() < 8);
  CHECK(folder.sweep().status == 0);
  CHECK(rows_of(folder.read("r.jsonl")).size() == 8);
}

TEST_CASE("the plan of the page on studies is one", "[app][sweep]") {
  const Outcome got = muster_command("sweep " MUSTER_SOURCE_DIR "/docs/how-to/sweep.json --list");
  CHECK(got.status == 0);
  CHECK(lines_of(got.out).size() == 90);
  // The page shows the file as it is.
  const auto read = [](const std::string& path) {
    std::ifstream in(path);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  CHECK_THAT(read(MUSTER_SOURCE_DIR "/docs/how-to/sweep.md"),
             Contains("```json\n" + read(MUSTER_SOURCE_DIR "/docs/how-to/sweep.json") + "```\n"));
}
