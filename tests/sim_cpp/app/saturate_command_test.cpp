// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/running.hpp"
#include "sim_cpp/app/shell.hpp"
#include "support/valid_json.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

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
  refuses(saturate("--tolerance 0"), "--tolerance 0");
  refuses(saturate("--cycles 10"), "--cycles");
  refuses(saturate("--pattern all"), "uniform");
  refuses(saturate("--config sw4"), kFigure1);
  refuses(saturate("--scheme magic"), "magic");
  refuses("saturate nowhere.json", "nowhere.json");
}

TEST_CASE("an interrupted search keeps its interval", "[app][saturate][interruption]") {
  const Folder folder;
  Running running(saturate("--cycles 10000000 --json " + folder.file("s.json")));
  REQUIRE(running.comes_to_catch(SIGTERM));
  REQUIRE(running.has_worked(500));
  running.send(SIGTERM);
  CHECK(running.wait().status == 143);
  const auto result = valid_json(folder.read("s.json"));
  CHECK(result["verdict"] == "interrupted");
  CHECK(result["interrupted"] == true);
}
