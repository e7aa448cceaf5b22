// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_frame.hpp"

#include <catch2/catch.hpp>

#include "fabric/link_configurations.hpp"

using namespace muster;
using fabric::LinkConfig;
using fabric::LinkFormat;
using fabric::LinkFrame;

TEST_CASE("link configurations are checked and come from the list of blocks", "[link][config]") {
  const auto refused = [](LinkConfig config, const char* why) {
    CHECK_THROWS_WITH(fabric::validate(config), why);
  };
  refused({.vcs = 5}, "link configuration 'link': vcs = 5 is not in 1..4");
  refused({.vcs = 4, .pocket = 1}, "link configuration 'link': vcs = 4 is not in 1..3");
  refused({.depth = 16}, "link configuration 'link': depth = 16 is not in 1..15");
  refused({.flit_w = 80}, "link configuration 'link': flit_w = 80 is not in 16..64");
  refused({.pocket = 2}, "link configuration 'link': pocket = 2 is not in 0..1");
  refused({.slots = 12}, "link configuration 'link': slots = 12 is not a power of two");
  refused({.slots = 64}, "link configuration 'link': slots = 64 is not in 4..32");
  refused({.timeout = 3}, "link configuration 'link': timeout = 3 is not in 4..255");
  refused({.retries = 0}, "link configuration 'link': retries = 0 is not in 1..15");
  refused({.lossy = 2}, "link configuration 'link': lossy = 2 is not in 0..1");
  refused({.pocket = 1, .lossy = 1}, "link configuration 'link': lossy = 1 is not in 0..0");
  refused({.slots = 8, .lossy = 1}, "link configuration 'link': slots = 8 is not in 9..32");

  const auto& list = fabric::link_configurations();
  REQUIRE(list.size() >= 3);
  CHECK(list[0] == LinkConfig{.name = "link2"});
  CHECK(list[1] == LinkConfig{.name = "link1", .vcs = 1, .slots = 8});
  CHECK(list[2] == LinkConfig{.name = "link1r", .vcs = 1, .slots = 16, .lossy = 1});
  const fabric::BlockEntry entry{"again", "link", fabric::block_of(list[1])};
  CHECK(entry.block.top == "link_end");
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
