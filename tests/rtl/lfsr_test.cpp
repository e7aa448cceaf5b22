// SPDX-License-Identifier: Apache-2.0
#include "Vlfsr_all.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

namespace {

/// Exponents of the polynomials in the header of muster_lfsr.sv, from width 3 on.
const std::vector<std::vector<unsigned>> kExponents = {
    {3, 2},        {4, 3},          {5, 3},   {6, 5},           {7, 6},        {8, 6, 5, 4},
    {9, 5},        {10, 7},         {11, 9},  {12, 6, 4, 1},    {13, 4, 3, 1}, {14, 5, 3, 1},
    {15, 14},      {16, 15, 13, 4}, {17, 14}, {18, 11},         {19, 6, 2, 1}, {20, 17},
    {21, 19},      {22, 21},        {23, 18}, {24, 23, 22, 17}, {25, 22},      {26, 6, 2, 1},
    {27, 5, 2, 1}, {28, 25},        {29, 27}, {30, 6, 4, 1},    {31, 28},      {32, 22, 2, 1}};

std::uint32_t taps(unsigned width) {
  std::uint32_t mask = 0;
  for (const unsigned k : kExponents.at(width - 3)) mask |= 1u << (k - 1);
  return mask;
}

std::uint32_t step(std::uint32_t value, unsigned width) {
  return (value >> 1) ^ ((value & 1) ? taps(width) : 0);
}

/// a * b modulo the polynomial of `width`, over GF(2).
std::uint64_t multiply(std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::uint64_t polynomial = (std::uint64_t{taps(width)} << 1) | 1;
  std::uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if ((a >> width) & 1) a ^= polynomial;
  }
  return product;
}

std::uint64_t x_to_the(std::uint64_t exponent, unsigned width) {
  std::uint64_t result = 1;
  for (std::uint64_t power = 2; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, power, width);
    power = multiply(power, power, width);
  }
  return result;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    factors.push_back(p);
    while (n % p == 0) n /= p;
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

}  // namespace

TEST_CASE("an LFSR of any width follows the equation of its header and steps only when told",
          "[rtl][lfsr]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
  Clocked<Vlfsr_all> dut(seed);
  std::vector<std::uint32_t> expected(30);
  for (unsigned w = 3; w <= 32; ++w) expected[w - 3] = w - 2;

  for (int cycle = 0; cycle < 5000; ++cycle) {
    const bool step_now = rng.below(100) < (cycle < 2500 ? 40 : 100);
    dut->step_i = step_now;
    dut.settle();
    for (unsigned w = 3; w <= 32; ++w) {
      CAPTURE(cycle, w);
      REQUIRE(dut->values_o[w - 3] == expected[w - 3]);
    }
    dut.edge();
    if (step_now)
      for (unsigned w = 3; w <= 32; ++w) expected[w - 3] = step(expected[w - 3], w);
  }
}

TEST_CASE("the polynomial of every width is primitive", "[rtl][lfsr]") {
  for (unsigned w = 3; w <= 32; ++w) {
    CAPTURE(w);
    const std::uint64_t period = (std::uint64_t{1} << w) - 1;
    REQUIRE(x_to_the(period, w) == 1);
    for (const std::uint64_t p : prime_factors(period)) REQUIRE(x_to_the(period / p, w) != 1);
  }
}
