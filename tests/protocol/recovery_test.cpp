// SPDX-License-Identifier: Apache-2.0
// The rules in a group that loses parts, recovers and changes.
#include "protocol/cases.hpp"

namespace muster::protocol {
namespace {

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

}  // namespace
}  // namespace muster::protocol
