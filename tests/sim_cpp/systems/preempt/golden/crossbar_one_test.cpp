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
