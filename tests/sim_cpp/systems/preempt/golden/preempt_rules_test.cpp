// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"
#include "systems/preempt/golden/preempt_output.hpp"

/// docs/systems/preempting-switches.md, Output p: the numbered rules, one output alone with three
/// channels.

using namespace muster;
using golden::PreemptKind;
using golden::PreemptOutput;
using Act = PreemptOutput::Act;
using View = PreemptOutput::View;
using What = PreemptOutput::What;

namespace {

constexpr std::uint8_t kAll = 0b111;

/// An output with messages of two flits from buffer 2.
struct Output {
  explicit Output(PreemptKind kind) : of(kind, 3, 5) {}

  /// A cycle; `view.flits` is that of the message.
  Act cycle(std::uint8_t free, std::uint8_t credited = kAll, std::uint8_t roomy = kAll) {
    const View view{
        .busy = busy, .free = free, .credited = credited, .roomy = roomy, .flits = flits};
    const Act act = of.decide(view, draw);
    if (act.what == What::kFlit && --flits == 0) flits = 2;
    of.edge(act, asks << 2, allocated, returned, times);
    asks = 0;
    allocated = 0;
    returned = false;
    return act;
  }
  /// A buffer asks, and is served from now on.
  void serve() {
    asks = 1;
    cycle(kAll);
    REQUIRE(of.served() == 2u);
  }
  PreemptOutput of;
  golden::PreemptTimes times{.idle = 3, .longest = 20, .gap = 2};
  bool busy = false, returned = false;
  std::uint32_t flits = 2, asks = 0, allocated = 0;
  std::optional<std::uint32_t> draw;
};

Act request(std::uint8_t channel) { return {.what = What::kRequest, .channel = channel}; }
Act flit(std::uint8_t channel) { return {.what = What::kFlit, .channel = channel}; }
Act end(std::uint8_t channel) { return {.what = What::kEnd, .channel = channel}; }
bool same(const Act& a, const Act& b) {
  return a.what == b.what && (a.what == What::kNothing || a.channel == b.channel);
}

}  // namespace

TEST_CASE("a message takes the lowest usable channel without owner for its place",
          "[golden][preempt]") {
  Output one(PreemptKind::kI), two(PreemptKind::kII), three(PreemptKind::kIII);
  for (Output* o : {&one, &two, &three}) o->serve();
  Act act = one.cycle(0b110);
  CHECK(same(act, flit(1)));
  CHECK(act.first);
  CHECK_FALSE(act.last);
  CHECK(one.of.closed(act) == 0b010);  // no packet begins on it
  CHECK(one.of.shut(act) == 0);
  CHECK(act.hold);
  act = one.cycle(0b111);  // the place stays
  CHECK(same(act, flit(1)));
  CHECK(act.last);
  CHECK(one.of.closed({}) == 0);
  CHECK_FALSE(act.hold);
  CHECK(same(two.cycle(0b001), flit(0)));
  CHECK(same(three.cycle(0b111, 0b110, 0b100), flit(2)));  // three credits
}

TEST_CASE("in III a message begins where there are three credits, and a cut channel has one",
          "[golden][preempt]") {
  Output o(PreemptKind::kIII);
  o.serve();
  CHECK(same(o.cycle(0b010, 0b010, 0b000), {}));  // it waits for a free channel that moves
  CHECK(same(o.cycle(0b010, 0b001, 0b000), request(0)));
  CHECK(same(o.cycle(0b010, 0b111, 0b110), {}));
  CHECK(same(o.cycle(0b010, 0b001, 0b001), flit(0)));
  CHECK(same(o.cycle(0b010, 0b000, 0b000), flit(0)));  // the next follow without a look
  for (int i = 0; i < 3; ++i) CHECK(same(o.cycle(0b010), {}));
  const Act waits = o.cycle(0b010, 0b110, 0b110);  // the end needs a credit
  CHECK(same(waits, {}));
  CHECK_FALSE(waits.hold);
  CHECK(same(o.cycle(0b010, 0b001, 0b000), end(0)));
}

TEST_CASE("if each usable channel has an owner, the last is cut", "[golden][preempt]") {
  Output one(PreemptKind::kI), two(PreemptKind::kII), three(PreemptKind::kIII);
  for (Output* o : {&one, &two, &three}) o->serve();
  CHECK(same(one.cycle(0), request(2)));
  CHECK(same(two.cycle(0b110), request(0)));
  const Act act = three.cycle(0b100, 0b011, 0);
  CHECK(same(act, request(1)));
  CHECK(act.hold);
  CHECK(act.waits);
  CHECK(three.of.shut(act) == 0b010);
  Output still(PreemptKind::kIII);
  still.serve();
  CHECK(same(still.cycle(0, 0, 0), {}));
}

TEST_CASE("the draw chooses among the channels that may be cut", "[golden][preempt]") {
  for (std::uint32_t draw = 0; draw < 16; ++draw) {
    Output o(PreemptKind::kI);
    o.draw = draw;
    o.serve();
    CHECK(same(o.cycle(0), request(static_cast<std::uint8_t>(3 * draw / 16))));
  }
  Output two(PreemptKind::kIII);
  two.draw = 7;
  two.serve();
  CHECK(same(two.cycle(0, 0b101), request(0)));
}

TEST_CASE("request, flits, and the end after idle cycles", "[golden][preempt]") {
  for (const PreemptKind kind : {PreemptKind::kI, PreemptKind::kII, PreemptKind::kIII}) {
    Output o(kind);
    const std::uint8_t cut = kind == PreemptKind::kII ? 0 : 2;
    o.serve();
    CHECK(same(o.cycle(0), request(cut)));
    CHECK(same(o.cycle(0), flit(cut)));
    CHECK(o.of.shut({}) == 1u << cut);
    CHECK(same(o.cycle(0), flit(cut)));
    for (int i = 0; i < 3; ++i) CHECK(same(o.cycle(0), {}));
    const Act act = o.cycle(0);
    CHECK(same(act, end(cut)));
    CHECK_FALSE(act.hold);
    CHECK_FALSE(o.of.idle());  // guarded
    for (int i = 0; i < 16; ++i) o.cycle(0);
    CHECK(o.of.idle());
  }
}

TEST_CASE("a cut that no message has used ends after idle, once nothing is served",
          "[golden][preempt]") {
  Output o(PreemptKind::kIII);
  o.serve();
  CHECK(same(o.cycle(0, 0b001, 0), request(0)));
  for (int i = 0; i < 100; ++i) CHECK(same(o.cycle(0, 0b001, 0), {}));
  CHECK(same(o.cycle(0, 0b001, 0b001), flit(0)));
}

TEST_CASE("a message begins when the neighbour's barrier buffer is free", "[golden][preempt]") {
  Output o(PreemptKind::kI);
  o.serve();
  o.cycle(kAll);
  o.cycle(kAll);                              // the message has gone
  for (int i = 0; i < 2; ++i) o.cycle(kAll);  // the gap
  o.serve();
  for (int i = 0; i < 5; ++i) {
    const Act act = o.cycle(0);
    CHECK(same(act, {}));  // not even a request
    CHECK_FALSE(act.hold);
    CHECK_FALSE(act.waits);
  }
  o.returned = true;
  CHECK(same(o.cycle(0), {}));
  CHECK(same(o.cycle(0), request(2)));
  CHECK(same(o.cycle(0), flit(2)));
  o.returned = true;
  CHECK(same(o.cycle(0), flit(2)));
  o.returned = true;
  CHECK_THROWS_AS(o.cycle(0), InternalError);
}

TEST_CASE("no buffer is chosen in the gap", "[golden][preempt]") {
  Output o(PreemptKind::kI);
  o.serve();
  o.cycle(kAll);
  CHECK(o.cycle(kAll).last);
  for (int i = 0; i < 2; ++i) {
    CHECK_FALSE(o.of.open_way({.free = kAll}));
    o.asks = 1;
    o.cycle(kAll);
    CHECK_FALSE(o.of.served());
  }
  CHECK(o.of.open_way({.free = kAll}));
  o.serve();
}

TEST_CASE("what an output wants to send goes when nothing traverses, and data are held off",
          "[golden][preempt]") {
  Output o(PreemptKind::kI);
  o.serve();
  o.busy = true;
  const Act act = o.cycle(kAll);
  CHECK(same(act, {}));
  CHECK(act.hold);
  CHECK(act.waits);
  CHECK(o.of.closed(act) == 0);
  o.busy = false;
  CHECK(same(o.cycle(kAll), flit(0)));
  CHECK(o.of.longest_wait() == 1);
}

TEST_CASE("a cut is spent when it was used and is `longest` cycles old", "[golden][preempt]") {
  Output o(PreemptKind::kI);
  o.times = {.idle = 50, .longest = 4, .gap = 0};
  o.serve();
  CHECK(same(o.cycle(0), request(2)));
  o.times.longest = 1000;  // of the next request
  CHECK(same(o.cycle(0), flit(2)));
  o.returned = true;
  CHECK(same(o.cycle(0), flit(2)));
  o.asks = 1;
  CHECK(same(o.cycle(0), {}));  // chosen
  o.busy = true;
  CHECK(o.cycle(0).hold);  // age 3: the next first flit
  o.busy = false;
  const Act act = o.cycle(0);
  CHECK(same(act, end(2)));  // before the message that is served
  CHECK(act.hold);
  CHECK(same(o.cycle(0), request(1)));  // the guarded channel is skipped
}

TEST_CASE("a spent cut ends when the message that has begun is whole", "[golden][preempt]") {
  Output o(PreemptKind::kI);
  o.times = {.idle = 50, .longest = 1, .gap = 0};
  o.serve();
  CHECK(same(o.cycle(0), request(2)));
  CHECK(same(o.cycle(0), flit(2)));
  CHECK(same(o.cycle(0), flit(2)));
  CHECK(same(o.cycle(0), end(2)));
}

TEST_CASE("a channel that was given back is guarded for 16 cycles or until its data move",
          "[golden][preempt]") {
  for (const bool moves : {false, true}) {
    Output o(PreemptKind::kII);
    o.times = {.idle = 0, .longest = 9, .gap = 0};
    o.serve();
    CHECK(same(o.cycle(0), request(0)));
    CHECK(same(o.cycle(0), flit(0)));
    o.returned = true;
    CHECK(same(o.cycle(0), flit(0)));
    CHECK_FALSE(o.of.open_way({.free = 0}));
    CHECK(o.of.cut_way({.free = 0}));
    CHECK(same(o.cycle(0), end(0)));
    CHECK_FALSE(o.of.cut_way({.free = 0}));
    o.asks = 1;
    CHECK(same(o.cycle(0), {}));
    o.allocated = 0b110;  // of other channels
    CHECK(same(o.cycle(0), {}));
    if (moves) {
      o.allocated = 0b001;
      CHECK(same(o.cycle(0), {}));
    } else {
      for (int i = 2; i < 16; ++i) CHECK(same(o.cycle(0), {}));
    }
    CHECK(same(o.cycle(0), request(0)));
  }
}

/// docs/systems/preempting-switches.md, Choice of an output: outputs that the host has closed, and
/// messages that have no way.

using golden::first;
using golden::later;
using golden::PreemptBench;
using preempt::registers::kClosed;

namespace {

void write(PreemptBench& b, std::uint32_t address, std::uint32_t value) {
  b.bank.write_register(0, address, value);
}

}  // namespace

TEST_CASE("register closed keeps the bits of ports", "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  CHECK(b.bank.read_register(0, kClosed) == 0);
  write(b, kClosed, ~0u);
  CHECK(b.bank.read_register(0, kClosed) == 0xf);
}

TEST_CASE(
    "later messages avoid an output whose neighbour returns no credit, if the host has "
    "closed it or has taken it out of the routes",
    "[golden][preempt]") {
  for (const std::uint32_t how : {0, 1, 2}) {
    PreemptBench b(preempt::kBsr1, 1);
    b.stuck[1] = 0b10;  // the neighbour behind port 1 frees no barrier buffer
    b.send(0, later(31));
    b.run(100);
    REQUIRE(b.barriers(1).size() == 2);
    if (how == 1) write(b, 0x800 + 40, 0b1100);
    if (how == 2) write(b, kClosed, 0b0010);
    b.send(0, later(40));
    b.run(100);
    CHECK(b.barriers(2).size() == (how != 0 ? 2 : 0));
    CHECK(b.bank.quiescent(0) == (how != 0));
  }
}

TEST_CASE("a message that is going and has no output left is dropped", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.stuck[1] = 0b10;
    b.send(0, later(31));
    b.run(60);
    b.send(2, later(31));  // served, and waits for room
    b.run(20);
    b.send(0, first(31, 60));  // going, and waits for the output
    b.send(3, later(31));
    b.run(60);
    CHECK(b.room[0] == 0);
    CHECK(b.room[3] == 0);
    write(b, kClosed, 0b0010);
    b.step();  // dropped at the edge of this cycle
    CHECK(b.unroutable() == 2);
    b.step();
    CHECK(b.room[0] == 1);
    CHECK(b.room[3] == 1);
    CHECK(b.room[2] == 0);
    b.stuck[1] = 0;
    b.run(60);
    CHECK(b.watch[1].messages().size() == 2);  // what was served has gone
    CHECK(b.room[2] == 1);
    CHECK(b.unroutable() == 2);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a message without a way is dropped by the unit, and has changed no table",
          "[golden][preempt]") {
  for (const bool closed : {false, true}) {
    PreemptBench b(preempt::kBsr2);
    if (closed) write(b, kClosed, 0b0010);
    b.send(0, later(closed ? 31 : 63));
    b.send(3, first(closed ? 31 : 63, 60));
    b.run(30);
    CHECK(b.seen[1].empty());
    CHECK(b.unroutable() == 2);
    CHECK(b.drops(0) == 0);
    CHECK(b.bank.read_register(0, 0x400) == 0);
    CHECK(b.room[0] == 1);
    CHECK(b.room[3] == 1);
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("a message of the switch itself for a closed output is dropped", "[golden][preempt]") {
  for (const std::uint32_t delay : {0u, 1u, 2u}) {
    CAPTURE(delay);
    PreemptBench b(preempt::kBsr1);
    write(b, 0x401, 0b1001);  // nodes 0 and 3
    write(b, 0x400, 1u << 31 | 1u << 30 | 1u << 8 | 9);
    b.send(3, first(PreemptBench::kHere, PreemptBench::kHere));
    // Applied in 3; the origin is filled in 4, has its route in 5, asks in 6.
    b.run(5 + delay);
    write(b, kClosed, 0b0001);
    b.run(30);
    CHECK(b.barriers(0).empty() == (delay < 2));
    CHECK(b.unroutable() == (delay < 2 ? 1 : 0));
    CHECK(b.barriers(3).size() == 2);  // the others go
    CHECK(b.bank.quiescent(0));
  }
}

TEST_CASE("first messages keep their order though outputs are closed", "[golden][preempt]") {
  // Two first messages, one with output 1 or 2, one with 2 alone: with 1 closed the second waits
  // until the first is served.
  PreemptBench b(preempt::kBsr1);
  write(b, 0x800 + 41, 0b0110);
  write(b, kClosed, 0b0010);
  b.times(16, 30, 256);
  b.send(1, later(32));
  b.step();
  b.send(3, first(41, 63));
  b.run(5);
  b.send(0, first(32, 60, 7));
  b.run(20);
  CHECK(b.bank.read_register(0, 0x420) == 0);  // the table has not taken the second
  b.run(200);
  REQUIRE(b.watch[2].messages().size() == 3);
  CHECK(b.watch[2].messages()[1].gid == 9);
  CHECK(b.watch[2].messages()[2].gid == 7);
}

TEST_CASE("a closed output gives back the channel that it has cut", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 1);
    b.packet(2, 1, 60);
    b.run(20);
    b.send(0, later(31));
    while (b.barriers(1).empty() && b.cycle < 100) b.step();
    write(b, kClosed, 0b0010);
    b.run(150);
    CHECK(b.watch[1].messages().size() == 1);
    CHECK(b.watch[1].at_rest());
    CHECK(b.at(1, 0).size() == 60);
    CHECK(b.bank.quiescent(0));
  }
}
