// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fabric/golden/link_end.hpp"
#include "fabric/link_config.hpp"

using namespace muster;
using fabric::LinkConfig;
using fabric::LinkFormat;
using fabric::LinkFrame;

TEST_CASE("link configurations are checked and come from the list of blocks", "[link][config]") {
  const std::pair<LinkConfig, const char*> refused[] = {
      {{.vcs = 5}, "vcs = 5 is not in 1..4"},
      {{.vcs = 4, .pocket = 1}, "vcs = 4 is not in 1..3"},
      {{.depth = 16}, "depth = 16 is not in 1..15"},
      {{.flit_w = 80}, "flit_w = 80 is not in 16..64"},
      {{.pocket = 2}, "pocket = 2 is not in 0..1"},
      {{.slots = 12}, "slots = 12 is not a power of two"},
      {{.slots = 64}, "slots = 64 is not in 4..32"},
      {{.timeout = 3}, "timeout = 3 is not in 4..255"},
      {{.retries = 0}, "retries = 0 is not in 1..15"},
      {{.lossy = 2}, "lossy = 2 is not in 0..1"},
      {{.pocket = 1, .lossy = 1}, "lossy = 1 is not in 0..0"},
      {{.slots = 8, .lossy = 1}, "slots = 8 is not in 9..32"}};
  for (const auto& [config, token] : refused)
    CHECK_THROWS_WITH(fabric::validate(config), std::string("link configuration 'link': ") + token);
  const LinkConfig& listed = fabric::link_configurations().at(1);
  CHECK(listed == LinkConfig{.name = "link1", .vcs = 1, .slots = 8});
  const fabric::BlockEntry entry{"again", "link", fabric::block_of(listed)};
  CHECK(fabric::link_config(entry) == LinkConfig{.name = "again", .vcs = 1, .slots = 8});
}

TEST_CASE("frames lie in flits and on the wires as the page says", "[link]") {
  const LinkFormat format(LinkConfig{});  // S = 5, two counts of 3 bits
  CHECK(format.width() == 6 + 10 + 6 + 1 + 3 + 16 + 16);
  const LinkFrame frame{.init = true,
                        .flit = true,
                        .echo = true,
                        .nack = true,
                        .seq = 0b10011,
                        .ack = 0b00101,
                        .count = {3, 4},
                        .vc = 1,
                        .kind = core::Flit::kTail,
                        .payload = 0x1234,
                        .crc = 0xabcd};
  const core::Flit packed = format.pack(frame);
  CHECK(packed.spare == 0b101011'10011'00101'100'011);
  CHECK(packed.lo == 0x1234);
  CHECK(packed.hi == 0xabcd);
  CHECK(packed.vc == 1);
  CHECK(packed.kind == core::Flit::kTail);
  CHECK(format.unpack(packed) == frame);
  std::uint64_t wires = 0;
  for (unsigned at = format.width(); at-- > 0;) wires = wires << 1 | format.bit(packed, at);
  CHECK(wires == 0b101011'10011'00101'100'011'1'001'0001001000110100'1010101111001101);
}

TEST_CASE("every bit of a frame of the largest configuration is one of the flit", "[link]") {
  const LinkFormat format(LinkConfig{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32});
  const core::Flit none{};
  for (unsigned at = 0; at < format.width(); ++at) {
    CAPTURE(at);
    core::Flit frame = none;
    format.flip(frame, at);
    for (unsigned other = 0; other < format.width(); ++other)
      CHECK(format.bit(frame, other) == (other == at));
    CHECK(format.pack(format.unpack(frame)) == frame);
    CHECK(format.unpack(frame).init == (at + 1 == format.width()));
    format.flip(frame, at);
    CHECK(frame == none);
  }
}

TEST_CASE("the CRC finds every error of up to five bits of the largest frame", "[link]") {
  const LinkConfig largest{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32};
  const fabric::LinkFormat format(largest);
  REQUIRE(format.width() == 119);
  // What a flipped bit does to the CRC and to its place in the frame: it is found unless what the
  // bits do cancels out. A CRC is linear, so this is the same in every frame.
  const core::Flit frame = format.pack({.flit = true, .seq = 45, .payload = 0xfedcba9876543210});
  std::vector<std::uint16_t> syndromes;
  for (unsigned at = 0; at < format.width(); ++at) {
    core::Flit flipped = frame;
    format.flip(flipped, at);
    syndromes.push_back(golden::link_crc(format, flipped) ^ golden::link_crc(format, frame) ^
                        flipped.hi ^ frame.hi);
  }
  std::vector<bool> of_one(1u << 16), of_two(1u << 16);
  std::size_t found = 0, singles = 0, pairs = 0, triples = 0;
  for (std::size_t a = 0; a < syndromes.size(); ++a) {
    singles += syndromes[a] == 0 || of_one[syndromes[a]];
    of_one[syndromes[a]] = true;
    for (std::size_t b = 0; b < a; ++b) {
      const unsigned two = syndromes[a] ^ syndromes[b];
      pairs += of_two[two];  // four bits that cancel out, as no two are alike
      of_two[two] = true;
    }
  }
  for (std::size_t a = 0; a < syndromes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c) {
        const unsigned three = syndromes[a] ^ syndromes[b] ^ syndromes[c];
        triples += of_one[three] || of_two[three];  // four or five, or two of three are the same
        ++found;
      }
  CHECK(singles == 0);
  CHECK(pairs == 0);
  CHECK(triples == 0);
  CHECK(found == 119u * 118 * 117 / 6);
}
