// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"
#include "app/context.hpp"
#include "muster/run/system.hpp"
#include "sim_cpp/app/shell.hpp"

namespace muster::app {
namespace {

using namespace test;

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

TEST_CASE("an option that another system or the command has is refused", "[app][errors]") {
  CHECK_THROWS_AS(add_second("--gap"), InternalError);
  CHECK_THROWS_WITH(add_second("--gap"),
                    "system 'second': option --gap is taken by system 'first'");
  CHECK_NOTHROW(add_second("--gaps"));
  for (const std::string name : {"--group", "--help", "--seed", "--json", "--engine"})
    CHECK_THROWS_WITH(add_second(name),
                      "system 'second': option " + name + " is taken by 'run' itself");
}

/// The rest of the line that begins with `word`.
std::string value_of(const std::string& text, const std::string& word) {
  const auto at = text.find("\n" + word);
  REQUIRE(at != std::string::npos);
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST_CASE("names of the network's file stand wherever numbers do", "[app][names]") {
  const Folder folder;
  folder.write("net.json", R"({"schema": "muster-topology-1",
    "switches": [{"ports": 4, "name": "tor-0"}, {"ports": 4, "name": "tor-1"},
                 {"ports": 4, "name": "core"}],
    "links": [{"a": [0, 0], "b": [1, 0]}, {"a": [1, 1], "b": [2, 1]}, {"a": [2, 0], "b": [0, 1]}],
    "nodes": [{"at": [0, 2], "name": "h1"}, {"at": [1, 2], "name": "h2"}, {"at": [2, 2]}],
    "groups": {"both": ["h1", "h2"]}})");
  const std::string net = "run " + folder.file("net.json") + " --barriers 3 ";
  const auto same = [&](const std::string& named, const std::string& numbered) {
    const Outcome a = muster_command(net + named), b = muster_command(net + numbered);
    CAPTURE(named, a.err, b.err);
    CHECK(a.status == b.status);
    CHECK(value_of(a.out, "digest") == value_of(b.out, "digest"));
  };
  same("--group h1,h2", "--group n0,n1");
  same("--group both", "--group n0,n1");
  same("--link-retry --kill-switch core@300", "--link-retry --kill-switch sw2@300");
  same("--link-retry --kill-node h2@300", "--link-retry --kill-node n1@300");
  same("--link-retry --cut-link core:0-tor-0:1@300", "--link-retry --cut-link 2:0-0:1@300");
  same("--kill-link tor-1:1-core:1@300 --setup in-band", "--kill-link 1:1-2:1@300 --setup in-band");
  for (const char* link : {"h1", "n0-0:2", "h1-tor-0:2"})
    same(fmt::format("--stop-link {}@20 --max-wait 2000", link),
         "--stop-link n0@20 --max-wait 2000");
  same("--absent h2@1 --max-wait 2000", "--absent n1@1 --max-wait 2000");
  refuses(net + "--kill-link tor-0:0-core:1@300", "--kill-link 'tor-0:0-core:1@300': no such link");
  refuses(net + "--kill-link h1@300", "write a link between two switches as");
  refuses(net + "--link-retry --kill-switch tor-9@300", "--kill-switch 'tor-9': no such switch");
}

TEST_CASE("a network is read from standard input", "[app]") {
  const Outcome file = muster_command("topo info " + kFigure1);
  CHECK(muster_command("topo info -", "", kFigure1).out == file.out);
  const Outcome run_of = muster_command("run - --group paper --barriers 2", "", kFigure1);
  CHECK(run_of.status == 0);
  refuses("topo info -", "standard input: the file is empty");
}

TEST_CASE("a quiet run prints nothing unless a check fails", "[app][quiet]") {
  const Outcome good = muster_command(test::run("--group paper --quiet"));
  CHECK(good.status == 0);
  CHECK(good.out.empty());
  CHECK(good.err.empty());
  const Outcome hang = muster_command(test::run("--group 3:4,0:4 --stop-link n1@0 --quiet"));
  CHECK(hang.status == 1);
  CHECK_THAT(hang.out, Contains("violation"));
  CHECK(muster_command(test::run("--quiet --json -")).out.starts_with("{"));
}

TEST_CASE("the summary of a large tree is short, and counts have their singular", "[app]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(muster_command("topo gen mesh --width 16 --height 16 --out " + net).status == 0);
  const Outcome got = muster_command("run " + net + " --barriers 1");
  CHECK(std::ranges::count(got.out, '\n') < 70);
  CHECK_THAT(got.out, Contains("and 216 switches more; muster tree shows all"));
  CHECK_THAT(got.out, Contains("\nlatency      1 barrier, min"));
  CHECK_THAT(muster_command("run " + net + " --group n0,n1").out, Contains("pruned: 254 switches"));
  CHECK(std::ranges::count(muster_command("tree " + net).out, '\n') > 256);
}

TEST_CASE("help of a run has a line for each scheme", "[app][help]") {
  const std::string help = muster_command("run --help").out;
  const auto table = help.substr(help.find("Schemes:\n"));
  for (const auto& system : muster::run::systems())
    for (const muster::run::SchemeFactory& scheme : system->schemes()) {
      CHECK(!scheme.about.empty());
      CHECK_THAT(table, Contains(fmt::format("\n  {:<18} {}", scheme.name, scheme.about)));
    }
}

}  // namespace
}  // namespace muster::app
