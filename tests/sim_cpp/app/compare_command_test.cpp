// SPDX-License-Identifier: Apache-2.0
#include "muster/run/system.hpp"
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;
using nlohmann::json;

namespace {

const std::string kCompare = "compare " + kFigure1 + " --group paper --barriers 5 ";

json compared(const std::string& options) {
  const Outcome got = muster_command(kCompare + options + " --json -");
  CAPTURE(options, got.err);
  REQUIRE(got.status == 0);
  return json::parse(got.out);
}

}  // namespace

TEST_CASE("a comparison has of each scheme what its own runs say", "[app][compare]") {
  const json all = compared("--load 0 --load 0.2 --no-saturation --profile ts-100");
  std::vector<std::string> names;
  for (const json& scheme : all["schemes"]) names.push_back(scheme["scheme"]);
  CHECK(fmt::format("{}", fmt::join(names, ", ")) == muster::run::scheme_names());
  for (const json& scheme : all["schemes"]) {
    const std::string name = scheme["scheme"];
    CAPTURE(name);
    REQUIRE(scheme["unsupported"] == "");
    for (const json& load : scheme["loads"]) {
      const Outcome got = muster_command(
          run(fmt::format("--group paper --barriers 5 --profile ts-100 --scheme {} --load {} "
                          "--json -",
                          name, load["load"].get<double>())));
      REQUIRE(got.status == 0);
      const json one = json::parse(got.out);
      CHECK(one["latency_cycles"]["mean"] == load["mean_cycles"]);
      CHECK(one["latency_cycles"]["p99"] == load["p99_cycles"]);
      CHECK(one["parameters"]["config"]["name"] == scheme["hardware"][0]["config"]);
    }
  }
}

TEST_CASE("a comparison counts the messages of nodes, hardware and faults", "[app][compare]") {
  const json all = compared("--load 0 --no-saturation");
  std::map<std::string, json> by;
  for (const json& scheme : all["schemes"]) by[scheme["scheme"]] = scheme;
  // 14 members; the root node sends 13 releases, or in a tree of switches one distribution.
  CHECK(by["unicast"]["messages"] == 26.0);
  CHECK(by["btin"]["messages"] == 14.0);
  CHECK(by["unicast"]["loads"][0]["hops"] > by["btin"]["loads"][0]["hops"]);
  CHECK(by["btin"]["hardware"][0]["config"] == "sw8");
  CHECK(by["btin"]["hardware"][0]["count"] == 9);
  CHECK(by["btin"]["hardware"][0]["luts"]["ecp5"] > 5000);
  CHECK(by["nic-dissemination"]["hardware"][1]["count"] == 26);  // NICs
  CHECK(by["btin"]["survives"].size() == 4);
  CHECK(by["multicast"]["survives"].size() < by["unicast"]["survives"].size());
  CHECK(by["btin"]["saturation"].is_null());
}

TEST_CASE("messages of nodes are the same behind pipes and link ends, and if a switch dies",
          "[app][compare]") {
  for (const std::string options :
       {"--profile btin", "--link-retry", "--link-retry --kill-switch sw3@100 --max-wait 20000"})
    for (const json& scheme : compared("--load 0 --no-saturation " + options)["schemes"]) {
      CAPTURE(options, scheme["scheme"]);
      if (scheme["scheme"] == "btin") CHECK(scheme["messages"] == 14.0);
      if (scheme["scheme"] == "unicast") CHECK(scheme["messages"] == 26.0);
    }
}

TEST_CASE("a row of a comparison has its switches, and all that went wrong", "[app][compare]") {
  const auto table = [](const std::string& options) {
    return muster_command(kCompare + "--no-saturation " + options).out;
  };
  const std::string full = table("--load 5");
  CHECK_THAT(full, Contains("sw8; data saturate"));
  CHECK_THAT(full, !Contains("saturation:"));
  const std::string death =
      table("--load 0 --link-retry --retry --kill-switch sw3@100 --max-wait 20000");
  CHECK_THAT(death, Contains("sw8r; 1 failed barrier"));
  const Folder folder;
  const std::string fabric = folder.file("fabric.json");
  muster_command("topo gen clos --ports 32 --leaves 8 --out " + fabric);
  CHECK_THAT(muster_command("compare " + fabric + " --barriers 1 --load 0 --no-saturation").out,
             Contains("k LUTs -: multicast: no RTL of multicast") && !Contains("LUTs -: btin"));
  CHECK_THAT(death, Contains("0          -         -         -       -"));
  CHECK_THAT(death, Contains("sw8; incomplete\n"));
  CHECK_THAT(death, Contains(": group 'paper' stopped after 0 of 5 barriers"));
}

TEST_CASE("a comparison says why a scheme cannot run", "[app][compare]") {
  const json all = compared("--load 0 --no-saturation --link-retry --kill-switch sw8@100000");
  for (const json& scheme : all["schemes"]) {
    const std::string name = scheme["scheme"];
    CAPTURE(name);
    const bool survives = muster::run::find_scheme(name).scheme.survives_deaths;
    CHECK((scheme["unsupported"] == "") == survives);
    if (!survives)
      CHECK_THAT(scheme["unsupported"].get<std::string>(), Contains("does not support"));
    CHECK(scheme.contains("loads") == survives);
    if (survives) CHECK(scheme["hardware"].back()["count"] == 2 * (12 + 26));  // link ends
  }
}

TEST_CASE("the saturation of a comparison is in the interval of muster saturate",
          "[app][compare]") {
  const std::string network = std::string(MUSTER_SOURCE_DIR) + "/topologies/small.json";
  const Outcome got =
      muster_command("compare " + network + " --group four --barriers 2 --load 0 --json -");
  REQUIRE(got.status == 0);
  const json all = json::parse(got.out);
  const Outcome alone = muster_command("saturate " + network + " --repeat 1 --json -");
  const json saturation = json::parse(alone.out);
  const json& found = all["schemes"][0]["saturation"];
  const double bound = all["parameters"]["route_bound_flits_per_node_cycle"];
  CHECK(found["sustained_flits_per_node_cycle"].get<double>() <=
        saturation["unsustained_flits_per_node_cycle"].get<double>() + 0.05 * bound);
  CHECK(found["unsustained_flits_per_node_cycle"].get<double>() >=
        saturation["sustained_flits_per_node_cycle"].get<double>() - 0.05 * bound);
}

TEST_CASE("wrong input of a comparison is refused with the word that is wrong",
          "[app][compare][errors]") {
  refuses_all(kCompare, {{"--load many", "--load 'many': is not a number, 0 or more"},
                         {"--load -1", "is not a number, 0 or more"},
                         {"--scheme btin", "--scheme: 'muster compare' has no such option"},
                         {"--page a.html", "--page: 'muster compare' has no such option"},
                         {"--profile none", "--profile 'none': unknown name"},
                         {"--group staff", "group \"staff\""}});
  if (MUSTER_HAS_RTL) {
    const Folder folder;
    const std::string wide = folder.file("wide.json");
    REQUIRE(muster_command("topo gen clos --ports 20 --leaves 1 --out " + wide).status == 0);
    refuses("compare " + wide + " --engine rtl", "no scheme can run here; scheme 'btin': ");
  }
  refuses("compare nowhere.json", "nowhere.json: cannot be read");
}
