// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

const std::string kSmall = "esc --pes 16 --mean 200 --sessions 3 ";

// More of them are in tests/recorded and in tests/sim_cpp/systems/esc/session_test.cpp.
TEST_CASE("esc refuses what cannot be, in one line", "[app][esc][bad-input]") {
  refuses_all("esc --", {{"pes 128", "power of the box size 4"},
                         {"pes 131072 --box 2", "65536"},
                         {"pes -4", "'-4' is not a whole number from 4 to 65536"},
                         {"buffer 0", "1 to 64"},
                         {"rate-change 3100:1.5", "below 1"},
                         {"sigma -1", "--sigma"},
                         {"mean 100", "warm-up"},
                         {"sigma 800 --mean 3000", "at least 3300"},
                         {"policy hot-section:3", "power of two"},
                         {"policy hot-section:x", "not a whole number"},
                         {"policy throttle:99999999999999", "from 1 to 64"},
                         {"sessions 0", "--sessions: '0' is not a whole number from 1"},
                         {"sessions 99999999999", "from 1 to 4294967295"},
                         {"hot-spots 0", "--hot-spots: '0' is not a whole number from 1 to 32768"},
                         {"hot 256", "unknown PE"},
                         {"engine verilog", "golden"},
                         {"release pigeon", "--release"},
                         {"threads 0", "--threads: '0' is not a whole number from 1 to 256"},
                         {"thread 2", "--thread: 'muster esc' has no such option"},
                         {"json /nowhere/x.json", "/nowhere"}});
  refuses("esc 256", "'256': 'muster esc' takes no such argument");
}

TEST_CASE("esc refuses faults that cannot be or that cut a pair off", "[app][esc][bad-input]") {
  refuses_all(kSmall + "--fault ",
              {{"link:2:99", "0 to 15"},
               {"crossbar", "box:STAGE:BOX"},
               {"box:0:99999999999999999", "the number is too large"},
               {"box:99999999999999999:0", "the number is too large"},
               {"box:0:99999999999999999x", "box:STAGE:BOX"},
               {"box:1:0 --fault box:1:1 --fault box:1:2 --fault box:1:3", "without a route"},
               {"box:1:0 --policy throttle:4", "omit --fault"}});
}

#if MUSTER_HAS_RTL
TEST_CASE("esc refuses combining boxes that are not built", "[app][esc][bad-input]") {
  for (const char* engine : {"rtl", "lockstep"})
    refuses(kSmall + "--policy combining --buffer 63 --engine " + engine,
            "for --policy combining --box 4 --buffer 12");
}
#endif

TEST_CASE("esc warns of a rate that the input stage cannot carry", "[app][esc]") {
  const Outcome got = muster_command(kSmall + "--policy isolated-bg --rate 0.9");
  CHECK(got.status == 0);
  CHECK_THAT(got.err, Contains("warning") && Contains("grow without bound"));
  CHECK(muster_command(kSmall + "--rate 0.9").err.empty());
}
