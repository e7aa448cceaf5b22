// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

TEST_CASE("a network beyond the addresses is refused if the scheme needs them",
          "[app][bad-input]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(muster_command("topo gen mesh --width 182 --height 181 --out " + net).status == 0);
  refuses("run " + net + " --group n0,n5 --scheme bsr-1",
          "net.json: 32942 nodes and 32942 switches are 65884 destinations, but flits can address "
          "65536");
}

TEST_CASE("a network that 11 bits do not name is refused where 11 bits are all",
          "[app][bad-input]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(muster_command("topo gen mesh --width 33 --height 32 --out " + net).status == 0);
  refuses("run " + net + " --setup in-band",
          "can address 2048 nodes and switches, the network has 2112");
  if (MUSTER_HAS_RTL)
    refuses("run " + net + " --engine rtl", "2048 destinations where 2112 are needed");
}

TEST_CASE("files that are not networks are refused with file and place", "[app][bad-input]") {
  const Folder folder;
  const auto refuses_file = [&](const std::string& content, const std::string& reason) {
    folder.write("net.json", content);
    refuses("run " + folder.file("net.json"), reason);
    refuses("topo info " + folder.file("net.json"), "net.json");
  };
  refuses("run " + folder.file("nowhere.json"), "cannot be read");
  refuses("run /", "not a regular file");
  refuses("topo info /dev/zero", "not a regular file");
  refuses_file("", "net.json");
  refuses_file("{\"schema\": \"muster-topology-1\", \"switches\": [", "net.json");
  refuses_file(std::string("\x7f"
                           "ELF\0\1\2\3",
                           8),
               "net.json");
  const std::string rest =
      "\"schema\": \"muster-topology-1\", \"switches\": [{\"ports\": 4}], \"links\": [],"
      "\"nodes\": [{\"at\": [0, 0]}, {\"at\": [0, 1]}]";
  refuses_file("\xEF\xBB\xBF{" + rest + "}", "net.json: start: a byte order mark");
  refuses_file("\xEF\xBB\xBFrouter 0 node 0", "net.json: start: a byte order mark");
  refuses_file("{\"name\": \"a\\u0000\", " + rest + "}",
               "name: \"a?\" has the control character \\u0000; remove it");
  refuses_file("{" + rest + ", \"groups\": {\"grün\": [\"n0\"]}}",
               "groups.\"grün\": this cannot name a group; start with a letter or '_', then");
  refuses_file("{" + rest + ", \"groups\": {\"g\\u0000\": [\"n0\"]}}",
               "groups.\"g?\": this cannot name a group");
  refuses_file(
      "{\"schema\": \"muster-topology-1\", \"wheels\": 4, \"switches\": [{\"ports\": 4}],"
      "\"links\": [], \"nodes\": []}",
      "wheels");
  refuses_file(
      "{\"schema\": \"muster-topology-1\", \"switches\": [{\"ports\": 4}, {\"ports\": 4}],"
      "\"links\": [], \"nodes\": [{\"at\": [0, 0]}]}",
      "connect");
  refuses_file(
      "{\"schema\": \"muster-topology-1\", \"switches\": [{\"ports\": 4}], \"links\": [],"
      "\"nodes\": [{\"at\": [0, 0]}, {\"at\": [0, 0]}]}",
      "twice");
}

TEST_CASE("a file of ten million lines is refused at once", "[app][bad-input]") {
  const Folder folder;
  std::string line = "router 0 node 0\n", content;
  content.reserve(line.size() * 10'000'000);
  for (int i = 0; i < 10'000'000; ++i) content += line;
  folder.write("huge.any", content);
  refuses("topo info " + folder.file("huge.any"), "huge.any");
}

using namespace muster::test;

TEST_CASE("a wrong command line is one clear line and status 2", "[app][bad-input]") {
  refuses("", "muster: a subcommand is required: topo, ");
  refuses("topo", "muster: a subcommand is required: gen, info, export; see muster topo --help");
  refuses("topo gen", "muster: a subcommand is required: irregular, ");
  refuses("topo dance", "'dance': 'muster topo' takes no such subcommand");
  refuses("run", "FILE is required");
  refuses("dance", "'dance': 'muster' takes no such subcommand");
  refuses("dance --wild 3", "'dance': 'muster' takes no such subcommand");
  refuses(run("--bogus"), "--bogus");
  refuses(run("--bogus 2"), "muster: --bogus: 'muster run' has no such option");
  refuses(run("--seed x"), "--seed");
  refuses(run("--seed -1"), "--seed");
  refuses(run("--barriers 99999999999"), "--barriers");
  refuses(run("--barriers 0"), "--barriers");
  refuses(run("--spread -1"), "--spread");
  refuses(run("--spread 18446744073709551615"), "--spread");
  refuses(run("--spread 1000000001"),
          "--spread: '1000000001' is not a whole number from 0 to 1000000000");
  refuses(run("--split 18446744073709551615"), "--split");
  refuses(run("--warmup 18446744073709551615"), "--warmup");
  refuses(run("--min-cycles 1000000001"), "--min-cycles");
  refuses(run("--max-wait 1000000001"), "--max-wait");
  refuses(run("--seed 99999999999999999999"),
          "--seed: '99999999999999999999' is not a whole number from 0 to");
  refuses(run("--barriers 0x10"), "'0x10' is not a whole number from 1 to 10000000");
  refuses(run("--group 3:4 --barriers 4294967295"), "is not a whole number from 1 to 10000000");
  refuses(run("--group 3:4 --group 3:5 --barriers 10000000"), "at most 10000000 barriers");
  refuses(run("--barriers -1"),
          "muster: --barriers: '-1' is not a whole number from 1 to 10000000");
  refuses(run("2 --workers"), "muster: '2': 'muster run' takes no such argument");
  refuses(run("--threads 0"), "muster: --threads: '0' is not a whole number from 1 to 256");
  refuses(run("--workers 2"), "muster: --workers: 'muster run' has no such option");
  refuses(run("--load 0.1:0.3"), "muster: --load: '0.1:0.3' is not a number;");
  refuses(run("--packet-length 9:3"),
          "muster: --packet-length: '9:3' is not a whole number from 3 to 65535");
  for (const char* flits : {"0", "2", "65536", "4294967296"})  // one range, whatever else is wrong
    refuses(run(std::string("--packet-length ") + flits), "is not a whole number from 3 to 65535");
  refuses(run("--engine 'x\ny'"), "engine");
  refuses("run 'no\nfile'", "no\\x0afile");
  refuses(run("--engine verilog"), "golden");
  refuses(run("--scheme magic"), "--scheme 'magic': unknown name; known are btin");
  refuses(run("--scheme nic-pairwise --drop 2"), "--drop 2: must be a share of packets");
  refuses(run("--scheme nic-pairwise --degree 3"), "--degree: pairwise exchange has no degree");
  refuses(run("--group paper --scheme nic-dissemination --degree 1"),
          "muster: --degree 1: the radix of dissemination must be at least 2");
  refuses(run("--serial --scheme unicast"), "--serial: scheme 'unicast' has no barrier registers");
  refuses(run("--drop 0.1"), "muster: --drop: scheme 'btin' has no NICs");
  refuses(run("--bus-cycles 5"), "muster: --bus-cycles: scheme 'btin' has no NICs");
  refuses(run("--hop 0"), "muster: --hop: '0' is not a whole number from 1 to 1000");
  refuses(run("--group paper --hop 4 --scheme bsr-1"),
          "a hop takes 4 cycles, fewer than the 5 of scheme 'bsr-1'; use a longer --hop");
  refuses(run("--profile fast"), "--profile 'fast': unknown name; known are native");
  refuses(run("--config nope"), "--config 'nope': unknown name; known are ");
  refuses(run("--engine nope"), "--engine 'nope': unknown name; known are golden");
  refuses("topo export " + kFigure1 + " --format nope",
          "--format 'nope': unknown name; known are dot, anynet, graphml, json");
  refuses(run("--barrier-vc mine"), "--barrier-vc");
}

TEST_CASE("a group that cannot be is refused with the reason", "[app][bad-input]") {
  refuses(run("--group nosuch"), "no group of this name");
  refuses(run("--group 0:3,0:3"), "named twice");
  refuses(run("--group 0:0"), "no node at 0:0");
  refuses(run("--group n99"), "n99");
  refuses(run("--group random:27"), "26");
  refuses(run("--group random:27"), "figure1.json: group \"random:27\"");
  for (const char* n : {"0", "1000", "x"})
    refuses(run(std::string("--group random:") + n), "N must be 1 to 26, the nodes of the network");
  refuses(run("--group ''"), "group");
  refuses(run("--group gruppe-grün"), "group \"gruppe-grün\"");
  refuses("tree " + kFigure1 + " --group 9:0", "figure1.json: group \"9:0\"");
}

TEST_CASE("options that contradict each other or the network are refused", "[app][bad-input]") {
  refuses(run("--load 0.1 --load-flits 0.1"), "exclude");
  refuses(run("--load -1"), "negative");
  refuses(run("--load nan"), "finite");
  refuses(run("--load 1e308"), "muster: --load 1e+308: at most ");
  refuses(run("--load-flits 9"),
          "--load-flits 9: at most 8 here, one packet of 8 flits per node and cycle");
  refuses(run("--load-flits inf"), "finite");
  refuses(run("--config sw99"), "sw8v1");
  refuses(run("--config sw4"), "4 ports where 8 are needed");
  refuses(run("--config mc8"), "'mc8' is a multicast switch; this run needs barrier ones");
  refuses(run("--scheme multicast --config mc4"), "4 ports where 8 are needed");
  CHECK(muster_command(run("--barriers 1 --group paper --scheme multicast --config mc8")).status ==
        0);
  refuses(run("--config sw8v1 --barrier-vc own"), "use no virtual channel");
  const std::string five = "--group paper --group all --group all --group all --group 3:5,0:4";
  const std::string reason =
      "figure1.json: switch 0 is in the trees of 5 groups, 'paper', 'all', "
      "'all' and 2 more, but has 4 barrier registers; use fewer";
  refuses(run("--config sw8 " + five), reason);
  if (MUSTER_HAS_RTL) refuses(run("--engine lockstep " + five), reason);
  CHECK(muster_command(run("--barriers 1 " + five)).status == 0);  // golden has up to 16
  std::string many;
  for (int i = 0; i < 17; ++i) many += " --group all";
  refuses(run(many), "17 groups, 'all', 'all', 'all' and 14 more, but");
  refuses(run("--wave-only sw3"), "--wave");
  for (const char* name : {"n1", "sw", "-1"})
    refuses(run(std::string("--wave a.fst --wave-only=") + name),
            std::string("--wave-only '") + name +
                "': write a switch as sw3; the waveform of scheme 'btin' records switches");
  for (const char* scheme : {"btin", "unicast", "bsr-1", "nic-dissemination"}) {
    const std::string golden = std::string("--engine golden --scheme ") + scheme;
    refuses(run(golden + " --wave a.fst"),
            "muster: --wave: engine golden has no waveforms; use --engine rtl or lockstep");
    refuses(run(golden + " --random-init"),
            "muster: --random-init: engine golden has no registers without reset;");
    refuses(run(golden + " --no-assertions"),
            "muster: --no-assertions: engine golden has no assertions;");
  }
  for (const char* name : {"a.gtkw", "a.messages.txt", "a.vcd", "-"})
    refuses(run(std::string("--wave ") + name), "use the suffix .fst");
  refuses(run("--wave a.fst --json ./a.gtkw"), "already an output file");
  refuses(run("--absent 3:4"), "@");
  refuses(run("--absent 3:4@10"), "0 to 9");
  refuses(run("--absent 3:4@4294967296"), "0 to 9");
  refuses(run("--absent 3:4,3:5@1"), "--absent");
  refuses(run("--absent all@1"), "--absent");
  refuses(run("--absent 3:5@1 --group paper"), "not a member of any group");
  refuses(run("--stop-link 3:0-8:0@1"), "no such link");
  refuses(run("--stop-link n8@99999999999"),
          "--stop-link 'n8@99999999999': '99999999999' is not a whole number from 0 to 1000000000");
  refuses(run("--link-retry --flap 3:0-0:1@100"), "write cycle and duration as 3:0-0:0@500+20");
  refuses(run("--link-retry --flap 3:0-0:1@100+0"), "'0' is not a whole number from 1");
  refuses(run("--link-retry --flap 3:0-8:0@1+1"), "no such link");
  refuses(run("--flap 3:0-0:1@100+10"), "add --link-retry, or use --stop-link");
  refuses(run("--link-drop 0.1"), "add --link-retry");
  refuses(run("--link-retry --link-corrupt 0.7"), "a share of frames from 0 to 0.5");
  refuses(run("--link-retry --link-drop nan"), "--link-drop");
  refuses(run("--link-retry --scheme bsr-2"), "barrier messages of one flit");
  refuses(run("--absent n3@-1"), "--absent 'n3@-1': '-1' is not a whole number from 0 to 9");
}

TEST_CASE("choices of preempting switches and centers are checked", "[app][bad-input][preempt]") {
  refuses(run("--center best"), "--center");
  refuses(run("--center lowest"), "--center: scheme 'btin' has no center");
  refuses(run("--scheme bsr-1 --gap 256"), "0 to 255");
  refuses(run("--scheme bsr-1 --idle -1"), "--idle: '-1' is not a whole number from 0 to 255");
  refuses(run("--scheme bsr-1 --longest 65536"), "0 to 65535");
  refuses(run("--scheme bsr-1 --padding maybe"), "--padding");
  refuses(run("--congestion 5"), "needs '@'");
  refuses(run("--congestion x@5"), "--congestion 'x@5': 'x' is not a whole number from 0 to 26");
  refuses(run("--congestion 5@x"), "'x' is not a whole number from 0 to");
  refuses(run("--congestion 5@10000000"), "'10000000' is not a whole number from 0 to 1000000");
  refuses(run("--group 3:4,3:6 --congestion 3@10"), "group '3:4,3:6' has 2");
  refuses(run("--setup in-band --kill-link 3:1-1:1@500 --congestion 1@10"), "--congestion");
  for (const char* option : {"--gap 2", "--idle 16", "--longest 256", "--random", "--padding on"})
    refuses(run("--scheme unicast " + std::string(option)),
            std::string("muster: ") + std::string(option).substr(0, std::string(option).find(' ')) +
                ": scheme 'unicast' has no preempting switches");
}

TEST_CASE("what only trees in switches have is refused of other schemes", "[app][bad-input]") {
  for (const std::string scheme : {"unicast", "nic-broadcast"})
    for (const auto& [option, reason] : std::map<std::string, std::string>{
             {"--turn", "has no root switch that can reflect"},
             {"--root 3", "has no root switch to choose"},
             {"--op sum", "carries no data of the members"},
             {"--data-bits 3", "carries no data of the members"},
             {"--serial", "has no barrier registers in switches"},
             {"--many", "has no groups in switches"},
             {"--retry", "has no barrier registers in switches"},
             {"--leave 3:4@2", "cannot change its members; use btin"},
             {"--spill", "has no groups in switches to spill"},
             {"--setup in-band", "has no groups in switches to set up"}}) {
      const std::string name =
          option.starts_with("--setup") ? option : option.substr(0, option.find(' '));
      refuses(run("--group paper --scheme " + scheme + " " + option),
              "muster: " + name + ": scheme '" + scheme + "' " + reason);
    }
}

TEST_CASE("numbers are decimal whatever they begin with", "[app]") {
  CHECK(
      muster_command("run " + kFigure1 + " --group paper --barriers 010").out.find("10 barriers") !=
      std::string::npos);
}

using namespace muster::test;

namespace {

std::string of_figure1(const std::string& options) { return "run " + kFigure1 + " " + options; }

}  // namespace

TEST_CASE("changes of groups and links that cannot be are refused", "[app][bad-input][change]") {
  const auto changes = [](const std::string& options) {
    return of_figure1("--group paper --setup in-band " + options);
  };
  refuses(of_figure1("--group paper --leave 3:4@2"),
          ": --leave: only groups that are set up in band");
  refuses(of_figure1("--group paper --kill-link 3:1-1:1@500"),
          ": --kill-link: only groups that are set up in band");
  refuses(changes("--leave 3:4"), "needs '@'");
  refuses(changes("--leave 3:4@x"), "'x' is not a whole number from 0 to");
  refuses(changes("--leave 3:4@0"), "before barriers 1 to 9");
  refuses(changes("--leave 3:4@10"), "before barriers 1 to 9");
  refuses(changes("--leave 3:4@2/1"), "unknown group 1");
  refuses(changes("--leave 2:1@2"), "is not a member");
  refuses(changes("--join 3:4@2"), "is a member already");
  refuses(changes("--leave 3:4@2 3:4@4"), "--leave '3:4@4': is not a member");
  refuses(changes("--leave 3:4@2 --join 3:4@2"), "joins and leaves at the same barrier");
  refuses(changes("--leave 3:4@2 --leave 3:4@2"), "--leave '3:4@2': is named twice");
  refuses(changes("--leave 3:4@4294967298"), "--leave '3:4@4294967298': '4294967298' is not");
  refuses(changes("--kill-link 4294967299:1-1:1@500"), "'4294967299' is not a whole number");
  refuses(changes("--join 0:0@2"), "no node at 0:0");
  refuses(changes("--group 3:4,3:6 --leave 3:4@2"), "ambiguous among 2 groups");
  refuses(changes("--evict-after 500"), "--evict-after: needs groups");
  refuses(of_figure1("--group paper --spill --evict-after 500"), "--evict-after: needs groups");
  refuses(changes("--spill --evict-after 0"), "'0' is not a whole number from 1 to 1000000000");
  refuses(of_figure1("--group paper --setup-drop 0.1"),
          "--setup-drop: only messages of the in-band set-up");
  for (const char* share : {"0.6", "-0.1", "nan"})
    refuses(changes(std::string("--setup-drop ") + share), "--setup-drop");
  refuses(of_figure1("--group paper --scheme unicast --evict-after 9"), "scheme 'unicast'");
  refuses(of_figure1("--group paper --scheme unicast --setup-drop 0.1"), "scheme 'unicast'");
  refuses(of_figure1("--group paper --setup in-band --scheme unicast --leave 3:4@2"), "unicast");
  refuses(changes("--kill-link 3:1-1:1"), "needs '@'");
  refuses(changes("--kill-link 3:1@5"), "write a link");
  refuses(changes("--kill-link 3:1-1:1@1000000001"), "from 0 to 1000000000");
  refuses(changes("--kill-link n3@5"), "write a link");
  refuses(changes("--kill-link 3:1-4:1@5"), "there is no link 3:1-4:1");
  refuses(changes("--kill-link 2:0-8:0@5"), "nothing joins switches 2 and 8");
  refuses(changes("--kill-link 99:0-8:0@5"), "there is no link 99:0-8:0");
  refuses(changes("--kill-link 3:1-1:1@5 --kill-link 1:1-3:1@9"), "there is no link 1:1-3:1");
}

TEST_CASE("deaths that cannot be are refused", "[app][bad-input][death]") {
  const auto deaths = [](const std::string& options) {
    return of_figure1("--group paper --link-retry " + options);
  };
  refuses(of_figure1("--group paper --kill-switch sw3@500"),
          ": --kill-switch 'sw3@500': without link ends the death is not detected");
  refuses(of_figure1("--group paper --kill-node n3@500"), "add --link-retry");
  refuses(of_figure1("--group paper --reset-switch 3@500"), "add --link-retry");
  refuses(deaths("--kill-switch sw3"), "--kill-switch 'sw3': needs '@'");
  refuses(deaths("--kill-switch sw9@5"), "--kill-switch 'sw9@5': switch 9 does not exist");
  refuses(deaths("--kill-switch n3@5"), "--kill-switch 'n3@5' 'n3': write a switch as sw3");
  refuses(deaths("--kill-switch sw3@x"), "'x' is not a whole number from 0 to 1000000000");
  refuses(deaths("--kill-switch 4294967299@5"), "switch 4294967299 does not exist");
  refuses(deaths("--kill-node n26@5"), "--kill-node 'n26@5': ");
  refuses(deaths("--kill-node 0:0@5"), "no node at 0:0");
  refuses(deaths("--kill-node sw3@5"), "--kill-node 'sw3@5': ");
  refuses(deaths("--reset-switch 3:4@5"), "write a switch as sw3");
  refuses(deaths("--reset-switch sw3@1000000001"), "from 0 to 1000000000");
  refuses(deaths("--kill-switch sw3@5 3@9"), "--kill-switch 'sw3@9': --kill-switch 'sw3@5' is");
  refuses(deaths("--kill-switch sw3@5 --reset-switch sw3@9"), "--reset-switch 'sw3@9': --kill");
  for (const char* scheme : {"multicast", "tree-units"})
    refuses(deaths("--kill-node n3@5 --scheme " + std::string(scheme)),
            "'" + std::string(scheme) + "' does not support deaths; use btin, ");
  refuses(of_figure1("--group paper --cut-link n3@500"), "add --link-retry");
  refuses(deaths("--cut-link 2:0-3:0@5"), "--cut-link '2:0-3:0@5': no such link");
  refuses(deaths("--cut-link n3"), "needs '@'");
  refuses(deaths("--kill-node n3@5 --setup in-band"), "--setup in-band: it does not support dead");
  refuses(deaths("--kill-node n3@5 --spill"), "--spill: it does not support dead");
}

TEST_CASE("links that cannot die are refused, whatever the scheme", "[app][bad-input][change]") {
  for (const char* scheme : {"bsr-1", "bsr-2", "bsr-3"}) {
    const auto bsr = [&](const std::string& options) {
      return of_figure1("--group paper --scheme " + std::string(scheme) + " " + options);
    };
    refuses(bsr("--kill-link 3:1-1:1"), "needs '@'");
    refuses(bsr("--kill-link 3:1@5"), "write a link");
    refuses(bsr("--kill-link 3:1-4:1@5"), "there is no link 3:1-4:1");
    refuses(bsr("--kill-link 2:0-8:0@5"), ": --kill-link: without link 2:0-8:0 nothing joins");
    refuses(bsr("--kill-link 3:1-1:1@5 3:1-1:1@9"), "there is no link 3:1-1:1");
    refuses(bsr("--kill-link 3:1-1:1@5 --congestion 1@10"), "--congestion: --kill-link also");
    refuses(bsr("--kill-link 3:1-1:1@5 --setup in-band"), "--setup in-band: scheme");
    refuses(bsr("--kill-link 3:1-1:1@5 --leave 3:4@2"), "--leave: scheme");
  }
  refuses(
      of_figure1("--group paper --scheme star --kill-link 3:1-1:1@5"),
      "--kill-link: scheme 'star' cannot route around dead links; use btin, bsr-1, bsr-2, bsr-3");
}

TEST_CASE("messages that are lost or sent again where they cannot be are refused",
          "[app][bad-input][retry]") {
  const auto retry = [](const std::string& options) {
    return of_figure1("--group paper --retry " + options);
  };
  refuses(of_figure1("--group paper --message-drop 0.1"),
          "--message-drop: lost or duplicated messages");
  refuses(of_figure1("--group paper --message-duplicate 0.1"), "--message-duplicate: lost or");
  refuses(of_figure1("--group paper --retry-period 9"),
          "--retry-period: messages are repeated only");
  refuses(retry("--message-drop 0.95"), "--message-drop 0.95: is not in 0..0.9");
  refuses(retry("--message-duplicate nan"), "--message-duplicate");
  refuses(retry("--retry-period 0"), "'0' is not a whole number from 1 to 65535");
  refuses(retry("--retry-period 65536"), "from 1 to 65535");
  refuses(retry("--serial"), "--serial: registers of --retry");
  refuses(retry("--many"), "--many: groups in block RAM do not repeat");
  refuses(retry("--spill"), "--spill: spilled groups do not repeat");
  refuses(retry("--setup in-band"), "--setup in-band: the host sets up");
  refuses(retry("--scheme unicast"), "--retry: scheme 'unicast'");
  refuses(retry("--message-drop 0.1 --link-retry"),
          "--link-retry: links with --link-retry lose frames");
  refuses(retry("--suspect-after 0"), "--suspect-after");
  refuses(retry("--retry-period 2 --suspect-after 7141"), "--suspect-after 7141: with --retry-per");
  refuses(of_figure1("--group paper --suspect-after 9"),
          "--suspect-after: registers become suspect only with --retry");
  refuses(retry("--message-drop 0.1 --profile btin"), "--message-drop: links with the delay pipe");
}
