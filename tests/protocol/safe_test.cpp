// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "protocol/search.hpp"
#include "support/test.hpp"

namespace muster::protocol {

namespace {

// Trees and searches of the tests.

/// Switches by their parents, and so many members at each. Members are numbered from the root on:
/// m0, ...
Tree tree(std::vector<unsigned> parents, const std::vector<unsigned>& members) {
  const auto switches = static_cast<unsigned>(parents.size());
  for (unsigned s = 0; s < switches; ++s) parents.insert(parents.end(), members[s], s);
  return {switches, parents};
}
Tree star(unsigned members) { return tree({0}, {members}); }
/// Switch S1 below the root S0.
Tree chain(unsigned at_root, unsigned below) { return tree({0, 0}, {at_root, below}); }
/// S2 below S1 below S0.
Tree line(unsigned at_root, unsigned at_middle, unsigned below) {
  return tree({0, 0, 1}, {at_root, at_middle, below});
}
/// S1 and S2 below the root.
Tree branch(unsigned at_root, unsigned below_1, unsigned below_2) {
  return tree({0, 0, 0}, {at_root, below_1, below_2});
}

constexpr std::uint8_t kAll = 0xff;
std::uint8_t mask(unsigned node) { return static_cast<std::uint8_t>(1u << node); }

struct Case {
  std::string name;
  Tree tree;
  Surroundings around;
  std::uint64_t states;  ///< as measured
  Rules rules = {};
};

/// REQUIRES: at least one case.
void check_safe(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.name);
    const Result result = search({c.tree, c.rules, c.around}, {.states = 200'000'000});
    INFO(fmt::format("{} stuck, first by:\n{}", result.stuck, fmt::join(result.trace, "\n")));
    CHECK(result.goes_on());
    CHECK(result.violation == "");
    CHECK(result.states == c.states);
  }
}

// The rules in a group whose members and registers all stay.

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
  check_safe({{"the root gives up", chain(0, 2), {.aborts = mask(0), .resets = mask(3)}, 41734},
              {"its switch gives up", chain(0, 2), {.aborts = mask(1), .resets = mask(3)}, 44178}});
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

// The rules in a group that loses parts, recovers and changes.

const Surroundings kEverything{.aborts = kAll, .resets = kAll, .recovers = true};

TEST_CASE("a group in which anything is reset or aborts goes on after a recovery", "[protocol]") {
  check_safe({{"two members", star(2), kEverything, 16457},
              {"two below", chain(0, 2), kEverything, 252467}});
}

TEST_CASE("a group goes on after a recovery without need", "[protocol]") {
  check_safe({{"one at the root, one below", chain(1, 1), {.recovers = true}, 43171}});
}

TEST_CASE("with all edges drained neither epoch nor a valid bit of the word is needed",
          "[protocol]") {
  Rules rules;
  rules.epoch_bits = 0;
  rules.stored_valid = false;
  check_safe({{"two members", star(2), kEverything, 16457, rules},
              {"two below", chain(0, 2), kEverything, 252467, rules}});
}

TEST_CASE(
    "one bit of epoch is enough where each edge is drained by itself, or members are waited for",
    "[protocol]") {
  Rules edges{.epoch_bits = 1, .drain = Drain::kEdges};
  Rules waits{.epoch_bits = 1, .drain = Drain::kNone, .recover_after_release = true};
  check_safe({{"edges", star(2), {.recovers = true}, 25664, edges},
              {"waits", star(2), {.recovers = true}, 20371, waits}});
}

TEST_CASE("members leave and join between others' barriers", "[protocol]") {
  const Surroundings one{.changes = mask(2)}, two{.changes = 0b1100}, last{.changes = mask(3)};
  const Surroundings eventful{.aborts = kAll, .resets = kAll, .changes = mask(2), .recovers = true};
  check_safe(
      {{"one of two", star(2), one, 1624},
       {"any two of three", star(3), two, 30829},
       {"one of two below", chain(0, 2), last, 7642},
       {"one of two below, with aborts", chain(0, 2), {.aborts = kAll, .changes = mask(3)}, 78742},
       {"one of two, with aborts, resets and recoveries", star(2), eventful, 43682}});
}

// Trees that take seconds to minutes.

TEST_CASE("three members at three switches: each barrier releases each member once",
          "[protocol][soak]") {
  check_safe({{"at each of three in a line", line(1, 1, 1), {}, 866245},
              {"at the root and two below it", branch(1, 1, 1), {}, 736243},
              {"one and two below the root", branch(0, 1, 2), {}, 487175}});
}

TEST_CASE("larger trees: all members learn the same failure", "[protocol][soak]") {
  const Surroundings gone{.aborts = mask(1), .resets = mask(4)};
  check_safe({{"one at the root, two below", chain(1, 2), kAborts, 1000820},
              {"two switches below the root", branch(0, 1, 1), kAborts, 488008},
              {"at the root and two below it", branch(1, 1, 1), kAborts, 16573114},
              {"one at the root, of two below one is gone", chain(1, 2), gone, 1144442}});
}

TEST_CASE("larger trees go on after a recovery from anything", "[protocol][soak]") {
  check_safe({{"three members", star(3), kEverything, 358549},
              {"one at the root, one below", chain(1, 1), kEverything, 576365},
              {"one at the root, two below", chain(1, 2), kEverything, 13662972},
              {"two switches below the root", branch(0, 1, 1), kEverything, 5179733}});
}

TEST_CASE("members leave and join, and anything else happens", "[protocol][soak]") {
  Surroundings around = kEverything;
  around.changes = mask(3);
  check_safe({{"one of three", star(3), around, 1491282},
              {"one of two below", chain(0, 2), around, 684558}});
}

TEST_CASE("two bits of phase do not make up for reordering", "[protocol][soak]") {
  const Result result =
      search({star(2), {.phase_bits = 2, .ordered = false}, {}}, {.symmetry = false});
  CHECK(result.violation == kEarly);
  CHECK(result.trace.size() == 40);
}

// What is wrong in each alternative to a rule: the search finds it, in a shortest trace.

struct Wrong {
  std::string name;
  Rules rules;
  Tree tree;
  Surroundings around;
  std::string violation;  ///< empty: some states are stuck
  std::size_t steps;      ///< as measured; to the first stuck state
};

void check_wrong(const std::vector<Wrong>& alternatives) {
  for (const Wrong& wrong : alternatives) {
    INFO(wrong.name);
    const Result result = search({wrong.tree, wrong.rules, wrong.around, 4}, {.symmetry = false});
    INFO(fmt::format("{}", fmt::join(result.trace, "\n")));
    CHECK(result.violation == wrong.violation);
    CHECK((result.stuck != 0) == wrong.violation.empty());
    CHECK(result.trace.size() == wrong.steps);
  }
}

TEST_CASE("a message without phase, or in a channel without order, releases early", "[protocol]") {
  check_wrong({{"no phase", {.phase_bits = 0}, star(2), {}, kEarly, 10},
               {"reordered", {.ordered = false}, star(2), {}, kEarly, 20},
               {"data combined with each copy", {.fold_once = false}, star(2), {}, kWrongData, 9}});
}

TEST_CASE("a register that goes on after its reset is wrong or stuck", "[protocol]") {
  const Surroundings resets{.resets = mask(0)};
  const Rules nothing{.stored_valid = false, .reset_disables = false};
  check_wrong({{"releases with nothing", nothing, star(2), resets, kEarly, 14},
               {"is out of phase", {.reset_disables = false}, star(2), resets, "", 9}});
}

TEST_CASE("without a drain an old epoch comes back", "[protocol]") {
  const Surroundings recovers{.recovers = true};
  const auto rules = [](unsigned bits, Drain drain) {
    return Rules{.epoch_bits = bits, .drain = drain};
  };
  check_wrong(
      {{"1 bit, 2 recoveries", rules(1, Drain::kNone), star(2), recovers, kEarly, 21},
       {"2 bits, 4 recoveries", rules(2, Drain::kNone), star(2), recovers, kEarly, 31},
       {"no epoch, edges drained", rules(0, Drain::kEdges), star(2), recovers, kEarly, 17}});
}

TEST_CASE("a component that is written alone, after its reset, is out of step", "[protocol]") {
  check_wrong({{"a member", {.write_all = false}, star(2), {.resets = mask(1)}, kEarly, 12},
               {"the root", {.write_all = false}, star(2), {.resets = mask(0)}, "", 9}});
}

TEST_CASE("an abort that is not final, or comes too late, is unsafe", "[protocol]") {
  const Surroundings root{.aborts = mask(0)}, below{.aborts = mask(1)};
  check_wrong({{"flips the phase", {.abort_is_final = false}, star(2), root, kEarly, 16},
               {"has sent", {.abort_unsent_only = false}, chain(1, 1), below, kDisagree, 13}});
}

TEST_CASE("a failure that is not told again, upwards and to all leaves members waiting",
          "[protocol]") {
  // m1 is gone, and m0 at the same switch waits.
  const Surroundings gone{.aborts = mask(0), .resets = mask(3)};
  check_wrong({{"not resent", {.fail_resent = false}, chain(0, 2), gone, "", 4},
               {"only if sent", {.fail_needs_sent = true}, chain(0, 2), gone, "", 1},
               {"not upwards", {.fail_goes_up = false}, chain(1, 1), {.aborts = mask(1)}, "", 1}});
}

TEST_CASE("a member that joins or leaves without its rules breaks the barrier", "[protocol]") {
  const Surroundings changes{.changes = mask(2)}, below{.changes = mask(3)};
  const Surroundings recovers{.changes = mask(2), .recovers = true};
  check_wrong({{"an old UP in the channel", {.join_drained = false}, star(2), changes, kEarly, 17},
               {"the register has sent", {.join_unsent = false}, chain(0, 2), below, kEarly, 11},
               {"no register checks", {.leave_completes = false}, star(2), changes, "", 4},
               {"count forgotten", {.leavers_count = false}, star(2), recovers, kWrongData, 19}});
}

TEST_CASE("a trace says step by step what happens", "[protocol]") {
  const Result result = search({star(2), {.phase_bits = 0}, {}}, {.symmetry = false});
  CHECK(result.trace == std::vector<std::string>{"m0 arrives", "m0 sends UP(0)", "m1 arrives",
                                                 "m1 sends UP(0)", "S0 takes UP(0) of m0",
                                                 "S0 takes UP(0) of m1", "S0 sends DOWN(0) to m0",
                                                 "m0 takes DOWN(0), a copy stays", "m0 arrives",
                                                 "m0 takes DOWN(0)"});
}

}  // namespace
}  // namespace muster::protocol
