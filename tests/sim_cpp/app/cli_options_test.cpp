// SPDX-License-Identifier: Apache-2.0
#include "app/cli_options.hpp"

#include <catch2/catch.hpp>

namespace muster::app {
namespace {

/// `run` with an option of its own and one of system 'first'; 'second' comes next.
struct Line {
  CLI::App run{"", "run"};
  CliOptions options{run};
  std::uint32_t value = 0;
  std::string word;
  bool flag = false;

  Line() {
    run.add_option("--group", word);
    options.of("system 'first'");
    options.number("--gap", value, "", 0, 9);
    options.of("system 'second'");
  }
};

TEST_CASE("an option that another system has is refused with both named", "[app][errors]") {
  Line line;
  CHECK_THROWS_AS(line.options.flag("--gap", line.flag, ""), InternalError);
  CHECK_THROWS_WITH(Line().options.text("--gap", line.word, ""),
                    "system 'second': option --gap is taken by system 'first'");
  CHECK_NOTHROW(line.options.flag("--gaps", line.flag, ""));
}

TEST_CASE("an option of the command itself is refused, also one that comes later",
          "[app][errors]") {
  for (const std::string name : {"--group", "--help", "--seed", "--json", "--engine"}) {
    Line line;
    CHECK_THROWS_WITH(line.options.number(name, line.value, "", 0, 9),
                      "system 'second': option " + name + " is taken by 'run' itself");
  }
}

}  // namespace
}  // namespace muster::app
