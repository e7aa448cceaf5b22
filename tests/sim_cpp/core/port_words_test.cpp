// SPDX-License-Identifier: Apache-2.0
#include "core/port_words.hpp"

#include <catch2/catch.hpp>

#include "core/awake_flags.hpp"

namespace muster::core {
namespace {

TEST_CASE("PortWords: all ports of all blocks of a word have places of their own, and are found",
          "[core]") {
  for (std::uint32_t ports = 1; ports <= 16; ++ports) {
    with_port_width(ports, [&](auto width) {
      using Words = PortWords<width>;
      std::uint64_t together = 0, apart = 0;
      for (std::uint32_t block = 0; block < Words::kBlocks; ++block) {
        for (std::uint32_t port = 0; port < ports; ++port) {
          const std::uint32_t t = Words::together(block) + port;
          const std::uint32_t a = Words::apart(block) + 4 * port;
          REQUIRE(t < 64);
          REQUIRE(a < 64);
          REQUIRE(((together >> t | apart >> a) & 1) == 0);
          together |= std::uint64_t{1} << t;
          apart |= std::uint64_t{1} << a;
          CHECK(Words::together_block(t) == block);
          CHECK(Words::together_port(t) == port);
          CHECK(Words::apart_block(a) == block);
          CHECK(Words::apart_port(a) == port);
          // Words are numbered through.
          CHECK(Words::together_block(t + 64) == block + Words::kBlocks);
          CHECK(Words::apart_block(a + 64) == block + Words::kBlocks);
        }
      }
    });
  }
}

TEST_CASE("set_flags: bit i of the word is flag i", "[core]") {
  std::uint8_t flags[kFlags] = {};
  CHECK(set_flags(flags) == 0);
  for (std::uint32_t i = 0; i < kFlags; ++i) {
    flags[i] = 1;
    CHECK(set_flags(flags) == ~std::uint64_t{0} >> (kFlags - 1 - i));
  }
  flags[11] = 0;
  CHECK(set_flags(flags) == ~(std::uint64_t{1} << 11));
}

}  // namespace
}  // namespace muster::core
