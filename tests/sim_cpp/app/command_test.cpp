// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The JSON text after `"key": `, up to the end of the line.
std::string value(const std::string& json, const std::string& key) {
  const auto at = json.find("\"" + key + "\": ");
  REQUIRE(at != std::string::npos);
  const auto from = at + key.size() + 4;
  auto text = json.substr(from, json.find('\n', from) - from);
  if (text.ends_with(',')) text.pop_back();
  return text;
}

/// The rest of the line that begins with `word`.
std::string value_of(const std::string& text, const std::string& word) {
  const auto at = text.find("\n" + word);
  REQUIRE(at != std::string::npos);
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("version and help end with status 0", "[app]") {
  CHECK(muster_command("--version").out.starts_with("muster 0."));
  CHECK(muster_command("--help").status == 0);
  CHECK(contains(muster_command("run --help").out, "--barrier-vc"));
}

TEST_CASE("tree prints the tree of the paper's Figure 2", "[app][tree]") {
  const Outcome text = muster_command("tree " + kFigure1 + " --group paper");
  CHECK(text.status == 0);
  CHECK(contains(text.out, "root switch 3, root node 3:4"));
  CHECK(contains(text.out, "40 hops"));
  const Outcome json = muster_command("tree " + kFigure1 + " --group paper --json -");
  CHECK(value(json.out, "root_switch") == "3");
  CHECK(value(json.out, "root_node") == "\"3:4\"");
  CHECK(value(json.out, "height") == "2");
  CHECK(value(json.out, "deepest_leaves") == "2");
}

TEST_CASE("run gives the same result file for the same command", "[app][run]") {
  const std::string command =
      "run " + kFigure1 + " --group paper --load 0.3 --seed 5 --no-skip --json -";
  const Outcome once = muster_command(command), again = muster_command(command);
  CHECK(once.status == 0);
  CHECK(value(once.out, "violations") == "0");
  CHECK(value(once.out, "digest") == value(again.out, "digest"));
  CHECK(value(once.out, "saturated") == "false");
  CHECK(value(once.out, "seed") == "5");
  for (const char* key : {"engine", "scheme", "cycles", "barriers", "latency_cycles", "schema",
                          "switch_cycles_per_second", "reduction_cycles", "distribution_cycles",
                          "latency_us", "exit_skew_cycles", "hops", "command", "version"})
    CHECK(contains(once.out, "\"" + std::string(key) + "\""));
}

TEST_CASE("topo info gives the fields of a network", "[app][topo]") {
  const Outcome got = muster_command("topo info " + kFigure1 + " --json -");
  CHECK(value(got.out, "switches") == "9");
  CHECK(value(got.out, "nodes") == "26");
  CHECK(value(got.out, "links") == "12");
  CHECK(value(got.out, "deadlock_free") == "true");
  for (const char* key : {"command", "version", "seed"})
    CHECK(contains(got.out, "\"" + std::string(key) + "\""));
}

TEST_CASE("every generator and export takes --seed and --json", "[app][topo]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  for (const std::string& command :
       {std::string("topo gen mesh"), std::string("topo gen tree"),
        std::string("topo gen complete"), std::string("topo gen irregular"),
        "topo export " + kFigure1}) {
    CAPTURE(command);
    const Outcome only = muster_command(command + " --seed 7 --json -");
    CHECK(only.status == 0);
    CHECK(value(only.out, "schema") == "\"muster-topology-info-1\"");
    CHECK(value(only.out, "seed") == "7");
    const Outcome both =
        muster_command(command + " --seed 7 --out " + net + " --json " + folder.file("i.json"));
    CHECK(both.status == 0);
    CHECK(folder.has("net.json"));
    CHECK(value(folder.read("i.json"), "switches") == value(only.out, "switches"));
  }
}

TEST_CASE("a generated network goes through info, run and export", "[app][topo]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(
      muster_command("topo gen irregular --switches 20 --nodes 60 --seed 3 --out " + net).status ==
      0);
  CHECK(muster_command("topo info " + net).status == 0);
  CHECK(muster_command("run " + net + " --group random:9 --barriers 3").status == 0);
  CHECK(muster_command("topo export " + net + " --format dot").out.starts_with("graph"));
  REQUIRE(muster_command("topo export " + net + " --format anynet --out " + folder.file("n.any"))
              .status == 0);
  CHECK(muster_command("run " + folder.file("n.any") + " --barriers 3").status == 0);
}

TEST_CASE("a hang is a report with status 1", "[app][hang]") {
  const Outcome late = muster_command("run " + kFigure1 + " --group paper --absent 4:2@1");
  CHECK(late.status == 1);
  CHECK(contains(late.out, "group 'paper' stands still at barrier 1"));
  CHECK(contains(late.out, "switch 4 waits for member 4:2"));
  const std::string dead = "run " + kFigure1 + " --group paper --stop-link 3:0-0:1@90";
  for (const std::string& command : {dead, dead + " --no-checkers"}) {
    const Outcome cut = muster_command(command);
    CHECK(cut.status == 1);
    CHECK(contains(cut.out, "0:1 -> 3:0"));
    CHECK(contains(cut.out, "switch 3"));
  }
  CHECK(contains(muster_command(dead).out, "checker bounded waits"));  // sees it first
}

TEST_CASE("a node's link can be cut by either of its names", "[app][hang]") {
  const std::string net = "run " + kFigure1 + " --group 3:4,0:4 --stop-link ";
  const Outcome node = muster_command(net + "n1@0"), ends = muster_command(net + "n1-0:4@0");
  CHECK(node.status == 1);
  CHECK(contains(node.out, "0:4 -> n1"));
  CHECK(value_of(node.out, "digest ") == value_of(ends.out, "digest "));
}
