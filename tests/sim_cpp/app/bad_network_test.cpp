// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

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
