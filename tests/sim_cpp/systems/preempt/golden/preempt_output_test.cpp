// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, Crossbar I: where each flit goes, and what the padding
/// generator is connected to.

using namespace muster;
using core::Flit;
using golden::bit;
using golden::CrossbarOne;
using golden::lane_of;
using golden::later;
using golden::PreemptBench;
using golden::PreemptKind;
using preempt::LinkControl;

namespace {

constexpr std::uint32_t kVcs = 3;

Flit flit(std::uint8_t kind, std::uint8_t vc, std::uint64_t lo = 0) {
  Flit f;
  f.kind = kind;
  f.vc = vc;
  f.lo = lo;
  return f;
}

/// Of one flit at port 5.
CrossbarOne::Steered steered(PreemptKind kind, const Flit& f) {
  CrossbarOne::Steered s;
  CrossbarOne(kind, kVcs).steer(5, f, s);
  return s;
}
bool malformed(PreemptKind kind, const Flit& f) {
  const auto s = steered(kind, f);
  REQUIRE(s.malformed == (s.taken != 0 && (s.messages | s.connects | s.disconnects) == 0) * 0x20);
  return s.malformed != 0;
}

}  // namespace

TEST_CASE("crossbar I leads data and pads to the buffer of their channel", "[golden][preempt]") {
  for (const PreemptKind kind : {PreemptKind::kI, PreemptKind::kII, PreemptKind::kIII})
    for (const std::uint8_t vc : {0, 1, 2})
      for (const std::uint8_t bits : {0, 1, 2, 3, int{Flit::kPad}}) {
        const auto s = steered(kind, flit(bits, vc));
        CHECK(s.data == bit(lane_of(5, vc)));
        CHECK((s.taken | s.messages | s.malformed) == 0);
      }
}

TEST_CASE("flits of messages go to the barrier buffer, in II from channel 0 only",
          "[golden][preempt]") {
  for (const PreemptKind kind : {PreemptKind::kI, PreemptKind::kII, PreemptKind::kIII})
    for (const std::uint8_t vc : {0, 1, 2})
      for (const std::uint8_t bits : {Flit::kFirst, Flit::kSync}) {
        const auto s = steered(kind, flit(bits, vc, 77));
        CHECK(s.taken == bit(lane_of(5, vc)));
        CHECK(malformed(kind, flit(bits, vc)) == (kind == PreemptKind::kII && vc != 0));
        if (s.malformed == 0) CHECK(s.message[5] == flit(bits, vc, 77));
        CHECK(s.messages == (s.malformed == 0 ? 0x20 : 0));
      }
}

TEST_CASE("padding requests and ends name a channel that there is, in II 0, in III their own",
          "[golden][preempt]") {
  using enum PreemptKind;
  for (const std::uint8_t vc : {0, 1, 2})
    for (const std::uint8_t named : {0, 1, 2, 3})
      for (const std::uint64_t op : {0, 1, 2, 3}) {
        const Flit f = flit(Flit::kControl, vc, op << 14 | named);
        CHECK(malformed(kI, f) == (op > 1 || named > 2));
        CHECK(malformed(kII, f) == (op > 1 || named > 0));
        CHECK(malformed(kIII, f) == (op > 1 || named != vc));
        if (op > 1 || named > 2) continue;
        const auto s = steered(kI, f);
        CHECK(s.connects == (op == 0 ? bit(lane_of(5, named)) : 0));
        CHECK(s.disconnects == (op == 1 ? bit(lane_of(5, named)) : 0));
      }
}

TEST_CASE("of the heads of one port the flit of a message in the lowest channel is taken",
          "[golden][preempt]") {
  const CrossbarOne crossbar(PreemptKind::kIII, kVcs);
  CrossbarOne::Steered s;
  crossbar.steer(5, flit(Flit::kSync, 0, 1), s);
  crossbar.steer(5, flit(Flit::kSync, 1, 2), s);     // waits
  crossbar.steer(5, flit(Flit::kControl, 2, 2), s);  // does not
  crossbar.steer(6, flit(Flit::kFirst, 1, 3), s);
  CHECK(s.taken == (bit(lane_of(5, 0)) | bit(lane_of(5, 2)) | bit(lane_of(6, 1))));
  CHECK(s.message[5].lo == 1);
  CHECK(s.message[6].lo == 3);
}

TEST_CASE("a request connects the generator, an end or data disconnect it", "[golden][preempt]") {
  CrossbarOne crossbar(PreemptKind::kI, kVcs);
  const auto cycle = [&](const Flit& f) {
    CrossbarOne::Steered s;
    crossbar.steer(5, f, s);
    crossbar.edge(s, s.data);
    return crossbar.generator();
  };
  const std::uint64_t one = bit(lane_of(5, 1)), two = bit(lane_of(5, 2));
  CHECK(cycle(preempt::control_flit({false, 1})) == one);
  CHECK(cycle(preempt::control_flit({false, 2})) == (one | two));
  CHECK(cycle(flit(0, 0)) == (one | two));  // of another channel
  CHECK(cycle(preempt::control_flit({true, 2})) == one);
  CHECK(cycle(flit(Flit::kSync, 1)) == one);
  SECTION("data") { CHECK(cycle(flit(0, 1)) == 0); }
  SECTION("pads") { CHECK(cycle(flit(Flit::kPad, 1)) == 0); }
}

TEST_CASE("pads follow the cut packet until the end, and pay no credit back", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.packet(2, 1, 5, 0, true);
    b.run(20);
    CHECK(b.at(1, 0).size() == 5);
    const std::uint64_t start = b.cycle;
    b.send(2, LinkControl{false, 0});
    b.run(30);
    CHECK(b.pads(1) > 20);
    // On the wires in `start`, in effect from the next cycle on, in III from the one after it.
    CHECK(b.at(1, 0)[5].cycle == start + 3 + b.queued());
    CHECK(b.at(1, 0)[5].flit.kind == Flit::kPad);
    CHECK_FALSE(b.bank.quiescent(0));
    CHECK(b.credit[2][0] == b.config.depth);
    const std::uint64_t last = b.cycle;  // cycle with a pad
    b.send(2, LinkControl{true, 0});
    b.run(30);
    CHECK(b.at(1, 0).back().cycle == last + 2);
    b.tail(2);
    b.run(20);
    CHECK(b.at(1, 0).back().flit.tail());
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("data disconnect a generator whose padding end was lost", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.packet(2, 1, 5, 0, true);
    b.run(20);
    b.send(2, LinkControl{false, 0});
    b.run(30);
    CHECK(b.pads(1) > 10);
    b.cut[2] = 0;  // the end has gone, and is lost
    Flit body;
    body.lo = 0x777;
    b.data[2][0].push_back(body);
    b.run(10);
    const std::uint64_t pads = b.pads(1);
    CHECK(b.at(1, 0).back().flit.lo == 0x777);
    b.run(20);
    CHECK(b.pads(1) == pads);
    b.tail(2);
    b.run(20);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("no pads without a packet under way, nor with padding off", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.send(2, LinkControl{false, 0});
    b.run(20);
    CHECK(b.seen[1].empty());
    CHECK(b.bank.quiescent(0));
    b.cut[2] = 0;
    b.bank.write_register(0, 0x009, 2);
    b.packet(2, 1, 5, 0, true);
    b.send(2, LinkControl{true, 0});
    b.run(40);
    b.send(2, LinkControl{false, 0});
    b.run(40);
    CHECK(b.at(1, 0).size() == 5);
    CHECK(b.pads(1) == 0);
    b.bank.write_register(0, 0x009, 0);
    b.run(10);
    CHECK(b.pads(1) > 0);
  }
}

TEST_CASE("pads of the switch before pass as flits of their packet", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.packet(2, 1, 3, 0, true);
    for (int i = 0; i < 4; ++i) b.data[2][0].push_back(flit(Flit::kPad, 0));
    b.tail(2);
    b.run(30);
    CHECK(b.at(1, 0).size() == 8);
    CHECK(b.pads(1) == 4);
    CHECK(b.credit[2][0] == b.config.depth);
  }
}

TEST_CASE("what crossbar I drops is counted as malformed", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 2);
    b.raw[0].assign({flit(Flit::kControl, 0, 2), flit(Flit::kControl, 1, 1u << 15 | 1)});
    b.run(10);
    CHECK(b.drops(0) == 2);
    b.raw[0].assign({flit(Flit::kControl, 1, 0)});  // names another channel than its own
    b.run(10);
    CHECK(b.drops(0) == (kind == &preempt::kBsr3 ? 3 : 2));
    b.send(0, later(31), 1);
    b.run(20);
    CHECK(b.drops(0) == (kind == &preempt::kBsr1 ? 2 : kind == &preempt::kBsr2 ? 4 : 3));
    CHECK(b.barriers(1).size() == (kind == &preempt::kBsr2 ? 0 : 2));
    CHECK(b.credit[0][0] == b.config.depth);
    CHECK(b.credit[0][1] == b.config.depth);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("in III a message stands behind the flits of the packet it has cut",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3, 1);
  b.occupy(1);
  b.data[2][0].clear();
  b.barrier[2].clear();
  // Port 3 has a packet for the same channel, which does not move: what is behind it waits.
  b.packet(3, 1, 3, 0, true);
  b.run(10);
  b.raw[3].assign({flit(Flit::kControl, 0, 0)});
  b.run(20);
  CHECK(b.credit[3][0] == b.config.depth - 4);
  PreemptBench one(preempt::kBsr1, 1);  // in I it goes around them
  one.occupy(1);
  one.packet(3, 1, 3, 0, true);
  one.run(10);
  one.send(3, later(30));
  one.run(20);
  CHECK(one.barriers(0).size() == 2);
}

/// docs/systems/preempting-switches.md, Output p: a whole switch whose outputs cut channels and
/// give them back.

using golden::first;
using golden::is;
using golden::is_data;

TEST_CASE("a free channel is used before any is cut", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    const std::uint8_t taken = kind == &preempt::kBsr2 ? 1 : 0;
    PreemptBench b(*kind);
    b.packet(2, 1, 20, taken, true);  // owns one channel of output 1; the other is free
    b.run(30);
    b.send(0, later(31));
    b.run(40);
    REQUIRE(b.barriers(1).size() == 2);
    CHECK(b.barriers(1)[0].flit.vc == 1 - taken);
    CHECK(b.bank.read_register(0, 0x00C) == 0);
  }
}

TEST_CASE("a channel is cut: request, message, and after T cycles the end", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2}) {
    PreemptBench b(*kind);
    b.occupy(1);
    const std::uint64_t start = b.cycle;
    b.send(0, later(31));
    b.run(40);
    const auto seen = b.barriers(1);
    const std::uint8_t cut = kind == &preempt::kBsr1 ? 1 : 0;
    REQUIRE(seen.size() == 4);
    CHECK(is(seen[0].flit, {false, cut}));
    CHECK(seen[0].cycle == start + 5);
    for (const std::uint64_t i : {1u, 2u}) {
      CHECK(seen[i].cycle == start + 5 + i);
      CHECK(seen[i].flit.vc == cut);
    }
    CHECK(is(seen[3].flit, {true, cut}));
    CHECK(seen[3].cycle == start + 7 + 17);  // 16 cycles without a barrier flit, then the end
  }
}

TEST_CASE("switch III waits until the flits of some channel move", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3);
  b.occupy(1);
  b.send(0, later(31));
  b.run(200);
  CHECK(b.barriers(1).empty());
  b.stuck[1] = 0b01;  // channel 1 moves again
  b.run(60);
  const auto seen = b.barriers(1);
  REQUIRE(seen.size() == 4);
  CHECK(is(seen[0].flit, {false, 1}));
  CHECK(seen[1].flit.vc == 1);
  CHECK(is(seen[3].flit, {true, 1}));
  CHECK(b.bank.read_register(0, 0x00C) > 190);
}

TEST_CASE("in III a cut waits for three credits, and its end for one", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr3, 1, 4);
  b.packet(2, 1, 40, 0, true);
  b.run(30);
  b.stuck[1] = 0b01;
  b.send(0, later(31));
  b.run(30);  // the request takes the last credit, or there is none
  CHECK(b.watch[1].messages().empty());
  b.stuck[1] = 0;
  while (b.watch[1].messages().empty() && b.cycle < 200) b.step();
  b.stuck[1] = 0b01;
  b.run(100);
  CHECK(b.watch[1].messages().size() == 1);
  b.stuck[1] = 0;
  b.run(100);
  CHECK(b.watch[1].at_rest());
  CHECK(b.watch[1].cuts() == 1);
}

TEST_CASE("nothing of a channel goes while it is cut, all of it goes afterwards, in order",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.run(20);
    b.send(0, later(31));  // two groups use one cut
    preempt::BsrMessage other = later(31, 51);
    other.gid = 77;
    b.send(3, other);
    b.run(150);
    const auto barriers = b.barriers(1);
    REQUIRE(barriers.size() == 6);
    CHECK(b.watch[1].cuts() == 1);
    for (const auto& s : b.at(1, 0)) {
      const bool inside = s.cycle > barriers.front().cycle && s.cycle <= barriers.back().cycle;
      CHECK_FALSE(inside);
    }
    std::uint32_t expected = 0;
    for (const auto& s : b.at(1, 0)) {
      if (expected > 0) CHECK(s.flit.lo == 0x200 + expected);
      ++expected;
    }
    CHECK(expected == 60);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("both ends of a link cut at once", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.packet(1, 3, 60);
    b.run(20);
    b.send(0, later(31));
    b.run(5);
    b.send(1, LinkControl{false, 0});  // while the switch cuts the other direction
    b.send(1, later(30, 51));
    b.run(10);
    CHECK(b.cut[1] == 1);
    CHECK_FALSE(b.watch[1].at_rest());
    b.run(20);
    b.send(1, LinkControl{true, 0});
    b.run(150);
    CHECK(b.watch[0].messages() == std::vector{later(30, 51)});
    CHECK(b.watch[1].messages() == std::vector{later(31)});
    CHECK(b.at(1, 0).size() == 60);
    CHECK(b.at(3, 0).size() == 60 + b.pads(3));
    CHECK(b.pads(3) > 10);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("no packet begins on the free channel that a message has taken", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds)
    for (const std::uint8_t vc : {0, 1}) {
      PreemptBench b(*kind);
      b.send(0, first(31, 60));
      b.run(3 + b.queued());
      b.packet(2, 1, 5, vc);  // its head could go with the first flit
      b.run(40);
      const auto seen = b.barriers(1);
      REQUIRE(seen.size() == 3);
      REQUIRE(seen[2].flit.vc == 0);
      // The other channel is held until the last flit goes, this one in that cycle as well.
      CHECK(b.at(1, vc)[0].cycle == seen[2].cycle + (vc == 0 ? 2 : 1));
    }
}

TEST_CASE("a held output gives data no credit, and I and II cut a channel, III waits",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind);
    b.bank.write_register(0, 0x007, 0b10);
    b.watch[1].held = true;
    b.packet(2, 1, 5);
    b.send(0, later(31));
    b.run(100);
    CHECK(b.at(1, 0).empty());
    CHECK(b.barriers(1).size() == (kind == &preempt::kBsr3 ? 0 : 4));
    CHECK(b.controls(1).size() == (kind == &preempt::kBsr3 ? 0 : 2));  // request and end
    b.bank.write_register(0, 0x007, 0);
    b.run(100);
    CHECK(b.at(1, 0).size() == 5);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a cut ends after `longest` cycles though messages keep coming", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.times(16, 0, 40);
    b.packet(2, 1, 2000);
    b.run(20);
    for (int i = 0; i < 60; ++i) b.send(0, later(31));
    b.run(600);
    std::uint64_t cut = 0, ends = 0, data_since = 1;
    for (const auto& s : b.seen[1]) {
      data_since += is_data(s.flit);
      if (is(s.flit, {false, 0})) {
        cut = s.cycle;
        CHECK(data_since > 0);  // not again before one of its flits has gone
      }
      if (!is(s.flit, {true, 0})) continue;
      ++ends;
      data_since = 0;
      CHECK(s.cycle - cut <= 40 + 7);
    }
    CHECK(ends > 5);
    CHECK(b.at(1, 0).size() - b.pads(1) > 150);
  }
}

TEST_CASE("a channel whose data stand still is cut again 16 cycles after a spent cut",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr2, 1);
  b.times(16, 0, 10);
  b.occupy(1);
  for (int i = 0; i < 10; ++i) b.send(0, later(31));
  b.run(400);
  std::vector<std::uint64_t> ends, requests;
  for (const auto& s : b.barriers(1)) {
    if (is(s.flit, {false, 0})) requests.push_back(s.cycle);
    if (is(s.flit, {true, 0})) ends.push_back(s.cycle);
  }
  REQUIRE(requests.size() > 3);
  REQUIRE(ends.size() == requests.size());
  for (std::size_t i = 1; i < requests.size(); ++i) CHECK(requests[i] == ends[i - 1] + 17);
  CHECK(b.bank.read_register(0, 0x00C) <= 19);
}
