// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/run/arrivals.hpp"
#include "muster/run/run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

namespace muster::run {
namespace {

std::string recording(const std::string& calls, const std::string& ranks = "2") {
  return "{\"schema\": \"muster-arrivals-1\", \"name\": \"small\", \"ranks\": " + ranks +
         ", \"calls\": [" + calls + "]}";
}

TEST_CASE("a recording's nanoseconds are cycles between release and arrival",
          "[workload][arrivals]") {
  const test::Folder folder;
  folder.write("small.json", recording(R"({"call": "MPI_Barrier", "work_ns": [104, 2500]},
    {"call": "MPI_Allreduce", "bytes": 8, "work_ns": [0, 96]})"));
  const auto arrivals = read_arrivals(folder.file("small.json"), 10.0);
  CHECK(arrivals->name() == "small");
  CHECK(arrivals->members() == 2);
  CHECK(arrivals->barriers() == 2);
  for (const std::uint32_t group : {0u, 7u}) {
    CHECK(arrivals->next(group, 0, 0, 1000) == 1010);
    CHECK(arrivals->next(group, 1, 0, 1000) == 1250);
    CHECK(arrivals->next(group, 0, 1, 5) == 5);
    CHECK(arrivals->next(group, 1, 1, 0) == 10);
  }
  CHECK_THROWS_WITH(arrivals->next(0, 0, 2, 0),
                    "arrivals: member 0 at barrier 2 is not in 'small'");
}

TEST_CASE("members of a run arrive when the recording says", "[workload][arrivals]") {
  const test::Folder folder;
  folder.write("small.json", recording(R"({"call": "a", "work_ns": [500, 3000]},
    {"call": "b", "work_ns": [7000, 100]})"));
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"random:2"});
  spec.barriers = 2;
  spec.arrivals = read_arrivals(folder.file("small.json"), spec.profile.clock_ns);
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.empty());
  REQUIRE(result.barriers.size() == 2);
  // 300 cycles, a barrier, 700 cycles, a barrier.
  CHECK(result.cycles >= 1000 + result.barriers[1].latency_cycles);
  CHECK(result.cycles <=
        1050 + result.barriers[0].latency_cycles + result.barriers[1].latency_cycles);
}

TEST_CASE("a recording that cannot be used is refused with the place", "[workload][arrivals]") {
  const test::Folder folder;
  const auto refusal = [&](const std::string& content) {
    folder.write("bad.json", content);
    try {
      read_arrivals(folder.file("bad.json"), 10.0);
    } catch (const InputError& error) {
      return std::string(error.what()).substr(folder.file("bad.json").size() + 2);
    }
    return std::string("none");
  };
  const std::string call = R"({"call": "a", "work_ns": [1, 2]})";
  CHECK(refusal(recording(call)) == "none");
  CHECK(refusal(recording(call, "0")) == "ranks: 0 ranks; a recording has at least one");
  CHECK(refusal(recording(call, "3")) ==
        "calls[0].work_ns: 2 times for 3 ranks; give one per rank");
  CHECK(refusal(recording("")) == "calls: an empty list; record at least one call");
  CHECK(refusal(recording(R"({"call": "a", "work_ns": [1, -2]})")) ==
        "calls[0].work_ns[1]: number -2 instead of whole nanoseconds, 0 or more");
  CHECK(refusal(recording(R"({"call": "a", "work_ns": [1, 20000000000]})")) ==
        "calls[0].work_ns[1]: 20000000000 ns are more than 1000000000 cycles; shorten it, or use a "
        "slower clock");
  CHECK(refusal(recording(R"({"call": "", "work_ns": [1, 2]})")) ==
        "calls[0].call: is empty; name the call, such as MPI_Barrier");
  CHECK(refusal(R"({"schema": "x", "ranks": 1, "calls": []})") ==
        "schema: 'x' is not 'muster-arrivals-1'");
  CHECK(refusal(recording(call + ", {}")).starts_with("calls[1]: field \"call\""));
}

}  // namespace
}  // namespace muster::run
