// SPDX-License-Identifier: Apache-2.0
#include "muster/run/option_values.hpp"

#include <catch2/catch.hpp>

namespace muster::run {
namespace {

using Parts = std::pair<std::string, std::uint64_t>;

TEST_CASE("a number is decimal digits of at most 64 bits and nothing else", "[run][options]") {
  CHECK(number("0", "--x") == 0);
  CHECK(number("007", "--x") == 7);
  CHECK(number("18446744073709551615", "--x") == ~std::uint64_t{0});
  for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "ten", "1,000",
                            "18446744073709551616", "99999999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH(
        number(wrong, "--x"),
        "--x: '" + std::string(wrong) + "' is not a whole number from 0 to 18446744073709551615");
    CHECK_THROWS_AS(number(wrong, "--x"), InputError);
  }
  CHECK(number("3", "--x", 3, 4) == 3);
  for (const char* outside : {"2", "5", "-3"})
    CHECK_THROWS_WITH(number(outside, "--x", 3, 4),
                      "--x: '" + std::string(outside) + "' is not a whole number from 3 to 4");
}

TEST_CASE("a number of 32 bits ends at 4294967295", "[run][options]") {
  CHECK(number32("4294967295", "--y") == 0xffff'ffffu);
  CHECK_THROWS_WITH(number32("4294967296", "--y"),
                    "--y: '4294967296' is not a whole number from 0 to 4294967295");
  CHECK_THROWS_AS(number32("4294967296", "--y"), InputError);
  CHECK_THROWS_WITH(number32("x", "--y"), "--y: 'x' is not a whole number from 0 to 4294967295");
}

TEST_CASE("WHAT@N is split at the first @", "[run][options]") {
  CHECK(split_at("3:4@17", "--absent") == Parts{"3:4", 17});
  CHECK(split_at("@0", "--absent") == Parts{"", 0});
  CHECK(cut_at("n3@4/1", "--join") == std::pair<std::string, std::string>{"n3", "4/1"});
  CHECK(cut_at("a@b@c", "--join") == std::pair<std::string, std::string>{"a", "b@c"});
  CHECK_THROWS_WITH(split_at("3:4", "--absent"),
                    "--absent '3:4': needs '@' and a number at its end");
  CHECK_THROWS_WITH(split_at("", "--absent"), "--absent '': needs '@' and a number at its end");
  CHECK_THROWS_WITH(split_at("3:4@", "--absent", 9),
                    "--absent '3:4@': '' is not a whole number from 0 to 9");
  CHECK_THROWS_WITH(split_at("a@b@3", "--absent", 9),
                    "--absent 'a@b@3': 'b@3' is not a whole number from 0 to 9");
  CHECK_THROWS_AS(split_at("3:4", "--absent"), InputError);
}

}  // namespace
}  // namespace muster::run
