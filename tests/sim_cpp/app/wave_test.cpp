// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/app/shell.hpp"

using namespace muster::test;

#if MUSTER_HAS_RTL
TEST_CASE("the demo's run writes a waveform and a view that names its signals", "[app][wave]") {
  const Folder folder;
  const Outcome got = muster_command("run " + kFigure1 +
                                     " --group paper --engine lockstep --wave " +
                                     folder.file("a.fst") + " --wave-only sw3,sw1");
  CAPTURE(got.err);
  REQUIRE(got.status == 0);
  CHECK(got.out.find("0 violations") != std::string::npos);
  CHECK(folder.read("a.fst").size() > 1000);
  const std::string view = folder.read("a.gtkw");
  CHECK(view.find("switch 3 (root), barrier register 0") != std::string::npos);
  CHECK(view.find("sw3.barrier_switch.unit.gen_register[0].register.arrived_q[7:0]") !=
        std::string::npos);
  CHECK(view.find("sw0.") == std::string::npos);
  const std::string words = folder.read("a.messages.txt");
  CHECK(words.find("10000 reduction_g0_d0\n") != std::string::npos);
  CHECK(words.find("14000 distribution_g0_d0\n") != std::string::npos);

  // Every signal of the view is in the waveform.
  REQUIRE(std::system(("fst2vcd " + folder.file("a.fst") + " >" + folder.file("a.vcd")).c_str()) ==
          0);
  const std::string vcd = folder.read("a.vcd");
  CHECK(vcd.find("1ns") != std::string::npos);
  for (const char* scope : {"module sw3 ", "module gen_register[0] ", "module register ",
                            "module gen_rx[0] ", "module rx ", "module gen_tx[7] ", "module tx ",
                            "arrived_q [7:0]", "tx_payload_o [15:0]", "rx_valid_i "})
    CHECK(vcd.find(scope) != std::string::npos);
}
#endif
