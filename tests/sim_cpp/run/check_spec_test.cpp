// SPDX-License-Identifier: Apache-2.0
#include "run/check_spec.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "muster/core/error.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("each time has a limit, which is allowed itself", "[run][spec]") {
  const test::Subject subject(test::star(3));
  const std::pair<const char*, std::uint64_t RunSpec::*> times[] = {
      {"--spread", &RunSpec::spread},
      {"--split", &RunSpec::split},
      {"--warmup", &RunSpec::warmup},
      {"--min-cycles", &RunSpec::min_cycles},
      {"--max-wait", &RunSpec::max_wait}};
  for (const auto& [option, time] : times) {
    CAPTURE(option);
    RunSpec spec = subject.spec({"all"});
    spec.*time = kMostCycles;
    CHECK_NOTHROW(check_spec(spec));
    spec.*time = kMostCycles + 1;
    CHECK_THROWS_AS(check_spec(spec), InputError);
    CHECK_THROWS_WITH(check_spec(spec), StartsWith(std::string(option) + " 1000000001: "));
    spec.*time = ~std::uint64_t{0};
    CHECK_THROWS_AS(check_spec(spec), InputError);
  }
}

TEST_CASE("the barriers of all groups together have a limit", "[run][spec]") {
  const test::Subject subject(test::star(3));
  RunSpec one = subject.spec({"all"}), three = subject.spec({"all", "n0", "n1"}),
          none = subject.spec({});
  one.barriers = none.barriers = kMostBarriers;
  three.barriers = kMostBarriers / 3;
  for (const RunSpec* spec : {&one, &three, &none}) CHECK_NOTHROW(check_spec(*spec));
  for (RunSpec* spec : {&one, &three, &none}) {
    ++spec->barriers;
    CHECK_THROWS_WITH(check_spec(*spec),
                      StartsWith("--barriers ") && Contains("at most 10000000 barriers"));
  }
}

TEST_CASE("loads, periods and faults that cannot be are refused", "[run][spec]") {
  const test::Subject subject(test::star(3)), lonely(test::star(1));
  RunSpec spec = subject.spec({"all"});
  SECTION("a waveform of an engine without models") {
    spec.bank.wave_file = "a.fst";
    CHECK_THROWS_WITH(check_spec(spec), StartsWith("--wave: engine golden has no waveforms"));
  }
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  SECTION("a clock period that is 0, negative or no number") {
    for (const double ns : {0.0, -1.0, nan, infinite}) {
      spec.profile.clock_ns = ns;
      CAPTURE(ns);
      CHECK_THROWS_WITH(check_spec(spec), Contains("clock period"));
    }
  }
  SECTION("a load that is negative or no number") {
    for (const double load : {-0.1, nan, infinite, -infinite}) {
      spec.load_flits = load;
      CAPTURE(load);
      CHECK_THROWS_WITH(check_spec(spec), "load: must be finite and not negative");
    }
  }
  SECTION("groups without a barrier") {
    spec.barriers = 0;
    CHECK_THROWS_WITH(check_spec(spec), StartsWith("--barriers 0: a group needs at least 1"));
    spec.groups.clear();
    CHECK_NOTHROW(check_spec(spec));
  }
  SECTION("data of one node") {
    spec = lonely.spec({"all"});
    CHECK_NOTHROW(check_spec(spec));
    spec.load_flits = 0.1;
    CHECK_THROWS_WITH(check_spec(spec), Contains("at least two nodes"));
  }
  SECTION("a channel that is not there") {
    spec.stopped = {{5, 0, true, true}};  // the last of three nodes
    CHECK_NOTHROW(check_spec(spec));
    spec.stopped = {{6, 0, true, true}};
    CHECK_THROWS_WITH(check_spec(spec), "fault: there is no channel 6");
  }
}

TEST_CASE("routes of another network are refused before the first cycle", "[run][spec]") {
  const test::Subject mesh(topology::generate_mesh(3, 3)), line(topology::generate_mesh(9, 1));
  RunSpec spec = mesh.spec({"all"});
  CHECK_NOTHROW(check_spec(spec));
  spec.routes = core::borrowed(line.routes);
  CHECK_THROWS_WITH(check_spec(spec), StartsWith("routes: "));
  CHECK_THROWS_AS(check_spec(spec), InputError);
}

}  // namespace
}  // namespace muster::run
