// SPDX-License-Identifier: Apache-2.0
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
    refuses("run " + net + " --engine rtl",
            "2048 destinations where 2112 are needed; build one: scripts/model own "
            "muster_barrier_switch Depth=4 Dests=2112 FlitW=");
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
  refuses_file("{\"schema\": \"muster-topology-1\", \"switches\": [", "net.json");
  refuses_file("\xEF\xBB\xBFrouter 0 node 0", "net.json: start: a byte order mark");
  refuses_file("{\"schema\": \"muster-topology-1\", \"name\": \"a\\u0000\"}",
               "name: \"a?\" has the control character \\u0000; remove it");
  refuses_file(R"({"schema": "muster-topology-1", "switches": [{"ports": 4}], "links": [],
                  "nodes": [{"at": [0, 0]}], "groups": {"grün": ["n0"]}})",
               "groups.\"grün\": this cannot name a group");
}

// The commands of tests/recorded that end with status 2 have their lines word by word; here is what
// they leave.
TEST_CASE("a wrong command line is one clear line and status 2", "[app][bad-input]") {
  refuses_all("", {{"", "muster: a subcommand is required: topo, "},
                   {"topo gen", "muster: a subcommand is required: irregular, "},
                   {"topo dance", "'dance': 'muster topo' takes no such"},
                   {"dance --wild 3", "'dance': 'muster' takes no such"},
                   {"run 'no\nfile'", "no\\x0afile"}});
  refuses_all(run(""),
              {{"--group 3:4 --barriers 4294967295", "a whole number from 1 to 10000000"},
               {"--group 3:4,3:5 --group all --barriers 10000000", "at most 10000000 barriers"},
               {"2 --workers", "'2': 'muster run' takes no such argument"},
               {"--load 0.1:0.3", "--load: '0.1:0.3' is not a number;"},
               {"--engine 'x\ny'", "engine"},
               {"--bus-cycles 5", "--bus-cycles: scheme 'btin' has no NICs"},
               {"--group paper --hop 4 --scheme bsr-1", "use a longer --hop"}});
}

TEST_CASE("a group that cannot be is refused with the reason", "[app][bad-input]") {
  refuses_all(run("--group "), {{"0:0", "no node at 0:0"},
                                {"n99", "n99"},
                                {"random:0", "N must be 1 to 26, the nodes of the network"},
                                {"''", "group"},
                                {"gruppe-grün", "figure1.json: group \"gruppe-grün\""}});
}

TEST_CASE("options that contradict each other or the network are refused", "[app][bad-input]") {
  const std::string five = "--group paper --group all --group all --group all --group 3:5,0:4";
  const std::string reason = "figure1.json: switch 0 is in the trees of 5 groups, 'paper', 'all',";
  std::string many;
  for (int i = 0; i < 17; ++i) many += " --group all";
  refuses_all(run(""),
              {{"--load -1", "--load -1: is not in 0..inf"},
               {"--load-flits 9", "--load-flits 9: at most 8 here"},
               {"--load-flits inf", "finite"},
               {"--config sw8 " + five, reason},
               {many, "17 groups, 'all', 'all', 'all' and 14 more, but"},
               {"--wave a.fst --json ./a.gtkw", "already an output file"},
               {"--absent 3:4", "@"},
               {"--absent 3:4,3:5@1", "--absent"},
               {"--absent all@1", "--absent"},
               {"--link-retry --flap 3:0-0:1@100", "write cycle and duration as 3:0-0:0@500+20"},
               {"--link-retry --flap 3:0-0:1@100+0", "'0' is not a whole number from 1"},
               {"--link-retry --flap 3:0-8:0@1+1", "no such link"},
               {"--flap 3:0-0:1@100+10", "add --link-retry, or use --stop-link"},
               {"--link-retry --link-corrupt 0.7", "is not in 0..0.5"},
               {"--link-retry --scheme bsr-2", "barrier messages of one flit"},
               {"--link-retry --profile btin", "has delay pipes"}});
  if (MUSTER_HAS_RTL) refuses(run("--engine lockstep " + five), reason);
  for (const std::string& fits :
       {std::string("--group paper --scheme multicast --config mc8"), five})
    CHECK(muster_command(run("--barriers 1 " + fits)).status == 0);  // golden has up to 16
  for (const std::string name : {"n1", "sw", "-1"})
    refuses(run("--wave a.fst --wave-only=" + name),
            "--wave-only: the waveform of scheme 'btin' records switches: switch '" + name + "'");
  for (const std::string scheme : {"btin", "unicast", "bsr-1", "nic-dissemination"})
    for (const std::string option : {"--wave a.fst", "--random-init", "--no-assertions"})
      refuses(run("--engine golden --scheme " + scheme + " " + option),
              "muster: " + option.substr(0, option.find(' ')) + ": engine golden has no");
  for (const std::string name : {"a.gtkw", "a.messages.txt", "a.vcd", "-"})
    refuses(run("--wave " + name), "use the suffix .fst");
}

TEST_CASE("what larger switches do not have is refused with their ports", "[app][bad-input]") {
  const Folder folder;
  const std::string wide = folder.file("wide.json"), largest = folder.file("largest.json");
  REQUIRE(muster_command("topo gen clos --ports 20 --leaves 1 --out " + wide).status == 0);
  REQUIRE(muster_command("topo gen clos --ports 64 --leaves 1 --out " + largest).status == 0);
  refuses("topo gen clos --ports 66", "--ports");
  refuses_all("run " + wide + " ",
              {{"--setup in-band", "masks of 16 ports, a switch of the network has 20"},
               {"--spill", "20 ports, and barrier switches with Spill have 16 at most"},
               {"--scheme bsr-1", "20 ports, and bsr-1 switches have 16 at most"}});
  if (!MUSTER_HAS_RTL) return;
  refuses("run " + largest + " --engine rtl", "no RTL of barrier switches has more than 32");
  refuses("run " + wide + " --engine rtl --scheme multicast",
          "has more than 16; use engine golden");
}

TEST_CASE("routes of a dragonfly are refused where there are none", "[app][bad-input]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(muster_command("topo gen dragonfly --out " + net).status == 0);
  refuses(run("--routes minimal"), "is no dragonfly");
  refuses("saturate " + kFigure1 + " --routes valiant", "is no dragonfly");
  refuses("run " + net + " --routes shortest", "--routes");
  refuses("run " + net + " --routes valiant --config sw8", "sw8");
  if (MUSTER_HAS_RTL)
    for (const std::string engine : {"rtl", "lockstep"})
      refuses("run " + net + " --routes minimal --engine " + engine, "use --engine golden");
}

TEST_CASE("packets of a file and what is drawn exclude each other", "[app][bad-input]") {
  const Folder folder;
  folder.write("p.txt", "5 0 1 8\n7 1 0 300\n");
  const std::string packets = "--packets " + folder.file("p.txt");
  refuses_all(run(packets + " "), {{"--load 0.1", "--load"},
                                   {"--pattern reverse", "--pattern"},
                                   {"--packet-mix 4:1", "--packet-mix"},
                                   {"--no-barriers", "add --min-cycles, and --load or --packets"}});
  refuses_all(run(""), {{"--packets " + folder.file("none.txt"), "none.txt"},
                        {"--load 0.1 --packet-mix 4", "write FLITS:SHARE,..."},
                        {"--load 0.1 --packet-mix 4:1 --packet-length 4", "--packet-length"}});
  CHECK(muster_command(run(packets + " --no-barriers --min-cycles 900")).status == 0);
  CHECK_THAT(muster_command(run(packets + " --no-barriers --min-cycles 6")).out,
             Contains("1 packet was") && Contains("1 packet of --packets begins after the end"));
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
             {"--message-drop 0.1", "has no barrier registers in switches"},
             {"--leave 3:4@2", "cannot change its members; use btin"},
             {"--spill", "has no groups in switches to spill"},
             {"--setup in-band", "has no groups in switches to set up"}}) {
      const std::string name = option.starts_with("--setup") || option.starts_with("--op")
                                   ? option
                                   : option.substr(0, option.find(' '));
      refuses(run("--group paper --scheme " + scheme + " " + option),
              "muster: " + name + ": scheme '" + scheme + "' " + reason);
      refuses(run("--no-barriers --load 0.1 --min-cycles 500 --scheme " + scheme + " " + option),
              "muster: " + name + ": scheme '" + scheme + "' " + reason);
    }
}

TEST_CASE("changes of groups and links that cannot be are refused", "[app][bad-input][change]") {
  refuses_all(
      run("--group paper "),
      {{"--kill-link 3:1-1:1@500", "--kill-link: only groups that are set up in band"},
       {"--spill --evict-after 500", "--evict-after: needs groups"},
       {"--setup-drop 0.1", "--setup-drop: only messages of the in-band set-up"},
       {"--scheme unicast --evict-after 9", "scheme 'unicast'"},
       {"--setup in-band --scheme unicast --leave 3:4@2", "unicast"},
       {"--scheme star --kill-link 3:1-1:1@5", "cannot route around dead links; use btin"}});
  refuses_all(run("--group paper --setup in-band "),
              {{"--leave 3:4", "needs '@'"},
               {"--leave 3:4@0", "before barriers 1 to 9"},
               {"--leave 3:4@2/1", "unknown group 1"},
               {"--leave 3:4@2 3:4@4", "--leave '3:4@4': is not a member"},
               {"--leave 3:4@2 --join 3:4@2", "joins and leaves at the same barrier"},
               {"--leave 3:4@2 --leave 3:4@2", "--leave '3:4@2': is named twice"},
               {"--join 0:0@2", "no node at 0:0"},
               {"--group 3:4,3:6 --leave 3:4@2", "ambiguous among 2 groups"},
               {"--evict-after 500", "--evict-after: needs groups"},
               {"--kill-link 3:1-1:1", "needs '@'"},
               {"--kill-link n3@5", "write a link"},
               {"--kill-link 3:1-4:1@5", "--kill-link '3:1-4:1@5': no such link"},
               {"--kill-link 3:1-1:1@5 --kill-link 1:1-3:1@9", "there is no link 1:1-3:1"}});
}

TEST_CASE("deaths that cannot be are refused", "[app][bad-input][death]") {
  refuses_all(run("--group paper "), {{"--kill-node n3@500", "add --link-retry"},
                                      {"--reset-switch 3@500", "add --link-retry"},
                                      {"--cut-link n3@500", "add --link-retry"}});
  refuses_all(run("--group paper --link-retry "),
              {{"--kill-switch sw9@5", "--kill-switch 'sw9': no such switch"},
               {"--kill-node n26@5", "--kill-node 'n26@5': "},
               {"--kill-node 0:0@5", "no node at 0:0"},
               {"--kill-node sw3@5", "--kill-node 'sw3@5': "},
               {"--reset-switch 3:4@5", "write its number, as sw3"},
               {"--kill-switch sw3@5 3@9", "--kill-switch 'sw3@9': --kill-switch 'sw3@5' is"},
               {"--kill-switch sw3@5 --reset-switch sw3@9", "--reset-switch 'sw3@9': --kill"},
               {"--kill-node n3@5 --scheme multicast", "'multicast' does not support deaths; use"},
               {"--kill-node n3@5 --scheme tree-units", "'tree-units' does not support deaths"},
               {"--cut-link 2:0-3:0@5", "--cut-link '2:0-3:0@5': no such link"},
               {"--kill-node n3@5 --setup in-band", "--setup in-band: it does not support dead"},
               {"--kill-node n3@5 --spill", "--spill: it does not support dead"}});
}

TEST_CASE("messages that are lost or sent again where they cannot be are refused",
          "[app][bad-input][retry]") {
  refuses_all(run("--group paper "),
              {{"--message-drop 0.1", "--message-drop: lost or duplicated messages"},
               {"--message-duplicate 0.1", "--message-duplicate: lost or"},
               {"--retry-period 9", "--retry-period: messages are repeated only"},
               {"--suspect-after 9", "--suspect-after: registers become suspect only"}});
  refuses_all(run("--group paper --retry "),
              {{"--message-drop 0.95", "--message-drop 0.95: is not in 0..0.9"},
               {"--serial", "--serial: registers of --retry"},
               {"--many", "--many: groups in block RAM do not repeat"},
               {"--spill", "--spill: spilled groups do not repeat"},
               {"--setup in-band", "--setup in-band: the host sets up"},
               {"--scheme unicast", "--retry: scheme 'unicast'"},
               {"--message-drop 0.1 --link-retry", "--link-retry: links with --link-retry lose"},
               {"--retry-period 2 --suspect-after 7141", "--suspect-after 7141: with --retry-per"},
               {"--message-drop 0.1 --profile btin", "--message-drop: links with the delay pipe"}});
}
