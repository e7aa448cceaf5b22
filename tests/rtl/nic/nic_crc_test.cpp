// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vnic_crc.h"
#include "muster/core/rng.hpp"
#include "support/seed.hpp"
#include "systems/nic/blocks/nic_message.hpp"

using namespace muster;

namespace {

std::uint16_t crc(Vnic_crc& dut, const std::array<std::uint16_t, 4>& words) {
  std::uint16_t value = 0xffff;
  for (const std::uint16_t word : words) {
    dut.crc_i = value;
    dut.word_i = word;
    dut.eval();
    value = dut.crc_o;
  }
  return value;
}

}  // namespace

TEST_CASE("the CRC is that of the example, and of the C++ mirror", "[rtl][nic]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  VerilatedContext context;
  Vnic_crc dut(&context, "dut");
  CHECK(crc(dut, {0x8005, 0x0003, 0x0207, 0x0001}) == 0x2313);
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint16_t, 4> words;
    std::array<core::Flit, 4> flits;
    for (unsigned k = 0; k < 4; ++k)
      flits[k].lo = words[k] = static_cast<std::uint16_t>(rng.next());
    REQUIRE(crc(dut, words) == nic::nic_crc(flits));
  }
}

TEST_CASE("the CRC finds every error of up to three bits", "[rtl][nic]") {
  // Linear: an error is found if the CRC of the flipped bits alone, from 0, is not what the tail
  // has flipped.
  VerilatedContext context;
  Vnic_crc dut(&context, "dut");
  std::array<std::uint16_t, 80> change{};
  for (unsigned bit = 0; bit < 64; ++bit) {
    std::uint16_t value = 0;
    for (unsigned k = 0; k < 4; ++k) {
      dut.crc_i = value;
      dut.word_i = static_cast<SData>(bit / 16 == k ? 1u << (bit % 16) : 0);
      dut.eval();
      value = dut.crc_o;
    }
    change[bit] = value;
  }
  for (unsigned bit = 64; bit < 80; ++bit)
    change[bit] = static_cast<std::uint16_t>(1u << (bit - 64));
  unsigned missed = 0;
  for (unsigned a = 0; a < 80; ++a) {
    missed += change[a] == 0;
    for (unsigned b = 0; b < a; ++b) {
      missed += change[a] == change[b];
      for (unsigned c = 0; c < b; ++c) missed += (change[a] ^ change[b] ^ change[c]) == 0;
    }
  }
  CHECK(missed == 0);
}
