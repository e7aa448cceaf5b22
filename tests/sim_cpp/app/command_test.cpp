// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"
#include "app/context.hpp"
#include "sim_cpp/app/shell.hpp"

using muster::app::duration_text;
using muster::app::progress_line;

namespace muster::app {
namespace {

/// Adds the option to `run` as one of system 'second'; `run` has an option of its own and one of
/// system 'first'.
void add_second(const std::string& name) {
  CLI::App run{"", "run"};
  std::string word;
  run.add_option("--group", word);
  bool flag = false;
  run::Fields first, second;
  first.flag("--gap", flag, "");
  second.flag(name.c_str(), flag, "");
  CliOptions options{run};
  options.add(first, "system 'first'");
  options.add(second, "system 'second'");
}

TEST_CASE("an option that another system has is refused with both named", "[app][errors]") {
  CHECK_THROWS_AS(add_second("--gap"), InternalError);
  CHECK_THROWS_WITH(add_second("--gap"),
                    "system 'second': option --gap is taken by system 'first'");
  CHECK_NOTHROW(add_second("--gaps"));
}

TEST_CASE("an option of the command itself is refused, also one that comes later",
          "[app][errors]") {
  for (const std::string name : {"--group", "--help", "--seed", "--json", "--engine"})
    CHECK_THROWS_WITH(add_second(name),
                      "system 'second': option " + name + " is taken by 'run' itself");
}

}  // namespace

}  // namespace muster::app

using namespace muster::test;

namespace {

/// The rest of the line that begins with `word`.
std::string value_of(const std::string& text, const std::string& word) {
  const auto at = text.find("\n" + word);
  REQUIRE(at != std::string::npos);
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("a node's link can be cut by either of its names", "[app][hang]") {
  const std::string net = "run " + kFigure1 + " --group 3:4,0:4 --stop-link ";
  const Outcome node = muster_command(net + "n1@0"), ends = muster_command(net + "n1-0:4@0");
  CHECK(node.status == 1);
  CHECK_THAT(node.out, Catch::Contains("0:4 -> n1"));
  CHECK(value_of(node.out, "digest ") == value_of(ends.out, "digest "));
}
