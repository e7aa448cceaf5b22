// SPDX-License-Identifier: Apache-2.0
#include "muster/core/bit_words.hpp"

#include <catch2/catch.hpp>
#include <utility>

namespace muster::core {
namespace {

using Seen = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Seen bits_of(const BitWords& words) {
  Seen seen;
  words.for_each([&](std::uint32_t first, std::uint32_t bit) { seen.emplace_back(first, bit); });
  return seen;
}

TEST_CASE("BitWords: all bits of all words in order, words that are 0 are none", "[core]") {
  BitWords words(3);
  CHECK(words.room() == 3);
  words.add(0, 4);
  CHECK(bits_of(words).empty());
  words.add(0x8000000000000001u, 8);
  words.add(0, 12);
  words.add(6, 16);
  words.add(1, 20);
  CHECK(bits_of(words) == Seen{{8, 0}, {8, 63}, {16, 1}, {16, 2}, {20, 0}});
}

TEST_CASE("BitWords: nothing is left of the words before clear()", "[core]") {
  BitWords words(2);
  words.add(3, 0);
  words.add(5, 1);
  words.clear();
  CHECK(bits_of(words).empty());
  words.add(4, 7);
  CHECK(bits_of(words) == Seen{{7, 2}});
}

}  // namespace
}  // namespace muster::core
