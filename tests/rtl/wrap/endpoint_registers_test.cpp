// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include <catch2/catch.hpp>
#include <memory>

#include "Vendpoint_v1.h"
#include "Vendpoint_v2.h"
#include "Vendpoint_w80.h"
#include "models/clocking.hpp"
#include "models/register_access.hpp"
#include "support/register_check.hpp"
#include "sw/muster.h"

using namespace muster;

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

fabric::Block endpoint_block(std::uint32_t groups, std::uint32_t vcs, std::uint32_t depth,
                             std::uint32_t flit_w) {
  const std::uint32_t gid_w = 8, data_w = flit_w - 2 - gid_w;
  const auto above = [&](std::uint32_t bits) { return data_w > bits ? data_w - bits : 0; };
  return {"endpoint",
          {{"Groups", groups},
           {"Vcs", vcs},
           {"Depth", depth},
           {"FlitW", flit_w},
           {"GidW", gid_w},
           {"2 ** GidW", 1u << gid_w},
           {"DataW", data_w},
           {"DataW - 32", above(32)},
           {"DataW - 64", above(64)}}};
}

template <class Model>
void check_endpoint(const fabric::Block& block) {
  using Port = EndpointPort<Model>;
  testing::check_registers<Port>([] { return std::make_unique<Port>(); }, block);
}

}  // namespace

TEST_CASE("each field of an endpoint is as rdl/ says", "[registers][endpoint]") {
  check_endpoint<Vendpoint_v1>(endpoint_block(1, 1, 1, 16));
  check_endpoint<Vendpoint_v2>(endpoint_block(3, 2, 4, 32));
  check_endpoint<Vendpoint_w80>(endpoint_block(1, 2, 4, 80));
}

TEST_CASE("the driver joins a group at an endpoint, and arrives once", "[driver][endpoint]") {
  using Port = EndpointPort<Vendpoint_v2>;
  Port port;
  const muster_bus bus{
      [](void* at, std::uint32_t a) { return static_cast<Port*>(at)->read_register(0, a); },
      [](void* at, std::uint32_t a, std::uint32_t word) {
        static_cast<Port*>(at)->write_register(0, a, word);
      },
      &port, 0};
  muster_endpoint endpoint{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  CHECK(endpoint.data_width == 22);
  muster_endpoint_group at{};
  muster_member member{};
  CHECK(muster_endpoint_join(&at, &endpoint, 3, 5, &member) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_endpoint_join(&at, &endpoint, 2, 256, &member) == MUSTER_BAD_ARGUMENT);
  REQUIRE(muster_endpoint_join(&at, &endpoint, 2, 5, &member) == MUSTER_OK);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(port.read_register(0, 0x050) == 0xC0000005u);
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(muster_arrive(&member, 7) == MUSTER_UNDER_WAY);
  CHECK(muster_wait(&member, 5, nullptr) == MUSTER_TIMEOUT);
  // A member that waits cannot leave; it gives its arrival up before.
  CHECK(muster_endpoint_leave(&at) == MUSTER_UNDER_WAY);
  CHECK(port.read_register(0, MUSTER_ENDPOINT_GROUPS_STATUS(2)) ==
        MUSTER_ENDPOINT_GROUPS_STATUS_WAITING_MASK);
  CHECK(muster_endpoint_abandon(&at) == MUSTER_DRAINING);
  muster_endpoint_rewritten(&at);
  CHECK(muster_endpoint_leave(&at) == MUSTER_OK);
  CHECK(muster_arrive(&member, 7) == MUSTER_REFUSED);
}
