// SPDX-License-Identifier: Apache-2.0
#include "Vendpoint_v1.h"
#include "Vendpoint_v2.h"
#include "Vendpoint_w80.h"
#include "models/clocking.hpp"
#include "rtl/clocked.hpp"
#include "rtl/wrap/endpoint_reference.hpp"
#include "support/register_check.hpp"

using namespace muster;
using namespace muster::test;
using namespace muster::test::endpoint;

TEST_CASE("an endpoint keeps as many bits of data as a message has", "[rtl][wrap]") {
  Clocked<Vendpoint_w80> dut(muster_seed());
  dut->s_axis_tvalid_i = dut->reg_valid_i = dut->tx_credit_i = dut->rx_valid_i = 0;
  dut->m_axis_tready_i = 1;
  dut.reset();
  const auto write = [&](unsigned address, std::uint32_t word) {
    verif::clock_write(*dut, address, word);
  };
  const auto read = [&](unsigned address) { return verif::read_now(*dut, address); };
  write(0x040, 1u << 31 | 3);
  write(0x044, 0x89ABCDEF);
  write(0x045, 0xFFFFFFFF);
  REQUIRE(read(0x045) == 0x3F);  // 70 bits
  write(0x041, 0x01234567);
  for (int i = 0; i < 2 && !dut->tx_valid_o; ++i) {
    dut.settle();
    dut.edge();
  }
  dut.settle();
  REQUIRE((dut->tx_valid_o && dut->tx_kind_o == kSync));
  REQUIRE(get(dut->tx_payload_o) == Word{0x01234567, 0x89ABCDEF, 3u << 6 | 0x3F});
  dut.edge();
  dut->rx_valid_i = 1;
  dut->rx_kind_i = kSync;
  put(dut->rx_payload_i, Word{0x11111111, 0x22222222, 1u << 14 | 3u << 6 | 0x15});
  dut.settle();
  dut.edge();
  dut->rx_valid_i = 0;
  REQUIRE(read(0x043) == 0x11111111);
  REQUIRE(read(0x046) == 0x22222222);
  REQUIRE(read(0x047) == 0x15);
}

namespace {

/// The register port of an endpoint after reset, with nothing else connected.
template <class Model>
class EndpointPort {
 public:
  EndpointPort() { verif::reset_model<false>(model_); }
  std::uint32_t read_register(std::uint32_t, std::uint32_t address) {
    return verif::read_now(model_, address);
  }
  void write_register(std::uint32_t, std::uint32_t address, std::uint32_t value) {
    verif::clock_write(model_, address, value);
  }

 private:
  VerilatedContext context_;
  Model model_{&context_, "dut"};
};

/// What rdl/ asks of an endpoint.
fabric::Block endpoint_block(const Sizes& sizes) {
  const std::uint32_t data_w = sizes.data_w();
  return {"endpoint",
          {{"Groups", sizes.groups},
           {"Vcs", sizes.channels},
           {"Depth", sizes.depth},
           {"FlitW", sizes.flit_w},
           {"GidW", sizes.gid_w},
           {"2 ** GidW", 1u << sizes.gid_w},
           {"DataW", data_w},
           {"DataW - 32", std::max(data_w, 32u) - 32},
           {"DataW - 64", std::max(data_w, 64u) - 64}}};
}

template <class Model>
void check_endpoint(const Sizes& sizes) {
  using Port = EndpointPort<Model>;
  testing::check_registers<Port>([] { return std::make_unique<Port>(); }, endpoint_block(sizes));
}

}  // namespace

TEST_CASE("each field of an endpoint is as rdl/ says", "[registers][endpoint]") {
  check_endpoint<Vendpoint_v1>({1, 1, 16, 1, false, 64, 0});
  check_endpoint<Vendpoint_v2>({2, 4, 32, 3, true, 50000, 200});
  check_endpoint<Vendpoint_w80>({2, 4, 80, 1, false, 2048, 0});
}
