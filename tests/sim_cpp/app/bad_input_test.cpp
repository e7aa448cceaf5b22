// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <algorithm>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

namespace {

/// Status 2, one line on standard error that says `reason`, nothing on standard output.
void refuses(const std::string& arguments, const std::string& reason) {
  const Outcome got = muster_command(arguments);
  CAPTURE(arguments, got.err, got.out);
  CHECK(got.status == 2);
  CHECK(got.out.empty());
  CHECK(std::count(got.err.begin(), got.err.end(), '\n') == 1);
  CHECK(got.err.starts_with("muster: "));
  CHECK(got.err.find(reason) != std::string::npos);
}

std::string run(const std::string& options) { return "run " + kFigure1 + " " + options; }

}  // namespace

TEST_CASE("a wrong command line is one clear line and status 2", "[app][bad-input]") {
  refuses("", "subcommand");
  refuses("run", "FILE is required");
  refuses("dance", "dance");
  refuses(run("--bogus"), "--bogus");
  refuses(run("--seed x"), "--seed");
  refuses(run("--barriers 99999999999"), "--barriers");
  refuses(run("--engine verilog"), "golden");
  refuses(run("--scheme magic"), "btin");
  refuses(run("--profile fast"), "native");
  refuses(run("--barrier-vc mine"), "--barrier-vc");
}

TEST_CASE("a group that cannot be is refused with the reason", "[app][bad-input]") {
  refuses(run("--group nosuch"), "no group of this name");
  refuses(run("--group 0:3,0:3"), "named twice");
  refuses(run("--group 0:0"), "no node at 0:0");
  refuses(run("--group n99"), "n99");
  refuses(run("--group random:27"), "26");
  refuses(run("--group random:0"), "random:0");
  refuses(run("--group ''"), "group");
  refuses("tree " + kFigure1 + " --group 9:0", "9");
}

TEST_CASE("options that contradict each other or the network are refused", "[app][bad-input]") {
  refuses(run("--load 0.1 --load-flits 0.1"), "exclude");
  refuses(run("--load -1"), "negative");
  refuses(run("--load 0.1 --packet-length 2"), "packet length 2");
  refuses(run("--config sw99"), "sw8v1");
  refuses(run("--config sw4"), "4 ports where 8 are needed");
  refuses(run("--config sw8v1 --barrier-vc own"), "virtual channels");
  refuses(run("--config sw8 --group all --group all --group all --group all --group all"), "regist");
  refuses(run("--wave-only sw3"), "--wave");
  refuses(run("--wave a.fst --engine golden"), "no waveforms");
  refuses(run("--absent 3:4"), "@");
  refuses(run("--absent 3:5@1 --group paper"), "in no group");
  refuses(run("--stop-link 3:0-8:0@1"), "no such link");
}

TEST_CASE("files that are not networks are refused with file and place", "[app][bad-input]") {
  const Folder folder;
  const auto refuses_file = [&](const std::string& content, const std::string& reason) {
    folder.write("net.json", content);
    refuses("run " + folder.file("net.json"), reason);
    refuses("topo info " + folder.file("net.json"), "net.json");
  };
  refuses("run " + folder.file("nowhere.json"), "cannot be read");
  refuses("run /", "");
  refuses_file("", "net.json");
  refuses_file("{\"schema\": \"muster-topology-1\", \"switches\": [", "net.json");
  refuses_file(std::string("\x7f" "ELF\0\1\2\3", 8), "net.json");
  refuses_file("{\"schema\": \"muster-topology-1\", \"wheels\": 4, \"switches\": [{\"ports\": 4}],"
               "\"links\": [], \"nodes\": []}", "wheels");
  refuses_file("{\"schema\": \"muster-topology-1\", \"switches\": [{\"ports\": 4}, {\"ports\": 4}],"
               "\"links\": [], \"nodes\": [{\"at\": [0, 0]}]}", "connect");
  refuses_file("{\"schema\": \"muster-topology-1\", \"switches\": [{\"ports\": 4}], \"links\": [],"
               "\"nodes\": [{\"at\": [0, 0]}, {\"at\": [0, 0]}]}", "twice");
}

TEST_CASE("a file of ten million lines is refused at once", "[app][bad-input]") {
  const Folder folder;
  std::string line = "router 0 node 0\n", content;
  content.reserve(line.size() * 10'000'000);
  for (int i = 0; i < 10'000'000; ++i) content += line;
  folder.write("huge.any", content);
  refuses("topo info " + folder.file("huge.any"), "huge.any");
}

TEST_CASE("a generator that cannot do what is asked writes nothing", "[app][bad-input]") {
  const Folder folder;
  const std::string out = " --out " + folder.file("net.json");
  refuses("topo gen irregular --switches 75 --nodes 256 --ports 8 --connectivity 0.5" + out,
          "22 links cannot connect 75 switches");
  refuses("topo gen mesh --width 0" + out, "0");
  refuses("topo gen tree --arity 20 --height 2" + out, "port");
  refuses("topo gen complete --switches 30" + out, "port");
  CHECK(folder.files() == 0);
}

TEST_CASE("a result file that cannot be written is status 2", "[app][bad-input]") {
  const Outcome got = muster_command(run("--group paper --json /nonexistent/x.json"));
  CHECK(got.status == 2);
  CHECK(got.err.find("/nonexistent/x.json") != std::string::npos);
}
