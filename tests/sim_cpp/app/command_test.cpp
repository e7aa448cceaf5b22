// SPDX-License-Identifier: Apache-2.0
#include "app/cli_options.hpp"
#include "app/context.hpp"
#include "sim_cpp/app/shell.hpp"

using muster::app::duration_text;
using muster::app::progress_line;

TEST_CASE("durations are two numbers at most", "[app][progress]") {
  CHECK(duration_text(0.2) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(200) == "3 min 20 s");
  CHECK(duration_text(3725) == "1 h 02 min");
}

TEST_CASE("a line of progress has a bar, and the time left where some is done", "[app][progress]") {
  CHECK(progress_line(0, 120, "rows", 5) == "[..............................] 0 of 120 rows");
  CHECK(progress_line(80, 120, "rows", 40) ==
        "[####################..........] 80 of 120 rows, 20 s left");
  CHECK(progress_line(120, 120, "rows", 60) == "[##############################] 120 of 120 rows");
}

namespace muster::app {
namespace {

/// Adds the option to `run` as one of system 'second'; `run` has an option of its own and one of
/// system 'first'.
void add_second(const std::string& name) {
  CLI::App run{"", "run"};
  std::string word;
  run.add_option("--group", word);
  bool flag = false;
  run::Fields first, second;
  first.flag("--gap", flag, "");
  second.flag(name.c_str(), flag, "");
  CliOptions options{run};
  options.add(first, "system 'first'");
  options.add(second, "system 'second'");
}

TEST_CASE("an option that another system has is refused with both named", "[app][errors]") {
  CHECK_THROWS_AS(add_second("--gap"), InternalError);
  CHECK_THROWS_WITH(add_second("--gap"),
                    "system 'second': option --gap is taken by system 'first'");
  CHECK_NOTHROW(add_second("--gaps"));
}

TEST_CASE("an option of the command itself is refused, also one that comes later",
          "[app][errors]") {
  for (const std::string name : {"--group", "--help", "--seed", "--json", "--engine"})
    CHECK_THROWS_WITH(add_second(name),
                      "system 'second': option " + name + " is taken by 'run' itself");
}

}  // namespace

}  // namespace muster::app

using namespace muster::test;

namespace {

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
  CHECK_THAT(muster_command("run --help").out, Catch::Contains("--barrier-vc"));
}

TEST_CASE("a root is chosen by number or name, and any switch reflects", "[app][tree]") {
  const Folder folder;
  const std::string fat = folder.file("fat.json");
  REQUIRE(muster_command("topo gen fat-tree --arity 4 --dimension 2 --out " + fat).status == 0);
  const std::string tree = "tree " + fat + " --group all ";
  CHECK_THAT(muster_command(tree).out, Catch::Contains("height 2"));
  const Outcome best = muster_command(tree + "--turn");
  CHECK_THAT(best.out, Catch::Contains(
                           "root switch 0, without a member (the root switch reflects)\nheight 1"));
  CHECK_THAT(best.out, !Catch::Contains("(root node)"));
  for (const std::string root : {"2", "sw2"}) {
    const auto chosen = valid_json(muster_command(tree + "--turn --json - --root " + root).out);
    CHECK(chosen["root_switch"] == 2);
    CHECK(chosen["root_node"].is_null());
    CHECK(chosen["images"][0]["child_mask"] == 15);
  }
  const auto result = valid_json(
      muster_command("run " + fat + " --group all --turn --root 2 --barriers 3 --json -").out);
  CHECK(result["parameters"]["root"] == 2);
  CHECK(result["end"] == "complete");
  // A group of one needs no root.
  for (const std::string turn : {"", "--turn "}) {
    const auto one = valid_json(
        muster_command("run " + fat + " --group n3 --barriers 3 --root 2 " + turn + "--json -")
            .out);
    CHECK(one["end"] == "complete");
    CHECK_FALSE(one["parameters"].contains("root"));
  }
  refuses(tree + "--root 2", "--root, group 'all': switch 2 has no member of the group");
  refuses("run " + fat + " --group all --root 2", "choose one of 4, 5, 6, 7, or a root that");
  refuses(tree + "--turn --root sw8", "--root 'sw8': no such switch; the network has 0 to 7");
  refuses(tree + "--root spine", "--root 'spine': no such switch; write its number, as sw3, or");
  refuses(run("--group paper --turn --root 3 --setup in-band"), "--root: with --setup in-band");
  refuses(run("--group paper --root 3 --scheme unicast"), "--root: scheme 'unicast'");
}

TEST_CASE("data settle before the first arrival unless --warmup says otherwise", "[app][run]") {
  const auto warmup = [](const std::string& options) {
    const auto result = valid_json(muster_command(run("--barriers 1 --json - " + options)).out);
    return result["parameters"]["warmup_cycles"].get<int>();
  };
  CHECK(warmup("") == 0);
  CHECK(warmup("--load 0.1") == 2000);
  CHECK(warmup("--load-flits 0.01") == 2000);
  CHECK(warmup("--load 0.1 --warmup 0") == 0);
  CHECK(warmup("--warmup 30") == 30);
}

TEST_CASE("data alone: no group, and data that no barrier cuts", "[app][run]") {
  for (const std::string scheme : {"btin", "bsr-1", "star", "nic-pairwise"}) {
    CAPTURE(scheme);
    const std::string data = "--load 0.3 --min-cycles 3000 --scheme " + scheme;
    const auto alone = valid_json(muster_command(run("--no-barriers --json - " + data)).out);
    CHECK(alone["end"] == "complete");
    CHECK(alone["parameters"]["groups"].empty());
    CHECK(alone["barriers"].empty());
    CHECK(alone["data"]["packets_delivered"] > 0);
    CHECK_THAT(muster_command(run("--no-barriers " + data)).out,
               !Catch::Matchers::Contains("Theorem"));
  }
  refuses(run("--no-barriers --arrivals x.txt"), "--arrivals excludes --no-barriers");
  refuses(run("--no-barriers --load 0.1"), "--no-barriers needs --load and --min-cycles");
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

TEST_CASE("a node's link can be cut by either of its names", "[app][hang]") {
  const std::string net = "run " + kFigure1 + " --group 3:4,0:4 --stop-link ";
  const Outcome node = muster_command(net + "n1@0"), ends = muster_command(net + "n1-0:4@0");
  CHECK(node.status == 1);
  CHECK_THAT(node.out, Catch::Contains("0:4 -> n1"));
  CHECK(value_of(node.out, "digest ") == value_of(ends.out, "digest "));
}
