// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

TEST_CASE("repeated runs have the seeds from --seed on, each as it would run alone",
          "[app][repeat]") {
  const std::string options = "--group random:5 --load 0.2 --barriers 4 --json - ";
  const Outcome got = muster_command(run(options + "--seed 4 --repeat 3"));
  CHECK(got.status == 0);
  const auto all = valid_json(got.out);
  CHECK(all["schema"] == "muster-repeat-1");
  CHECK(all["complete"] == 3);
  CHECK(all["interrupted"] == false);
  REQUIRE(all["runs"].size() == 3);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto alone =
        valid_json(muster_command(run(options + "--seed " + std::to_string(4 + i))).out);
    CHECK(all["runs"][i]["seed"] == 4 + i);
    CHECK(all["runs"][i]["digest"] == alone["digest"]);
    sum += alone["latency_cycles"]["p95"].get<double>();
  }
  CHECK(all["latency_cycles"]["p95"]["mean"] == Approx(sum / 3));
  auto one_by_one =
      valid_json(muster_command(run(options + "--seed 4 --repeat 3 --threads 1")).out);
  one_by_one["command"] = all["command"];
  CHECK(one_by_one == all);
  CHECK(all["latency_cycles"]["p95"]["half_width"].is_number());
}

TEST_CASE("repeated runs that are interrupted keep what they have", "[app][repeat][interruption]") {
  const Folder folder;
  Running running(run("--group paper --barriers 1000000 --load 0.1 --repeat 50 --json " +
                      folder.file("r.json")));
  const Outcome got = interrupted(running, SIGINT);
  CHECK(got.status == 130);
  CHECK_THAT(got.err, Contains("the result has the complete runs"));
  const auto result = valid_json(folder.read("r.json"));
  CHECK(result["interrupted"] == true);
  CHECK(result["complete"] == 0);
  CHECK(result["runs"][0]["end"] == "interrupted");
}

static std::string saturate(const std::string& options) {
  return "saturate " + kFigure1 + " " + options;
}

TEST_CASE("muster run carries what saturate says is sustained, and more is too much",
          "[app][saturate]") {
  const auto found = valid_json(
      muster_command(saturate("--cycles 10000 --repeat 2 --tolerance 0.05 --json -")).out);
  const auto saturated = [](double load) {
    const std::string loaded = "--min-cycles 12000 --json - --load-flits " + std::to_string(load);
    return valid_json(muster_command(run(loaded)).out)["saturated"].get<bool>();
  };
  CHECK_FALSE(saturated(0.9 * found["sustained_flits_per_node_cycle"].get<double>()));
  CHECK(saturated(1.3 * found["unsustained_flits_per_node_cycle"].get<double>()));
}

TEST_CASE("an interrupted search keeps its interval", "[app][saturate][interruption]") {
  const Folder folder;
  Running running(saturate("--cycles 10000000 --json " + folder.file("s.json")));
  CHECK(interrupted(running, SIGTERM).status == 143);
  const auto result = valid_json(folder.read("s.json"));
  CHECK(result["verdict"] == "interrupted");
  CHECK(result["interrupted"] == true);
}
