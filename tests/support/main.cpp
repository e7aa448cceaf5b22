// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "support/seed.hpp"

namespace {

/// Says of a test that fails by which seed it does.
struct SeedOfFailures : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (!stats.totals.assertions.allOk()) Catch::cerr() << "MUSTER_SEED=" << muster_seed() << '\n';
  }
};
CATCH_REGISTER_LISTENER(SeedOfFailures)

}  // namespace
