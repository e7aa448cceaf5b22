// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/golden/link_ends.hpp"

namespace muster::test {
namespace {

using core::Flit;
using fabric::LinkConfig;
using State = fabric::link_registers::LinkState;
using Cycles = std::vector<std::uint64_t>;

const LinkConfig kLong{.name = "long", .timeout = 40, .retries = 3};
const Flit kHead{.lo = 7, .vc = 1, .kind = Flit::kHead};

TEST_CASE("two ends that are reset together are up after the timeout and two latencies", "[link]") {
  for (const std::uint32_t latency : {1u, 2u, 9u}) {
    CAPTURE(latency);
    LinkEnds link(kLong, latency);
    const std::uint64_t start = kLong.timeout, up = start + 2 * latency + 4;
    link.to(start - 1);
    CHECK(link.state(0) == State::kWait);
    link.to(start);
    CHECK(link.state(0) == State::kStart);
    link.to(up - 1);
    CHECK(link.state(0) == State::kStart);
    link.to(up);
    CHECK(link.state(0) == State::kUp);
    CHECK(link.state(1) == State::kUp);
    link.to(up + 40);
    // Asks; answers and asks; answers.
    CHECK(link.frames[0] == Cycles{start + 1, start + latency + 3, up + 1});
  }
}

TEST_CASE("a flit takes two cycles more from block to block than on plain wires", "[link]") {
  for (const std::uint32_t latency : {1u, 2u, 9u}) {
    CAPTURE(latency);
    LinkEnds link(kLong, latency);
    link.up();
    const std::uint64_t t = link.cycle();
    for (int i = 0; i < 4; ++i) {  // without a gap
      link.flit(0, kHead);
      link.step();
    }
    link.to(t + 4 * latency + 20);
    const std::uint64_t come = t + latency + 1;
    CHECK(link.frames[0] == Cycles{t + 1, t + 2, t + 3, t + 4});
    CHECK(link.flits[1] == Cycles{come, come + 1, come + 2, come + 3});
    // Each is acknowledged, heard in the cycle in which the block has it.
    CHECK(link.frames[1] == Cycles{come + 2, come + 3, come + 4, come + 5});
  }
}

TEST_CASE("a credit takes three cycles more", "[link]") {
  for (const std::uint32_t latency : {1u, 2u, 9u}) {
    CAPTURE(latency);
    LinkEnds link(kLong, latency);
    link.up();
    link.flit(0, kHead);
    link.step();
    link.to(link.cycle() + 4 * latency + 20);
    link.frames = {};
    const std::uint64_t t = link.cycle();
    link.credit(1, 0b10);
    link.to(t + 4 * latency + 20);
    CHECK(link.frames[1] == Cycles{t + 1});
    CHECK(link.credits[0] == Cycles{t + latency + 2});
    CHECK(link.credits[1] == Cycles{});
    CHECK(link.frames[0] == Cycles{t + latency + 3});  // the echo
  }
}

TEST_CASE("a flit that is lost is on the wires again when the timeout is over", "[link]") {
  LinkEnds link(kLong, 1);
  link.up();
  const std::uint64_t t = link.cycle();
  link.flit(0, kHead);
  link.step();
  link.lose = true;
  link.step();
  link.lose = false;
  link.to(t + kLong.timeout + 20);
  const std::uint64_t again = t + kLong.timeout + 2;
  CHECK(link.frames[0] == Cycles{t + 1, again});
  CHECK(link.flits[1] == Cycles{again + 1});
}

TEST_CASE("a flit that is passed by the next is asked for once and comes again at once", "[link]") {
  for (const std::uint32_t latency : {1u, 2u, 9u}) {
    CAPTURE(latency);
    LinkEnds link(kLong, latency);
    link.up();
    const std::uint64_t t = link.cycle();
    for (int i = 0; i < 3; ++i) {  // the frame of the first is lost
      link.flit(0, kHead);
      link.lose = i == 1;
      link.step();
    }
    link.lose = false;
    link.to(t + 4 * latency + 20);
    // It is heard a cycle after the second has come; all three follow each other.
    const std::uint64_t told = t + latency + 4, again = told + latency + 2;
    CHECK(link.frames[0] == Cycles{t + 1, t + 2, t + 3, again, again + 1, again + 2});
    CHECK(link.frames[1].front() == told);
    CHECK(link.flits[1] == Cycles{again + latency, again + latency + 1, again + latency + 2});
  }
}

TEST_CASE("an end that hears nothing is down after its retries", "[link]") {
  LinkEnds link(kLong, 1);
  link.up();
  const std::uint64_t t = link.cycle(), down = t + (kLong.retries + 1) * kLong.timeout + 1;
  link.flit(0, kHead);
  link.lose = true;
  link.to(down - 1);
  CHECK(link.state(0) == State::kUp);
  link.to(down);
  CHECK(link.state(0) == State::kDown);
  CHECK(link.state(1) == State::kUp);
}

}  // namespace
}  // namespace muster::test
