// SPDX-License-Identifier: Apache-2.0
#include "core/deflate.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"

using muster::packed;
using muster::unpacked;

TEST_CASE("what is packed is unpacked, whatever its length and bytes", "[core]") {
  std::string text;
  for (int length = 0; length < 300; ++length) {
    CHECK(unpacked(packed(text), 1000, "x") == text);
    text += static_cast<char>(length * 37);
  }
  const std::string large(1'000'000, 'a');
  CHECK(packed(large).size() < 4000);
  CHECK(unpacked(packed(large), large.size(), "x") == large);
}

TEST_CASE("text that is not packed, or too long, is refused by name", "[core]") {
  const std::string good = packed("a text");
  CHECK_THROWS_WITH(unpacked("", 100, "a.html"), "a.html: its data are damaged");
  CHECK_THROWS_WITH(unpacked("!" + good, 100, "a.html"), "a.html: its data are damaged");
  CHECK_THROWS_WITH(unpacked(good.substr(0, 8), 100, "a.html"), "a.html: its data are damaged");
  CHECK_THROWS_WITH(unpacked(packed(std::string(5000, 'a')), 100, "a.html"),
                    "a.html: its data are too long");
  CHECK_THROWS_AS(unpacked("", 100, "a.html"), muster::InputError);
}
