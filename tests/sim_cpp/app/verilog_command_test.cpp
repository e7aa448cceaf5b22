// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

static std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_CASE("an exported module has an instance for each switch, node and long channel",
          "[app][topo]") {
  const std::string tree = std::string(MUSTER_SOURCE_DIR) + "/tests/verif/generated/tree.json";
  const Outcome got = muster_command("topo export " + tree + " --format verilog --group far");
  REQUIRE(got.status == 0);
  CHECK(times_in(got.out, "\nmodule muster_tree #(") == 1);
  CHECK(times_in(got.out, "\n  muster_barrier_switch #(") == 3);
  CHECK(times_in(got.out, "\n  muster_network_node #(") == 4);
  // From reset on nodes know their addresses, and how many there are.
  CHECK(times_in(got.out, ".Dests(64), .Address(") == 4);
  CHECK(times_in(got.out, ".Address(3)\n  ) node3 (") == 1);
  CHECK(times_in(got.out, "\n  muster_link_relay #(") == 4);  // a link and a node's link, both ways
  CHECK(times_in(got.out, "/* verilator lint_off UNUSEDSIGNAL */") == 1);
  CHECK(times_in(got.out, ".Stages(2)") == 2);
  CHECK(times_in(got.out, " is open.\n") == 3 * 4 - 8);
  std::istringstream lines(got.out.substr(0, got.out.rfind('\n')));
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  // The group's two members are on two leaves: a register in each and one in the root.
  CHECK(times_in(got.out, "// children of register 0") == 3);
}

TEST_CASE("a name with control characters stays on its line of the module", "[app][topo]") {
  const Folder folder;
  folder.write("pair.net.json",
               "{\"schema\": \"muster-topology-1\", \"name\": \"a `b\", \"switches\": "
               "[{\"ports\": 3}], \"links\": [], \"nodes\": [{\"at\": [0, 0]}, {\"at\": [0, 1]}]}");
  const Outcome got =
      muster_command("topo export " + folder.file("pair.net.json") + " --format verilog");
  REQUIRE(got.status == 0);
  CHECK(times_in(got.out, "\n// Network: a `b\n") == 1);
  CHECK(times_in(got.out, "\nmodule muster_pair_net #(") == 1);
}

TEST_CASE("a module that would not work is refused", "[app][topo][bad-input]") {
  const Folder folder;
  const std::string net = folder.file("net.json");
  REQUIRE(muster_command("topo gen mesh --width 3 --height 3 --out " + net).status == 0);
  const std::string exports = "topo export " + net + " --format verilog ";
  refuses_all(exports, {{"--config sw4", "net.json: switch configuration 'sw4' is too small"},
                        {"--config sw8r", "'sw8r' repeats messages"},
                        {"--config mc8", "is a multicast switch"},
                        {"--config sw9", "sw9"},
                        {"--group n3", "--group 'n3': has one member"},
                        {"--group n99", "net.json"},
                        {"--module 2mesh", "--module '2mesh' is no name of a module"}});
  for (const char* name :
       {"muster_link_relay", "muster_fifo", "muster_pkg", "endpoint", "kind", "route_reg"})
    refuses(exports + "--module " + name, "': Muster has a module or a type of this name");
  for (const char* name : {"module", "logic", "uwire", "s_until_with"})
    refuses(exports + "--module " + name, "': a keyword of SystemVerilog; take another");
  for (const char* name : {"Logic", "fifo2", "modules"})
    CHECK(muster_command(exports + "--module " + name).status == 0);
  const std::string no_meaning = ": has no meaning for --format ";
  refuses_all("topo export " + net,
              {{" --format dot --config sw4", "--config" + no_meaning + "dot"},
               {" --group all", "--group" + no_meaning + "dot"},
               {" --format c-header --module muster", "--module 'muster': the driver has names"},
               {" --format rdl --flat", "--flat" + no_meaning + "rdl"},
               {" --flat", "--flat" + no_meaning + "dot"},
               {" --format rdl --config sw8r", "repeats messages"}});
  const std::string large = folder.file("large.json");
  REQUIRE(muster_command("topo gen mesh --width 20 --height 20 --out " + large).status == 0);
  refuses("topo export " + large + " --format verilog",
          "large.json: 400 switches; a generated module has 256 at most");
}
