// SPDX-License-Identifier: Apache-2.0
#include "run/packet_trace.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a trace of packets is read in any order, with comments", "[workload][traffic]") {
  const test::Folder folder;
  folder.write("p.txt", "# cycle source destination flits\n30 1 0 3\n\n10 1 2 8 # first\n0 0 1 4");
  const auto trace = read_packets(folder.file("p.txt"), 3);
  REQUIRE(trace->size() == 3);
  REQUIRE((*trace)[1].size() == 2);
  CHECK((*trace)[1][0].cycle == 10);
  CHECK((*trace)[1][0].flits == 8);
  CHECK((*trace)[1][1].destination == 0);
  CHECK((*trace)[2].empty());
  CHECK(offered_flits(*trace) == Approx(15.0 / (31 * 3)));
}

TEST_CASE("a line that is no packet is refused with its number", "[workload][bad-input]") {
  const test::Folder folder;
  const std::pair<const char*, const char*> bad[] = {
      {"", "no packet; write a line CYCLE SOURCE DESTINATION FLITS"},
      {"# none\n", "no packet"},
      {"1 0 1", "line 1: write CYCLE SOURCE DESTINATION FLITS"},
      {"1 0 1 8\n2 0 1 8 9", "line 2: more than four numbers"},
      {"1 0 1 x", "line 1: 'x' is not a whole number"},
      {"-1 0 1 8", "'-1' is not a whole number"},
      {"1 0 3 8", "there is no node 3; the network has 3"},
      {"1 7 0 8", "there is no node 7"},
      {"1 0 1 2", "a data packet has 3 to 65535 flits, not 2"},
      {"99999999999999999 0 1 8", "is above"},
      {"99999999999999999999999 0 1 8", "is not a whole number"}};
  for (const auto& [text, reason] : bad) {
    CAPTURE(text);
    folder.write("p.txt", text);
    CHECK_THROWS_WITH(read_packets(folder.file("p.txt"), 3), Contains("p.txt") && Contains(reason));
  }
}

TEST_CASE("a mix of lengths is read and written, or refused", "[workload][bad-input]") {
  CHECK(mix_text(parse_mix("4:3,64:1")) == "4:3,64:1");
  const std::pair<const char*, const char*> bad[] = {
      {"4", "write FLITS:SHARE,..."}, {"4:", "write FLITS:SHARE"},
      {"4:1,,5:1", "write FLITS"},    {"a:1", "write FLITS:SHARE"},
      {"2:1", "3 to 65535 flits"},    {"4:0", "a share is 1 to 1000000"},
      {"4:1x", "write FLITS:SHARE"}};
  for (const auto& [text, reason] : bad) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_mix(text), Contains("--packet-mix") && Contains(reason));
  }
}

}  // namespace
}  // namespace muster::run
