// SPDX-License-Identifier: Apache-2.0
#include "muster/core/digest.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace muster::core {
namespace {

TEST_CASE("the digest depends on every field of an event and on no order", "[network][digest]") {
  const auto of = [](std::uint64_t cycle, std::vector<FlitEvent> flits,
                     std::vector<CreditEvent> credits) {
    Digest digest;
    digest.observe(cycle, flits, credits);
    return digest.value();
  };
  const Flit a{.lo = 1, .hi = 2, .vc = 1, .kind = Flit::kHead}, b{.lo = 5};
  CHECK(of(3, {{1, a}, {2, b}}, {{4, 1}, {5, 2}}) == of(3, {{2, b}, {1, a}}, {{5, 2}, {4, 1}}));

  Flit lo = a, hi = a, vc = a, kind = a;
  lo.lo ^= 1, hi.hi ^= 1, vc.vc ^= 1, kind.kind ^= 1;
  const std::set<std::uint64_t> digests{
      of(3, {{1, a}}, {}),        of(4, {{1, a}}, {}),  of(3, {{2, a}}, {}),
      of(3, {{1, lo}}, {}),       of(3, {{1, hi}}, {}), of(3, {{1, vc}}, {}),
      of(3, {{1, kind}}, {}),     of(3, {}, {}),        of(3, {}, {{1, 1}}),
      of(3, {}, {{1, 2}}),        of(3, {}, {{2, 1}}),  of(4, {}, {{1, 1}}),
      of(3, {{1, a}, {1, a}}, {})};
  CHECK(digests.size() == 13);
}

}  // namespace
}  // namespace muster::core
