// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, Barrier buffers: how messages are found on a link that may
/// lose flits, and when the credit of the buffer returns.

using namespace muster;
using core::Flit;
using golden::BarrierBuffer;
using golden::first;
using golden::later;
using golden::PreemptBench;
using preempt::BsrMessage;
using State = BarrierBuffer::State;

namespace {

Flit first_flit_of_type_3() {
  Flit flit;
  flit.kind = Flit::kFirst;
  flit.lo = 3u << 14;
  return flit;
}

/// Port 0 sends the flits of a message but those of `lost`, then nothing for `pause` cycles.
void send_without(PreemptBench& b, const BsrMessage& message, std::uint32_t lost,
                  std::uint32_t pause) {
  const auto flits = preempt::bsr_flits(message, 0);
  for (std::uint32_t i = 0; i < bsr_length(message.type); ++i) {
    const bool gone = lost >> i & 1;
    b.raw[0].push_back(gone ? std::nullopt : std::optional(flits[i]));
    b.room[0] -= i == 0 && gone;  // spent, though it does not arrive
  }
  for (std::uint32_t i = 0; i < pause; ++i) b.raw[0].emplace_back();
}

}  // namespace

TEST_CASE("a barrier buffer is complete with the last flit, which the first one tells",
          "[golden][preempt]") {
  for (const BsrMessage& m : {later(31), first(31, 60)}) {
    BarrierBuffer buffer;
    const auto flits = preempt::bsr_flits(m, 0);
    CHECK(buffer.empty());
    for (std::uint32_t i = 0; i < bsr_length(m.type); ++i) {
      CHECK(buffer.state() == State::kFilling);
      const auto framing = buffer.receive(flits[i], static_cast<std::uint16_t>(0x10 << i));
      CHECK_FALSE(framing.malformed);
      CHECK_FALSE(framing.freed);
    }
    CHECK(buffer.state() == State::kComplete);
    CHECK(buffer.message() == m);
    CHECK(buffer.mask() == 0x20);  // the destination is in the second flit
  }
}

TEST_CASE("a message whose flits cease for four cycles is lost", "[golden][preempt]") {
  for (const std::uint32_t flits : {1u, 2u})
    for (const std::uint32_t pause : {1u, 3u, 4u}) {
      BarrierBuffer buffer;
      const auto all = preempt::bsr_flits(first(31, 60), 0);
      for (std::uint32_t i = 0; i < flits; ++i) buffer.receive(all[i], 1);
      for (std::uint32_t i = 1; i <= pause; ++i) {
        const auto framing = buffer.silence();
        CHECK(framing.malformed == (i == 4));
        CHECK(framing.freed == (i == 4));
      }
      CHECK(buffer.empty() == (pause == 4));
    }
}

TEST_CASE("each flit of a message begins the count of silent cycles anew", "[golden][preempt]") {
  BarrierBuffer buffer;
  for (const Flit& flit : preempt::bsr_flits(first(31, 60), 0)) {
    for (int i = 0; i < 3; ++i) CHECK_FALSE(buffer.silence().freed);
    buffer.receive(flit, 1);
  }
  CHECK(buffer.state() == State::kComplete);
  for (int i = 0; i < 9; ++i) CHECK_FALSE(buffer.silence().freed);
}

TEST_CASE("a first flit while a message is filling begins anew", "[golden][preempt]") {
  for (const bool broken : {false, true}) {
    BarrierBuffer buffer;
    const auto flits = preempt::bsr_flits(later(31), 0);
    CHECK_FALSE(buffer.receive(flits[broken ? 1 : 0], 1).malformed);
    CHECK_FALSE(buffer.empty());
    CHECK(buffer.receive(flits[0], 1).malformed);
    buffer.receive(flits[1], 1);
    CHECK(buffer.message() == later(31));
  }
}

TEST_CASE("a first flit of type 3 begins no message", "[golden][preempt]") {
  for (const bool filling : {false, true}) {
    BarrierBuffer buffer;
    const auto flits = preempt::bsr_flits(later(31), 0);
    if (filling) buffer.receive(flits[0], 1);
    CHECK_FALSE(buffer.receive(first_flit_of_type_3(), 1).malformed);
    CHECK_FALSE(buffer.empty());
    buffer.receive(flits[1], 1);  // a stray, too
    CHECK(buffer.state() == State::kFilling);
    for (int i = 1; i <= 4; ++i) CHECK(buffer.silence().malformed == (i == 4));
    CHECK(buffer.empty());
  }
}

TEST_CASE("what comes to a message that is complete or going is dropped", "[golden][preempt]") {
  for (const bool going : {false, true})
    for (const Flit& stray : {preempt::bsr_flits(first(31, 60), 0)[0],
                              preempt::bsr_flits(later(31), 0)[1], first_flit_of_type_3()}) {
      BarrierBuffer buffer;
      const auto flits = preempt::bsr_flits(later(31), 0);
      buffer.receive(flits[0], 1);
      buffer.receive(flits[1], 1);
      if (going) buffer.go();
      CHECK(buffer.receive(stray, 2).malformed);
      CHECK(buffer.message() == later(31));
      CHECK(buffer.mask() == 1);
      CHECK_FALSE(buffer.sent());
      CHECK(buffer.sent());
      CHECK(buffer.empty());
    }
}

TEST_CASE("a lost flit costs its message, and the next one is found", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds)
    for (const BsrMessage& m : {later(31), first(31, 60)})
      for (std::uint32_t lost = 1; lost + 1 < 1u << bsr_length(m.type); ++lost) {
        CAPTURE(kind->name, lost);
        PreemptBench b(*kind);
        send_without(b, m, lost, 0);
        b.run(20);
        CHECK(b.room[0] == 1);  // back, as if the message had left
        CHECK(b.drops(0) == 1);
        CHECK(b.bank.quiescent(0));
        b.send(0, later(31, 51));
        b.run(20);
        CHECK(b.watch[1].messages() == std::vector{later(31, 51)});
        CHECK(b.room[0] == 1);
        CHECK(b.credit[0][0] == b.config.depth);
      }
}

TEST_CASE("the credit of a broken message is on the wires five cycles after its last flit",
          "[golden][preempt]") {
  PreemptBench b(preempt::kBsr1);
  send_without(b, later(31), 2, 0);
  b.run(5);  // its flit came in 0, cycles 1 to 4 are silent
  CHECK(b.room[0] == 0);
  b.step();
  CHECK(b.room[0] == 1);
}

TEST_CASE("the credit of a barrier buffer returns when its message has left it",
          "[golden][preempt]") {
  PreemptBench b(*golden::kPreemptKinds[GENERATE(0, 1, 2)]);
  std::uint64_t freed = 0;  // at the edge of this cycle
  SECTION("sent") {
    b.send(0, later(31));
    freed = 5;
  }
  SECTION("no such group: dropped by the unit") {
    b.send(0, later(PreemptBench::kHere));
    freed = 2;
  }
  SECTION("no way: dropped by the unit") {
    b.send(0, later(63));
    freed = 2;
  }
  SECTION("consumed") {
    b.bank.write_register(0, 0x401, 0b0001);
    b.bank.write_register(0, 0x400, 1u << 31 | 1u << 30 | 2u << 8 | 9);
    b.send(0, first(PreemptBench::kHere, PreemptBench::kHere));
    freed = 3;
  }
  b.run(freed + b.queued() + 1);
  CHECK(b.room[0] == 0);
  b.step();
  CHECK(b.room[0] == 1);
  b.run(30);
  CHECK(b.room[0] == 1);
}

TEST_CASE("a message waits in its buffer for the neighbour's, and its sender for it",
          "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : golden::kPreemptKinds) {
    PreemptBench b(*kind, 2);
    b.stuck[1] = 0b100;
    for (const std::uint32_t from : {50u, 51u, 52u}) b.send(0, later(31, from));
    b.run(100);
    CHECK(b.watch[1].messages() == std::vector{later(31, 50)});
    CHECK(b.room[0] == 0);
    CHECK(b.barrier[0].size() == 2);  // the third
    b.stuck[1] = 0;
    b.run(100);
    CHECK(b.watch[1].messages().size() == 3);
    CHECK(b.room[0] == 1);
    CHECK(b.bank.read_register(0, 0x00C) == 0);  // no wait for data
  }
}
