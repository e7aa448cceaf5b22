// SPDX-License-Identifier: Apache-2.0
// What is wrong in each alternative to a rule: the search finds it, in a shortest trace.
#include "protocol/cases.hpp"

namespace muster::protocol {
namespace {

struct Wrong {
  std::string name;
  Rules rules;
  Tree tree;
  Surroundings around;
  std::string violation;  ///< empty: some states are stuck
  std::size_t steps;      ///< as measured; to the first stuck state
};

Result search_wrong(const Wrong& wrong) {
  return search({wrong.tree, wrong.rules, wrong.around, 4}, {.symmetry = false});
}

void check_wrong(const std::vector<Wrong>& alternatives) {
  for (const Wrong& wrong : alternatives) {
    INFO(wrong.name);
    const Result result = search_wrong(wrong);
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
  check_wrong({{"releases with nothing",
                {.stored_valid = false, .reset_disables = false},
                star(2),
                resets,
                kEarly,
                14},
               {"is out of phase", {.reset_disables = false}, star(2), resets, "", 9}});
}

TEST_CASE("without a drain an old epoch comes back", "[protocol]") {
  const Surroundings recovers{.recovers = true};
  check_wrong({{"1 bit, 2 recoveries",
                {.epoch_bits = 1, .drain = Drain::kNone},
                star(2),
                recovers,
                kEarly,
                21},
               {"2 bits, 4 recoveries",
                {.epoch_bits = 2, .drain = Drain::kNone},
                star(2),
                recovers,
                kEarly,
                31},
               {"no epoch, each edge drained by itself",
                {.epoch_bits = 0, .drain = Drain::kEdges},
                star(2),
                recovers,
                kEarly,
                17}});
}

TEST_CASE("a component that is written alone, after its reset, is out of step", "[protocol]") {
  check_wrong({{"a member", {.write_all = false}, star(2), {.resets = mask(1)}, kEarly, 12},
               {"the root", {.write_all = false}, star(2), {.resets = mask(0)}, "", 9}});
}

TEST_CASE("an abort that is not final, or comes too late, is unsafe", "[protocol]") {
  check_wrong(
      {{"flips the phase", {.abort_is_final = false}, star(2), {.aborts = mask(0)}, kEarly, 16},
       {"of a register that has sent",
        {.abort_unsent_only = false},
        chain(1, 1),
        {.aborts = mask(1)},
        kDisagree,
        13}});
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
  check_wrong(
      {{"joins with an old UP in the channel",
        {.join_drained = false},
        star(2),
        changes,
        kEarly,
        17},
       {"joins when its register has sent", {.join_unsent = false}, chain(0, 2), below, kEarly, 11},
       {"leaves, and no register checks", {.leave_completes = false}, star(2), changes, "", 4},
       {"leaves, and its count is forgotten",
        {.leavers_count = false},
        star(2),
        {.changes = mask(2), .recovers = true},
        kWrongData,
        19}});
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
