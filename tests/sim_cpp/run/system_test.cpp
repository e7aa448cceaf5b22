// SPDX-License-Identifier: Apache-2.0
#include "muster/run/system.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "muster/core/error.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

TEST_CASE("every scheme runs barriers under its own name", "[workload][scheme]") {
  const test::Subject subject = test::Subject::figure1();
  std::set<std::string> names;
  for (const auto& system : systems()) {
    for (const SchemeFactory& scheme : system->schemes()) {
      CAPTURE(scheme.name);
      CHECK(names.insert(scheme.name).second);
      CHECK(&find_scheme(scheme.name).system == system.get());
      RunSpec spec = subject.spec({"paper"});
      spec.scheme = scheme.name;
      const RunResult result = run_barriers(spec);
      CHECK(result.scheme == scheme.name);
      CHECK(result.violations.empty());
      CHECK(result.barriers.size() == spec.barriers);
    }
  }
  CHECK(names.count("btin") == 1);
}

TEST_CASE("no scheme named is the first that there is", "[workload][scheme]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.scheme.clear();
  CHECK(run_barriers(spec).scheme == systems().front()->schemes().front().name);
}

TEST_CASE("an unknown scheme is refused with those there are", "[workload][scheme][errors]") {
  CHECK_THROWS_WITH(find_scheme("magic"),
                    "--scheme 'magic': unknown name; known are " + scheme_names());
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.scheme = "magic";
  CHECK_THROWS_AS(run_barriers(spec), InputError);
}

}  // namespace
}  // namespace muster::run
