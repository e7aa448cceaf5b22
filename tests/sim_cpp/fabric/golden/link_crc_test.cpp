// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/link_crc.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace muster {
namespace {

using core::Flit;
using fabric::LinkConfig;

TEST_CASE("the CRC finds every error of up to five bits of the largest frame", "[link]") {
  const LinkConfig largest{.vcs = 4, .depth = 15, .flit_w = 64, .slots = 32};
  const fabric::LinkFormat format(largest);
  REQUIRE(format.width() == 119);
  // What a flipped bit does to the CRC and to its place in the frame: it is found unless what the
  // bits do cancels out. A CRC is linear, so this is the same in every frame.
  const Flit frame = format.pack({.flit = true, .seq = 45, .payload = 0xfedcba9876543210});
  std::vector<std::uint16_t> syndromes;
  for (unsigned at = 0; at < format.width(); ++at) {
    Flit flipped = frame;
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

}  // namespace
}  // namespace muster
