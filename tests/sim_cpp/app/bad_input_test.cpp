// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"

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

TEST_CASE("numbers are decimal whatever they begin with", "[app]") {
  CHECK(
      muster_command("run " + kFigure1 + " --group paper --barriers 010").out.find("10 barriers") !=
      std::string::npos);
}
