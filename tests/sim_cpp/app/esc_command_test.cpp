// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"
#include "support/folder.hpp"

using namespace muster::test;
using Catch::Matchers::Contains;

namespace {

const std::string kSmall = "esc --pes 16 --mean 200 --sessions 3 ";

}  // namespace

TEST_CASE("esc refuses what cannot be, in one line", "[app][esc][bad-input]") {
  refuses("esc --pes 100", "power of the box size");
  refuses("esc --pes 128", "power of the box size 4");
  refuses("esc --pes 131072 --box 2", "65536");
  refuses("esc --box 3", "2, 4 or 8");
  refuses("esc --buffer 0", "1 to 64");
  refuses("esc --rate 1", "below 1");
  refuses("esc --rate -0.1", "--rate");
  refuses("esc --rate nan", "--rate");
  refuses("esc --rate-change 0.8", "such as 3100:0.8");
  refuses("esc --rate-change 3100:1.5", "below 1");
  refuses("esc --sigma -1", "--sigma");
  refuses("esc --mean 100", "warm-up");
  refuses("esc --sigma 800 --mean 3000", "at least 3300");
  refuses("esc --policy hot-section:3", "power of two");
  refuses("esc --policy hot-section:512", "256 PEs");
  refuses("esc --policy hot-section:x", "not a number");
  refuses("esc --policy best", "isolated-bg");
  refuses("esc --policy hot-section:-1", "sections, must be 1 to the number of PEs");
  refuses("esc --policy throttle:99999999999999", "must be 1 to the packets of an output buffer");
  refuses("esc --sessions 0", "--sessions: '0' is not a whole number from 1 to 4294967295");
  refuses("esc --sessions 99999999999", "is not a whole number from 1 to 4294967295");
  refuses("esc --hot-spots 0", "--hot-spots: '0' is not a whole number from 1 to 32768");
  refuses("esc --hot 256", "unknown PE");
  refuses("esc --engine verilog", "golden");
  refuses("esc --release pigeon", "--release");
  refuses("esc --pattern none", "uniform");
  refuses("esc --threads 0", "muster: --threads: '0' is not a whole number from 1 to 256");
  refuses("esc --pes -4", "muster: --pes: '-4' is not a whole number from 4 to 65536");
  refuses("esc --thread 2", "muster: --thread: 'muster esc' has no such option");
  refuses("esc 256", "'256': 'muster esc' takes no such argument");
  refuses("esc --json /nowhere/x.json", "/nowhere");
}

TEST_CASE("esc refuses faults that cannot be or that cut a pair off", "[app][esc][bad-input]") {
  refuses(kSmall + "--fault box:9:0", "stages with boxes");
  refuses(kSmall + "--fault link:2:99", "0 to 15");
  refuses(kSmall + "--fault crossbar", "box:STAGE:BOX");
  refuses(kSmall + "--fault box:0:99999999999999999", "the number is too large");
  refuses(kSmall + "--fault box:99999999999999999:0", "the number is too large");
  refuses(kSmall + "--fault box:0:99999999999999999x", "box:STAGE:BOX");
  refuses(kSmall + "--fault box:1:0 --fault box:1:1 --fault box:1:2 --fault box:1:3",
          "without a route");
  refuses(kSmall + "--fault box:1:0 --policy throttle:4", "omit --fault");
}

#if MUSTER_HAS_RTL
TEST_CASE("esc refuses combining boxes that are not built", "[app][esc][bad-input]") {
  for (const char* engine : {"rtl", "lockstep"})
    refuses(kSmall + "--policy combining --buffer 63 --engine " + engine,
            "for --policy combining --box 4 --buffer 12");
}
#endif

TEST_CASE("esc prints averages with half-widths and repeats itself", "[app][esc]") {
  const Outcome one = muster_command(kSmall + "--threads 1 --policy hot-section:4 --json -");
  const Outcome two = muster_command(kSmall + "--threads 3 --policy hot-section:4 --json -");
  CHECK(one.status == 0);
  auto once = valid_json(one.out), again = valid_json(two.out);
  CHECK(once["parameters"]["policy"] == "hot-section:4");
  CHECK(once["violations"] == 0);
  for (const char* name : {"mu_syn", "mu_bg_total", "mu_bg_hot", "active_session_cycles"}) {
    CAPTURE(name);
    CHECK(once[name]["mean"].is_number());
    CHECK(once[name]["half_width"].is_number());
  }
  for (auto* result : {&once, &again})
    for (const char* varies : {"seconds", "command"}) result->erase(varies);
  CHECK(once == again);
  CHECK_THAT(muster_command(kSmall).out, Contains("mu_BG(HS)") && Contains("0 violations"));
}

TEST_CASE("esc says what changed and which policy chose K", "[app][esc]") {
  const Outcome got = muster_command(
      kSmall + "--rate 0.2 --rate-change 190:0.9 --policy hot-section:auto --json -");
  CHECK(got.status == 0);
  const auto result = valid_json(got.out);
  CHECK(result["parameters"]["policy"] == "hot-section:auto");
  CHECK(result["parameters"]["rate_change"]["cycle"] == 190);
  CHECK(result["parameters"]["rate_change"]["rate_messages_per_pe_cycle"] == 0.9);
  CHECK(result["violations"] == 0);
}

TEST_CASE("a default mean leaves a warm-up for any sigma", "[app][esc]") {
  CHECK(muster_command("esc --pes 4 --sessions 1 --sigma 2000").status == 0);
}

TEST_CASE("esc warns of a rate that the input stage cannot carry", "[app][esc]") {
  const Outcome got = muster_command(kSmall + "--policy isolated-bg --rate 0.9");
  CHECK(got.status == 0);
  CHECK_THAT(got.err, Contains("warning") && Contains("grow without bound"));
  CHECK(muster_command(kSmall + "--rate 0.9").err.empty());
}
