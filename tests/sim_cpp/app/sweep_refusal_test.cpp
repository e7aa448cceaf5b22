// SPDX-License-Identifier: Apache-2.0
// docs/how-to/sweep.md
#include <algorithm>

#include "sim_cpp/app/plan_folder.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

namespace {

/// `sweep` ends with status 2 and a line that says `reason`; there are no files but the plan.
void refuses_plan(const std::string& fields, const std::string& reason) {
  CAPTURE(fields);
  const PlanFolder folder(fields);
  refuses(folder.words("--csv " + folder.file("r.csv")), reason);
  CHECK(folder.files() == 1);
}

}  // namespace

TEST_CASE("a bad plan is one line, and nothing is written", "[app][sweep][input]") {
  refuses_plan(of_figure1(R"("laod": 0.1)"),
               "plan.json: options.\"laod\": 'run' has no such option; similar are load, ");
  refuses_plan(of_figure1(R"("load": [0.1, "x"])"),
               "plan.json: options.\"load\", value \"x\": --load: 'x' is not a number");
  refuses_plan(of_figure1(R"("spread": 1.5)"),
               "options.\"spread\", value 1.5: --spread: '1.5' is not a whole number from 0");
  refuses_plan(of_figure1(R"("center": ["nearest", "middle"])"),
               "options.\"center\", value \"middle\": --center 'middle': unknown name");
  refuses_plan(of_figure1(R"("no-skip": 1)"), "options.\"no-skip\": is a flag; give true, false");
  refuses_plan(of_figure1(R"("load": true)"), "options.\"load\": takes a value; give a number");
  for (const std::string name : {"json", "wave"})
    refuses_plan(of_figure1("\"" + name + R"(": "x")"),
                 "options.\"" + name +
                     "\": writes a file, and all rows would write the same one; remove it");
  refuses_plan(of_figure1(R"("help": true)"), "options.\"help\": 'run' has no such option");
  refuses_plan(R"("options": {"load": 1})", "network: is missing; 'run' reads a network");
  refuses_plan(R"("command": "esc", "network": "x.json")",
               "network: 'esc' reads no network; remove it");
  refuses_plan(R"("command": "ruun")",
               "command: unknown command 'ruun' for a sweep; known are topo, run, ");
  for (const std::string name : {"figure", "bench", "sweep", "plot"})
    refuses_plan(R"("command": ")" + name + "\"", "unknown command '" + name + "' for a sweep");
  refuses_plan(R"("command": "topo")",
               "command: 'topo' is an incomplete command; add its subcommand");
}

TEST_CASE("a plan's bad networks are one line", "[app][sweep][input]") {
  refuses_plan(R"("network": "nowhere.json")", "plan.json: network: ");
  refuses_plan(R"("network": ["plan.json"])",
               "plan.json: network: plan.json: schema: \"muster-sweep-plan-1\" is not known");
  refuses_plan(
      R"("network": {"generate": "mash"})",
      "network.generate: unknown command 'topo gen mash' for a sweep; known are irregular, mesh,");
  refuses_plan(R"("network": {"generate": "mesh", "options": {"wdith": 3}})",
               "network.options.\"wdith\": 'mesh' has no such option; similar are width, ");
  refuses_plan(R"("network": [{"generate": "mesh", "options": {"width": 0}}])",
               "network, value 0: --width: '0' is not a whole number from 1 to");
  refuses_plan(R"("network": {"generate": "mesh", "options": {"out": "x"}})",
               "network.options.\"out\": writes a file");
}

TEST_CASE("names that a plan has wrong are told before the first run", "[app][sweep][input]") {
  const auto refuses_name = [](const std::string& options, const std::string& reason) {
    refuses_plan(of_figure1(options), reason);
    const PlanFolder folder(of_figure1(options));
    refuses(folder.words("--list"), reason);
  };
  refuses_name(
      R"("engine": ["golden", "verilog"])",
      "options.\"engine\", value \"verilog\": --engine 'verilog': unknown name; known are golden");
  refuses_name(
      R"("scheme": ["btin", "none"])",
      "options.\"scheme\", value \"none\": --scheme 'none': unknown name; known are btin, ");
  refuses_name(R"("config": [null, "sw99"])",
               "options.\"config\", value \"sw99\": --config 'sw99': unknown name");
  refuses_name(R"("profile": "fast")",
               "options.\"profile\", value \"fast\": --profile 'fast': unknown name");
  refuses_name(R"("arrivals": "no.json")", "no.json: cannot be read");
  refuses_name(R"("arrivals": "plan.json")", "plan.json: options.\"arrivals\": plan.json: ");
  refuses_plan(R"("command": "esc", "options": {"engine": "verilog"})",
               "options.\"engine\", value \"verilog\": --engine 'verilog': unknown name");
  refuses_plan(
      R"("command": "saturate", "network": ")" + kFigure1 + R"(", "options": {"scheme": "none"})",
      "options.\"scheme\", value \"none\": --scheme 'none': unknown name");
}

TEST_CASE("bad options of sweep are one line", "[app][sweep][input]") {
  const PlanFolder folder(of_figure1(""));
  refuses("sweep", "a plan is required: muster sweep PLAN");
  refuses("sweep " + folder.file("no.json"), "no.json: cannot be read");
  refuses(folder.words("--shard 3/2"), "--shard '3/2': '3' is not a whole number from 1 to 2");
  refuses(folder.words("--jobs 0"), "--jobs: '0' is not a whole number from 1 to 256");
  refuses("sweep " + folder.file("plan.json") + " --out " + folder.file("plan.json"),
          "is also an input file; give another name");
  refuses(folder.words("--csv " + folder.file("r.jsonl")), "is already an output file");
  refuses("sweep --merge " + folder.file("plan.json"), "--merge: writes nothing; name a file");
  refuses("sweep --merge " + folder.file("plan.json") + " --csv " + folder.file("c"),
          "plan.json: line 1: is not a header of muster sweep");
  CHECK(folder.files() == 1);
  folder.write("r.jsonl", "other\n");
  refuses(folder.words(), "r.jsonl: line 1: is not a header of muster sweep");
  CHECK(folder.read("r.jsonl") == "other\n");
}

TEST_CASE("a sweep ends with the first row that lacks a field of keep", "[app][sweep][input]") {
  const auto keeping = [](const std::string& fields) {
    return of_figure1(R"("load": [0, 0.1])") + R"(, "keep": [)" + fields + "]";
  };
  const PlanFolder folder(keeping(R"("cycles", "latency_us.maen")"));
  refuses(folder.words("--jobs 1 --csv " + folder.file("r.csv")),
          "plan.json: keep: row 0 has no field 'latency_us.maen'; similar are latency_us.mean");
  CHECK(lines_of(folder.read("r.jsonl")).size() == 1);
  CHECK_FALSE(folder.has("r.csv"));
  // The plan is corrected, and the sweep goes on.
  const auto correct = [&](const std::string& fields) {
    folder.write("plan.json", R"({"schema": "muster-sweep-plan-1", )" + keeping(fields) + "}");
  };
  correct(R"("cycles", "latency_us.mean")");
  CHECK(folder.sweep().status == 0);
  const auto rows = rows_of(folder.read("r.jsonl"));
  CHECK(rows.size() == 2);
  CHECK(rows[1]["result"].value("latency_us", nlohmann::json()).contains("mean"));
  // Rows do not have what they were not to keep.
  correct(R"("cycles", "digest")");
  refuses(folder.words(), "r.jsonl: its rows were made with another \"keep\"; name another file");
  CHECK(rows_of(folder.read("r.jsonl")) == rows);
}

TEST_CASE("a run that fails may lack what a plan keeps", "[app][sweep]") {
  const PlanFolder folder(of_figure1(R"("absent": "99:9@1")") + R"(, "keep": ["cycles"])");
  CHECK(folder.sweep().status == 1);
  CHECK(rows_of(folder.read("r.jsonl")).size() == 1);
}
