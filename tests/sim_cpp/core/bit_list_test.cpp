// SPDX-License-Identifier: Apache-2.0
#include "muster/core/bit_list.hpp"

#include <catch2/catch.hpp>

namespace muster::core {
namespace {

std::vector<std::uint32_t> numbers(const BitList& list) {
  return {list.numbers().begin(), list.numbers().end()};
}

TEST_CASE("BitList: the bits of all words in order, words that are 0 have none", "[core]") {
  BitList list(11);
  list.add(0, 4);
  CHECK(list.numbers().empty());
  list.add(0x8000000000000001u, 8);
  list.add(0, 100);
  list.add(0x1ff, 200);
  CHECK(numbers(list) ==
        std::vector<std::uint32_t>{8, 71, 200, 201, 202, 203, 204, 205, 206, 207, 208});
}

TEST_CASE("BitList: a word may have all bits", "[core]") {
  BitList list(64);
  list.add(~std::uint64_t{0}, 64);
  REQUIRE(list.numbers().size() == 64);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(list.numbers()[i] == 64 + i);
}

TEST_CASE("BitList: nothing is left of the words before clear()", "[core]") {
  BitList list(2);
  list.add(3, 0);
  list.clear();
  CHECK(list.numbers().empty());
  list.add(4, 7);
  CHECK(numbers(list) == std::vector<std::uint32_t>{9});
}

}  // namespace
}  // namespace muster::core
