// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vrr_arbiter_n1.h"
#include "Vrr_arbiter_n16.h"
#include "Vrr_arbiter_n2.h"
#include "Vrr_arbiter_n5.h"
#include "Vrr_arbiter_n64.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned Requesters>
struct Arbiter {
  using Model = M;
  static constexpr unsigned kN = Requesters;
};

/// The specification of rr_arbiter.sv: a pointer and a search.
class Reference {
 public:
  explicit Reference(unsigned n) : n_(n) {}
  /// Index granted, or n for none.
  unsigned grant(std::uint64_t requests) const {
    for (unsigned i = 0; i < n_; ++i) {
      const unsigned candidate = (pointer_ + i) % n_;
      if ((requests >> candidate) & 1) return candidate;
    }
    return n_;
  }
  void take(unsigned granted) { pointer_ = (granted + 1) % n_; }
  void reset() { pointer_ = 0; }

 private:
  unsigned n_;
  unsigned pointer_ = 0;
};

std::uint64_t random_requests(Rng& rng, unsigned n, unsigned percent) {
  std::uint64_t requests = 0;
  for (unsigned i = 0; i < n; ++i)
    requests |= static_cast<std::uint64_t>(rng.below(100) < percent) << i;
  return requests;
}

}  // namespace

TEMPLATE_TEST_CASE("a round-robin arbiter grants the first request at or after its pointer",
                   "[rtl][arbiter]", (Arbiter<Vrr_arbiter_n1, 1>), (Arbiter<Vrr_arbiter_n2, 2>),
                   (Arbiter<Vrr_arbiter_n5, 5>), (Arbiter<Vrr_arbiter_n16, 16>),
                   (Arbiter<Vrr_arbiter_n64, 64>)) {
  constexpr unsigned n = TestType::kN;
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed, n);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  Reference reference(n);

  for (const unsigned density : {0u, 3u, 20u, 50u, 100u}) {
    for (const unsigned take_rate : {0u, 30u, 100u}) {
      for (int cycle = 0; cycle < 300; ++cycle) {
        if (rng.below(200) == 0) {
          dut.reset();
          reference.reset();
        }
        const std::uint64_t requests = random_requests(rng, n, density);
        const bool take = rng.below(100) < take_rate;
        const unsigned winner = reference.grant(requests);
        const std::uint64_t expected = winner == n ? 0 : std::uint64_t{1} << winner;
        put(dut->req_i, requests);
        for (const bool either : {!take, take}) {
          dut->take_i = either;
          dut.settle();
          REQUIRE(std::uint64_t{dut->grant_o} == expected);
        }
        dut.edge();
        if (take && winner != n) reference.take(winner);
      }
    }
  }
}

TEMPLATE_TEST_CASE("a request that stays is granted after at most N - 1 others", "[rtl][arbiter]",
                   (Arbiter<Vrr_arbiter_n2, 2>), (Arbiter<Vrr_arbiter_n5, 5>),
                   (Arbiter<Vrr_arbiter_n64, 64>)) {
  constexpr unsigned n = TestType::kN;
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed, n);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  for (int round = 0; round < 200; ++round) {
    const unsigned patient = static_cast<unsigned>(rng.below(n));
    const std::uint64_t mine = std::uint64_t{1} << patient;
    unsigned others = 0;
    for (bool granted = false; !granted;) {
      put(dut->req_i, random_requests(rng, n, 90) | mine);
      dut->take_i = rng.below(4) != 0;
      dut.settle();
      granted = std::uint64_t{dut->grant_o} == mine && dut->take_i;
      if (dut->take_i && !granted) ++others;
      dut.edge();
      REQUIRE(others <= n - 1);
    }
  }
}
