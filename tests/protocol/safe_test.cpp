// SPDX-License-Identifier: Apache-2.0
// The rules in a group whose members and registers all stay.
#include "protocol/cases.hpp"

namespace muster::protocol {
namespace {

const Surroundings kQuiet{}, kAborts{.aborts = kAll};

TEST_CASE("whatever is lost and duplicated, each barrier releases each member once, with its data",
          "[protocol]") {
  check_safe(
      {{"two members", star(2), kQuiet, 592},
       {"three members", star(3), kQuiet, 5191},
       {"one at the root, one below", chain(1, 1), kQuiet, 8377},
       {"two below", chain(0, 2), kQuiet, 2725},
       {"two at the root, one below", chain(2, 1), kQuiet, 105463},
       {"one at the root, two below", chain(1, 2), kQuiet, 66619},
       {"two at the end of three switches", line(0, 0, 2), kQuiet, 12343},
       {"two switches below the root, with one member each", branch(0, 1, 1), kQuiet, 30513}});
}

TEST_CASE("when any member or register aborts all members learn the same failure", "[protocol]") {
  check_safe({{"two members", star(2), kAborts, 2414},
              {"three members", star(3), kAborts, 28936},
              {"one at the root, one below", chain(1, 1), kAborts, 67365},
              {"two below", chain(0, 2), kAborts, 29555}});
}

TEST_CASE("the rules as the hardware has them are safe and go on", "[protocol]") {
  Rules built;
  built.as_built = true;
  check_safe(
      {{"two members", star(2), kAborts, 2302, built},
       {"three members", star(3), kAborts, 26920, built},
       {"one at the root, one below", chain(1, 1), kAborts, 58581, built},
       {"one at the root, two below", chain(1, 2), kQuiet, 47267, built},
       {"two switches below the root", branch(0, 1, 1), kQuiet, 16381, built},
       {"three members, two of which leave and join", star(3), {.changes = 0b1100}, 25661, built}});
}

TEST_CASE("when a member is gone for good the others learn a failure", "[protocol]") {
  check_safe(
      {{"beside it, the root gives up", chain(0, 2), {.aborts = mask(0), .resets = mask(3)}, 41734},
       {"beside it, its switch gives up",
        chain(0, 2),
        {.aborts = mask(1), .resets = mask(3)},
        44178}});
}

TEST_CASE("messages taken and sent in one cycle reach the states of one after the other",
          "[protocol]") {
  Surroundings around{.aborts = kAll};
  const Tree tree = GENERATE(star(3), chain(0, 2));
  const Result one_by_one = search({tree, {}, around});
  around.several = true;
  const Result at_once = search({tree, {}, around});
  CHECK(one_by_one.goes_on());
  CHECK(at_once.goes_on());
  CHECK(at_once.states == one_by_one.states);
}

TEST_CASE("what makes the search shorter does not change what it finds", "[protocol]") {
  Rules rules;
  Surroundings around;
  std::string violation;
  SECTION("with the right rules") {}
  SECTION("with data combined twice") {
    rules.fold_once = false;
    violation = kWrongData;
  }
  for (const bool symmetry : {false, true}) {
    for (const bool forget : {false, true}) {
      const Result result =
          search({star(2), rules, around}, {.symmetry = symmetry, .forget = forget});
      CHECK(result.violation == violation);
      CHECK(result.stuck == 0);
      CHECK(result.complete);
      if (violation.empty()) {
        const std::uint64_t all = forget ? 1141 : 4125, merged = forget ? 592 : 2102;
        CHECK(result.states == (symmetry ? merged : all));
      }
    }
  }
}

TEST_CASE("with three messages a channel failures are safe without leaving out messages too",
          "[protocol]") {
  // A register that has failed answers again and again, so some bound is needed.
  const Result result = search({star(2), {}, {.aborts = mask(0)}, 3}, {.forget = false});
  CHECK(result.violation.empty());
  CHECK_FALSE(result.complete);
  CHECK(result.stuck == 0);
  CHECK(result.states == 86663);
}

TEST_CASE("a search ends at its limit and says so", "[protocol]") {
  const Result result = search({star(3), {}, {}}, {.states = 1000});
  CHECK_FALSE(result.complete);
  CHECK_FALSE(result.goes_on());
  CHECK(result.states < 1100);
}

}  // namespace
}  // namespace muster::protocol
