// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

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

TEST_CASE("repeated runs in text begin with the switches and have intervals", "[app][repeat]") {
  const Outcome got = muster_command(run("--group paper --repeat 2"));
  CHECK(got.status == 0);
  CHECK(got.out.starts_with("switches     sw8: 8 ports, 2 virtual channels"));
  CHECK_THAT(got.out, Contains("2 of 2 complete") && Contains(" +- "));
}

TEST_CASE("a violation in one of several runs is reported with its seed", "[app][repeat]") {
  const Outcome got = muster_command(
      run("--group paper --barriers 3 --absent 3:6@1 --max-wait 2000 --repeat 2 --seed 8"));
  CHECK(got.status == 1);
  CHECK_THAT(got.out, Contains("violation    seed 9: "));
}

TEST_CASE("repeated runs refuse a waveform and a number that is none", "[app][repeat]") {
  refuses(run("--repeat 2 --wave x.fst"), "--repeat: a waveform shows one run");
  refuses(run("--repeat 0"), "--repeat");
  refuses(run("--repeat 2 --config sw4"), kFigure1);
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

namespace {

std::string saturate(const std::string& options) { return "saturate " + kFigure1 + " " + options; }

}  // namespace

TEST_CASE("saturate finds a load between nothing and the bound of the routes", "[app][saturate]") {
  const std::string options = saturate("--cycles 10000 --repeat 2 --tolerance 0.05 --json -");
  const Outcome got = muster_command(options);
  CHECK(got.status == 0);
  auto once = valid_json(got.out);
  CHECK(once["verdict"] == "saturates");
  const double low = once["sustained_flits_per_node_cycle"],
               high = once["unsustained_flits_per_node_cycle"],
               bound = once["route_bound_flits_per_node_cycle"];
  CHECK((0.5 * bound < low && low < high && high < 1.1 * bound));
  const auto info = valid_json(muster_command("topo info " + kFigure1 + " --json -").out);
  CHECK(info["route_bound_flits_per_node_cycle"] == bound);
  CHECK(once == valid_json(muster_command(options).out));

  // And muster run agrees.
  const auto saturated = [](double load) {
    const std::string loaded = "--min-cycles 12000 --json - --load-flits " + std::to_string(load);
    return valid_json(muster_command(run(loaded)).out)["saturated"].get<bool>();
  };
  CHECK_FALSE(saturated(0.9 * low));
  CHECK(saturated(1.3 * high));
}

TEST_CASE("saturate takes schemes, patterns and configurations", "[app][saturate]") {
  const Outcome got = muster_command(
      saturate("--scheme bsr-2 --pattern opposite --config bsr2k8v3 --cycles 10000 --repeat 1 "
               "--tolerance 0.2"));
  CHECK(got.status == 0);
  CHECK(got.out.starts_with("switches     bsr2k8v3: 8 ports, 3 virtual channels"));
  CHECK_THAT(got.out, Contains("opposite") && Contains("saturation   "));
}

TEST_CASE("what saturate cannot do is one line", "[app][saturate]") {
  refuses_all(saturate(""), {{"--tolerance 0", "--tolerance 0"},
                             {"--cycles 10", "--cycles"},
                             {"--pattern all", "uniform"},
                             {"--config sw4", kFigure1},
                             {"--scheme magic", "magic"}});
  refuses("saturate nowhere.json", "nowhere.json");
}

TEST_CASE("an interrupted search keeps its interval", "[app][saturate][interruption]") {
  const Folder folder;
  Running running(saturate("--cycles 10000000 --json " + folder.file("s.json")));
  CHECK(interrupted(running, SIGTERM).status == 143);
  const auto result = valid_json(folder.read("s.json"));
  CHECK(result["verdict"] == "interrupted");
  CHECK(result["interrupted"] == true);
}
