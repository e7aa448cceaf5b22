// SPDX-License-Identifier: Apache-2.0
// Trees that take seconds to minutes.
#include "protocol/cases.hpp"

namespace muster::protocol {
namespace {

const Surroundings kStorm{.aborts = kAll, .resets = kAll, .recovers = true};

TEST_CASE("three members at three switches: each barrier releases each member once",
          "[protocol][soak]") {
  check_safe({{"at each of three in a line", line(1, 1, 1), {}, 866245},
              {"at the root and two below it", branch(1, 1, 1), {}, 736243},
              {"one and two below the root", branch(0, 1, 2), {}, 487175}});
}

TEST_CASE("larger trees: all members learn the same failure", "[protocol][soak]") {
  check_safe({{"one at the root, two below", chain(1, 2), {.aborts = kAll}, 1000820},
              {"two switches below the root", branch(0, 1, 1), {.aborts = kAll}, 488008},
              {"one at the root, of two below one is gone",
               chain(1, 2),
               {.aborts = mask(1), .resets = mask(4)},
               1144442}});
}

TEST_CASE("larger trees go on after a recovery from anything", "[protocol][soak]") {
  check_safe({{"three members", star(3), kStorm, 358549},
              {"one at the root, one below", chain(1, 1), kStorm, 576365},
              {"one at the root, two below", chain(1, 2), kStorm, 13662972},
              {"two switches below the root", branch(0, 1, 1), kStorm, 5179733}});
}

TEST_CASE("two bits of phase do not make up for reordering", "[protocol][soak]") {
  const Result result =
      search({star(2), {.phase_bits = 2, .ordered = false}, {}}, {.symmetry = false});
  CHECK(result.violation == kEarly);
  CHECK(result.trace.size() == 40);
}

}  // namespace
}  // namespace muster::protocol
