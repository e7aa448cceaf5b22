// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim_cpp/fabric/golden/packet_sources.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

// docs/systems/data-path.md, "Owner and next".
namespace muster::golden {
namespace {

using U = UnitBench;

TEST_CASE(
    "DataPath: a channel short of credits serves all inputs in turn while another keeps its port "
    "busy",
    "[golden][order]") {
  UnitBench bench(unit(8, 2, 4));
  bench.route(1, 1);
  PacketSources sources(bench, 4);
  for (const std::uint32_t port : {1u, 2u, 4u}) sources.add(port, 0);
  sources.add(3, 1);

  // Channel 1 of port 0 gets its credits at once; channel 0 one in ten cycles.
  std::uint32_t owed = 0;
  std::map<std::uint64_t, std::uint32_t> packets;
  for (std::uint32_t t = 0; t < 4000; ++t) {
    if (bench.valid(0)) {
      const core::Flit& flit = bench.out(0);
      if (flit.vc == 1) bench.give_credit(0, 1);
      if (flit.vc == 0) ++owed;
      if (flit.tail()) ++packets[flit.lo];
    }
    if (t % 10 == 0 && owed > 0) {
      bench.give_credit(0, 0);
      --owed;
    }
    sources.step();
  }
  const std::uint32_t first = packets[lane_of(1, 0)], second = packets[lane_of(2, 0)],
                      third = packets[lane_of(4, 0)];
  CAPTURE(first, second, third, packets[lane_of(3, 1)]);
  CHECK(first >= 60);
  CHECK(second + 1 >= first);
  CHECK(second <= first + 1);
  CHECK(third + 1 >= first);
  CHECK(third <= first + 1);
  CHECK(packets[lane_of(3, 1)] > 1000);
}

/// Port 1 owns a channel with an open packet; ports 5, 2 and 7 come to wait one after the other.
/// The order in which the four are served.
std::string order_served(std::uint32_t vcs) {
  UnitBench bench(unit(8, vcs, 4));
  bench.route(1, 1);
  bench.send(1, U::head(1));
  bench.step(3);
  for (const std::uint32_t port : {5u, 2u, 7u}) {
    bench.send(port, U::single(1));
    bench.step(3);
  }
  bench.send(1, U::tail(0));
  std::string order;
  for (std::uint32_t t = 0; t < 12; ++t) {
    if (bench.valid(0)) bench.give_credit(0);
    bench.step();
    for (std::uint32_t port = 1; port < 8; ++port) {
      if (has(bench.credits(), lane_of(port, 0))) order += std::to_string(port);
    }
  }
  return order;
}

TEST_CASE("DataPath: the next of a channel is the waiting input at or after its pointer",
          "[golden][order]") {
  // 5 waited first and became the next; the pointer then stood at 6: 7 before 2.
  CHECK(order_served(2) == "1572");
}

TEST_CASE(
    "DataPath: one virtual channel is served in order from its last owner, not by time of arrival",
    "[golden][order]") {
  CHECK(order_served(1) == "1257");
}

TEST_CASE("DataPath: a free channel is kept for its next while it has no credit",
          "[golden][order]") {
  UnitBench bench(unit(8, 2, 3));
  bench.route(1, 1);
  for (int n = 0; n < 3; ++n, bench.step(3)) bench.send(1, U::single(1));  // all credits
  bench.send(6, U::single(1));  // waits, and is the next before 2 has come
  bench.step(3);
  bench.send(2, U::single(1));
  bench.step(3);
  bench.give_credit(0);
  bench.step(2);
  CHECK(bench.credits() == bit(lane_of(6, 0)));
}

}  // namespace
}  // namespace muster::golden
