// SPDX-License-Identifier: Apache-2.0
// docs/how-to/sweep.md
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "sim_cpp/app/running.hpp"
#include "support/valid_json.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using nlohmann::json;

namespace {

/// A folder with a plan.
struct PlanFolder : Folder {
  explicit PlanFolder(const std::string& fields) {
    write("plan.json", R"({"schema": "muster-sweep-plan-1", )" + fields + "}");
  }
  std::string words(const std::string& options = "") const {
    return "sweep " + file("plan.json") + " --out " + file("r.jsonl") + " " + options;
  }
  Outcome sweep(const std::string& options = "") const { return muster_command(words(options)); }
};

std::string of_figure1(const std::string& options) {
  return R"("network": ")" + kFigure1 + R"(", "options": {"group": "paper", "barriers": 2)" +
         (options.empty() ? "" : ", ") + options + "}";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Rows of a file, sorted.
std::vector<json> rows_of(const std::string& text) {
  std::vector<json> rows;
  for (const std::string& line : lines_of(text)) rows.push_back(json::parse(line));
  REQUIRE_FALSE(rows.empty());
  rows.erase(rows.begin());
  return rows;
}

/// `sweep` ends with status 2 and a line that says `reason`; there are no files but the plan.
void refuses_plan(const std::string& fields, const std::string& reason) {
  CAPTURE(fields);
  const PlanFolder folder(fields);
  refuses(folder.words("--csv " + folder.file("r.csv")), reason);
  CHECK(folder.files() == 1);
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

TEST_CASE("a bad plan is one line, and nothing is written", "[app][sweep][input]") {
  refuses_plan(of_figure1(R"("laod": 0.1)"),
               "plan.json: options.\"laod\": 'run' has no such option; near are load, ");
  refuses_plan(of_figure1(R"("load": [0.1, "x"])"),
               "plan.json: options.\"load\", value \"x\": --load: 'x' is not a number");
  refuses_plan(of_figure1(R"("spread": 1.5)"),
               "options.\"spread\", value 1.5: --spread: '1.5' is not a whole number from 0");
  refuses_plan(of_figure1(R"("center": ["nearest", "middle"])"),
               "options.\"center\", value \"middle\": --center 'middle': there is none");
  refuses_plan(of_figure1(R"("no-skip": 1)"), "options.\"no-skip\": is a flag; give true, false");
  refuses_plan(of_figure1(R"("load": true)"), "options.\"load\": takes a value; give a number");
  for (const std::string name : {"json", "wave"})
    refuses_plan(of_figure1("\"" + name + R"(": "x")"),
                 "options.\"" + name + "\": writes a file, which all rows would share; remove it");
  refuses_plan(of_figure1(R"("help": true)"), "options.\"help\": 'run' has no such option");
  refuses_plan(R"("options": {"load": 1})", "network: is missing; 'run' reads a network");
  refuses_plan(R"("command": "esc", "network": "x.json")", "network: 'esc' reads none; remove it");
  refuses_plan(R"("command": "ruun")",
               "command: there is no command 'ruun' for a sweep; there are topo, run, ");
  for (const std::string name : {"figure", "bench", "sweep", "plot"})
    refuses_plan(R"("command": ")" + name + "\"", "there is no command '" + name + "' for a sweep");
  refuses_plan(R"("command": "topo")", "command: 'topo' is no command; name what comes behind");
}

TEST_CASE("a plan's bad networks are one line", "[app][sweep][input]") {
  refuses_plan(R"("network": "nowhere.json")", "plan.json: network: ");
  refuses_plan(R"("network": ["plan.json"])",
               "plan.json: network: plan.json: schema: \"muster-sweep-plan-1\" is not known");
  refuses_plan(R"("network": {"generate": "mash"})",
               "network.generate: there is no command 'topo gen mash' for a sweep; there are "
               "irregular, mesh,");
  refuses_plan(R"("network": {"generate": "mesh", "options": {"wdith": 3}})",
               "network.options.\"wdith\": 'mesh' has no such option; near are width, ");
  refuses_plan(R"("network": [{"generate": "mesh", "options": {"width": 0}}])",
               "network, value 0: --width: '0' is not a whole number from 1 to");
  refuses_plan(R"("network": {"generate": "mesh", "options": {"out": "x"}})",
               "network.options.\"out\": writes a file");
}

TEST_CASE("bad options of sweep are one line", "[app][sweep][input]") {
  const PlanFolder folder(of_figure1(""));
  refuses("sweep", "a plan is required: muster sweep PLAN");
  refuses("sweep " + folder.file("no.json"), "no.json: cannot be read");
  refuses(folder.words("--shard 3/2"), "--shard '3/2': '3' is not a whole number from 1 to 2");
  refuses(folder.words("--jobs 0"), "--jobs: '0' is not a whole number from 1 to 256");
  refuses("sweep " + folder.file("plan.json") + " --out " + folder.file("plan.json"),
          "is the file that is read; give another name");
  refuses(folder.words("--csv " + folder.file("r.jsonl")), "is written already");
  refuses("sweep --merge " + folder.file("plan.json"), "--merge: writes nothing; name a file");
  refuses("sweep --merge " + folder.file("plan.json") + " --csv " + folder.file("c"),
          "plan.json: line 1: is no header of muster sweep");
  CHECK(folder.files() == 1);
  folder.write("r.jsonl", "other\n");
  refuses(folder.words(), "r.jsonl: line 1: is no header of muster sweep");
  CHECK(folder.read("r.jsonl") == "other\n");
}

TEST_CASE("a field of keep that results do not have is told at once", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("load": [0, 0.1])") +
                          R"(, "keep": ["latency_us.maen", "cycles"])");
  const Outcome got = folder.sweep();
  CHECK(got.status == 0);
  CHECK_THAT(got.err, Contains("plan.json: keep: row ") &&
                          Contains("has no field 'latency_us.maen'; near are latency_us.mean"));
  CHECK(std::count(got.err.begin(), got.err.end(), '\n') == 1);
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
    Running running(folder.words("--jobs 2 --csv " + folder.file("r.csv")));
    for (int tenths = 0; tenths < 200; ++tenths) {
      if (folder.has("r.jsonl") && lines_of(folder.read("r.jsonl")).size() == 2) break;
      Running::pause(100);
    }
    refuses(folder.words(), "another sweep writes it");
    running.send(signal);
    const Outcome got = running.wait();
    CHECK(got.status == status);
    CHECK(got.err == std::string("muster: interrupted by ") +
                         (signal == SIGINT ? "SIGINT" : "SIGTERM") + ": 1 of 2 rows are in " +
                         folder.file("r.jsonl") + "; the same command goes on\n");
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
