// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/formats.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/seed.hpp"

namespace muster::fabric {
namespace {

TEST_CASE("a barrier message of 16 bits has type, gid and data where formats.md puts them",
          "[network][formats]") {
  const Formats formats(16, 8);
  CHECK(formats.data_width() == 6);
  const core::Flit flit = formats.barrier_flit({MessageType::kDistribution, 0xA5, {0x2B, 0}}, 1);
  CHECK(flit.lo == 0x696Bu);  // 01 10100101 101011
  CHECK(flit.hi == 0);
  CHECK(flit.vc == 1);
  CHECK(flit.kind == core::Flit::kSync);
}

TEST_CASE("barrier messages of every width come back as they were", "[network][formats]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (unsigned width = kMinFlitWidth; width <= kMaxFlitWidth; ++width) {
    for (unsigned gid = kMinGidWidth; gid <= kMaxGidWidth; ++gid) {
      CAPTURE(width, gid);
      const Formats formats(width, gid);
      for (int i = 0; i < 8; ++i) {
        const BarrierMessage message{
            static_cast<MessageType>(rng.below(4)),
            static_cast<std::uint32_t>(rng.below(1u << gid)),
            Formats::low_bits({rng.next(), static_cast<std::uint16_t>(rng.next())},
                              formats.data_width())};
        const core::Flit flit = formats.barrier_flit(message, 0);
        REQUIRE(formats.barrier_message(flit) == message);
        REQUIRE(Formats::low_bits({flit.lo, flit.hi}, width) == Payload{flit.lo, flit.hi});
      }
    }
  }
}

TEST_CASE("fields that are too wide are cut, never spilt into their neighbours",
          "[network][formats]") {
  const Formats formats(16, 4);
  const auto flit =
      formats.barrier_flit({MessageType::kReduction, 0x1F, {~std::uint64_t{0}, 0xffff}}, 0);
  CHECK(formats.barrier_message(flit) == BarrierMessage{MessageType::kReduction, 0xF, {0x3FF, 0}});
}

TEST_CASE("barrier packets of every group id width come back as they were", "[network][formats]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (unsigned gid = kMinGidWidth; gid <= kMaxGidWidth; ++gid) {
    const Formats formats(kMinFlitWidth, gid);
    for (int i = 0; i < 32; ++i) {
      const std::uint64_t barrier = rng.below(100000);
      const BarrierPacket packet{
          static_cast<std::uint32_t>(rng.below(2048)), static_cast<std::uint32_t>(rng.below(2048)),
          static_cast<std::uint32_t>(rng.below(1u << gid)),
          static_cast<std::uint32_t>(barrier % (1u << formats.number_width())), kOpcodeRelease};
      const std::vector<core::Flit> flits = formats.barrier_packet(packet, 3);
      REQUIRE(flits.size() == kBarrierPacketFlits);
      REQUIRE(formats.barrier_packet(flits) == packet);
      REQUIRE(Formats::stream(flits[1]) == 3);
      for (const std::uint64_t near : {barrier, barrier + 1, barrier == 0 ? 0 : barrier - 1})
        REQUIRE(formats.barrier_near(near, packet.number) == barrier);
      for (const core::Flit& flit : flits) REQUIRE(flit.lo <= 0xffff);
    }
  }
}

TEST_CASE("a flit of FlitW bits names 2^(FlitW - 5) addresses, at most 2^16",
          "[network][formats]") {
  CHECK(addresses(16) == 2048);
  CHECK(addresses(17) == 4096);
  CHECK(addresses(80) == 65536);
  CHECK(flit_width_for(2048) == 16);
  CHECK(flit_width_for(2049) == 17);
  CHECK(flit_width_for(65536) == 21);
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (unsigned width = kMinFlitWidth; width <= 24; ++width) {
    const Formats formats(width, 8);
    for (int i = 0; i < 100; ++i) {
      const auto any = [&] { return static_cast<std::uint32_t>(rng.below(addresses(width))); };
      const BarrierPacket packet{any(), any(), 7, 9, kOpcodeAck};
      const std::vector<core::Flit> flits = formats.barrier_packet(packet, 2);
      REQUIRE(formats.barrier_packet(flits) == packet);
      REQUIRE(Formats::stream(flits[1]) == 2);
      for (const core::Flit& flit : flits) REQUIRE(flit.lo >> width == 0);
      const Packet data{.source = any(), .destination = any(), .length = 3, .vc = 1, .opcode = 21};
      const core::Flit head = formats.packet_flit(data, 0), second = formats.packet_flit(data, 1);
      REQUIRE(Formats::destination(head) == data.destination);
      REQUIRE(Formats::opcode(head) == 21);
      REQUIRE(Formats::source(second) == data.source);
      REQUIRE((head.lo | second.lo) >> width == 0);
    }
  }
}

TEST_CASE("a data packet is head, source, sequence, words, tail", "[network][formats]") {
  const Formats formats(16, 8);
  const Packet packet{
      .source = 2047, .destination = 1025, .length = 5, .sequence = 0xBEEF, .vc = 3};
  const core::Flit head = formats.packet_flit(packet, 0);
  CHECK(head.kind == core::Flit::kHead);
  CHECK(Formats::destination(head) == 1025);
  CHECK(Formats::opcode(head) == kOpcodeData);
  const core::Flit second = formats.packet_flit(packet, 1);
  CHECK(second.kind == 0);
  CHECK(second.lo == 0x1FFFu);
  CHECK(Formats::source(second) == 2047);
  CHECK(Formats::stream(second) == 3);
  CHECK(Formats::sequence(formats.packet_flit(packet, 2)) == 0xBEEF);
  CHECK(formats.packet_flit(packet, 3).lo == (data_word(2047, 1025, 0xBEEF, 3) & 0xffff));
  CHECK(formats.packet_flit(packet, 3).kind == 0);
  CHECK(formats.packet_flit(packet, 4).kind == core::Flit::kTail);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(formats.packet_flit(packet, i).vc == 3);
}

TEST_CASE("words tell source, destination, sequence and position apart", "[network][formats]") {
  std::set<std::uint64_t> words;
  for (std::uint32_t s = 0; s < 8; ++s) {
    for (std::uint32_t d = 0; d < 8; ++d) {
      for (std::uint16_t n = 0; n < 8; ++n) {
        for (std::uint32_t i = 3; i < 11; ++i) words.insert(data_word(s, d, n, i));
      }
    }
  }
  CHECK(words.size() == 8u * 8 * 8 * 8);
  const Formats wide(80, 12);
  CHECK(wide.body(1, 2, 3, 4).hi == static_cast<std::uint16_t>(mix64(data_word(1, 2, 3, 4))));
}

}  // namespace
}  // namespace muster::fabric
