// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/golden/link_ends.hpp"

/// Ends that may lose barrier messages, docs/systems/retry-link.md.

namespace muster::test {
namespace {

using core::Flit;
using fabric::LinkConfig;
using State = fabric::link_registers::LinkState;
using Cycles = std::vector<std::uint64_t>;

/// Eight places, of which data may need four.
const LinkConfig kLossy{.name = "lossy", .vcs = 1, .slots = 8, .timeout = 40, .lossy = 1};

Flit data(std::uint64_t number) { return {.lo = number, .kind = Flit::kHead | Flit::kTail}; }
Flit message(std::uint64_t number) { return {.lo = number, .kind = Flit::kSync}; }

/// In successive cycles, in which everything on the wires is lost.
void send_in_vain(LinkEnds& link, const std::vector<Flit>& flits) {
  link.lose = true;
  for (const Flit& flit : flits) {
    link.flit(0, flit);
    link.step();
  }
  link.step();
  link.lose = false;
}

TEST_CASE("messages leave the places of data free, what finds none is lost and counted",
          "[link][lossy]") {
  LinkEnds link(kLossy, 1);
  link.up();
  send_in_vain(link, {message(1), message(2), message(3), message(4), message(5), message(6),
                      data(7), data(8), data(9), data(10), message(11)});
  CHECK(link.lost(0) == 3);
  CHECK(link.lost(1) == 0);
  link.to(link.cycle() + 2 * kLossy.timeout);
  CHECK(link.payloads[1] == Cycles{1, 2, 3, 4, 7, 8, 9, 10});
  CHECK(link.state(0) == State::kUp);
  CHECK(link.state(1) == State::kUp);
  // All are acknowledged: there is room for others.
  link.flit(0, message(12));
  link.step();
  link.to(link.cycle() + 20);
  CHECK(link.payloads[1].back() == 12);
  CHECK(link.lost(0) == 3);
}

TEST_CASE("a message that comes behind data for all credits is lost, one behind less is not",
          "[link][lossy]") {
  for (const std::uint64_t flits : {3u, 4u}) {
    CAPTURE(flits);
    LinkEnds link(kLossy, 1);
    link.up();
    std::vector<Flit> sent;
    for (std::uint64_t i = 1; i <= flits; ++i) sent.push_back(data(i));
    sent.push_back(message(9));
    send_in_vain(link, sent);
    link.to(link.cycle() + 2 * kLossy.timeout);
    CHECK(link.lost(0) == (flits == 4));
    CHECK(link.payloads[1].size() == 4);
    CHECK((link.payloads[1].back() == 9) == (flits == 3));
  }
}

TEST_CASE("an acknowledgement makes room for a message in the cycle after it is heard",
          "[link][lossy]") {
  // Four flits from t on, the first acknowledged: heard in t + 5, so that `base` is new in t + 6.
  for (const std::uint64_t wait : {5u, 6u}) {
    CAPTURE(wait);
    LinkEnds link(kLossy, 1);
    link.up();
    const std::uint64_t t = link.cycle();
    for (std::uint64_t i = 0; i < 4; ++i) {
      link.flit(0, message(i));
      link.step();
    }
    link.to(t + wait);
    link.flit(0, message(9));
    link.step();
    CHECK(link.lost(0) == (wait == 5));
  }
}

TEST_CASE(
    "lost messages are counted up to 255, cleared by the host, and not while the link is down",
    "[link][lossy]") {
  LinkEnds link(kLossy, 1);
  const auto flood = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) {
      link.flit(0, message(1));
      link.step();
    }
  };
  flood(4);  // the link is not up, but stores
  CHECK(link.lost(0) == 0);
  flood(kLossy.timeout - 8);
  CHECK(link.lost(0) == kLossy.timeout - 8);
  flood(400);
  link.lose = true;
  flood(300);
  CHECK(link.lost(0) == 255);
  link.write(0, fabric::link_registers::kCommandClear.mask());
  flood(1);
  CHECK(link.lost(0) == 0);
  flood(1);
  CHECK(link.lost(0) == 1);
  link.write(0, fabric::link_registers::kCommandKill.mask());
  link.step();
  flood(5);
  CHECK(link.state(0) == State::kDown);
  CHECK(link.lost(0) == 1);
}
}  // namespace
}  // namespace muster::test
