// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"

#include <catch2/catch.hpp>

using namespace muster::topology;

TEST_CASE("what is no printable character is a question mark a byte", "[topology][quote]") {
  CHECK(quote(std::string("a\0\n\x7f\x1b", 5)) == "\"a????\"");
  CHECK(quote("\xc2\x85") == "\"??\"");                 // a control character, U+0085
  CHECK(quote("\xff\xfe\x80") == "\"???\"");            // never in UTF-8, a rest of nothing
  CHECK(quote("\xc3") == "\"?\"");                      // cut off
  CHECK(quote("\xe3\x82x") == "\"??x\"");               // the next character begins too early
  CHECK(quote("\xc0\xaf\xe0\x80\xaf") == "\"?????\"");  // longer than need be
  CHECK(quote("\xed\xa0\x80") == "\"???\"");            // half of a pair, U+D800
  CHECK(quote("\xf4\x90\x80\x80") == "\"????\"");       // beyond U+10FFFF
  CHECK(quote("a\u202eb\u200b") == "\"a???b???\"");     // turns what follows round, has no width
}

TEST_CASE("a kept name is printable, has no blanks at its ends and stays as it is",
          "[topology][quote]") {
  CHECK(kept_name(" \t leaf 1\r\n") == "leaf 1");
  CHECK(kept_name("a\nb\x01") == "a?b?");
  CHECK(kept_name(" \n").empty());
  const std::string cut = kept_name(std::string(300, 'x'));
  CHECK(cut == std::string(200, 'x') + "...");
  CHECK(kept_name(cut) == cut);
}

TEST_CASE("a long text is cut between characters", "[topology][quote]") {
  std::string sixty;
  for (int i = 0; i < 60; ++i) sixty += "ü";
  CHECK(quote(sixty) == "\"" + sixty + "\"");
  CHECK(quote(sixty + "x") == "\"" + sixty + "...\"");
  CHECK(printable("abc", 2) == "ab...");
}
