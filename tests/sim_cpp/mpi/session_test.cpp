// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "muster/core/rng.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "support/seed.hpp"

namespace muster::mpi {
namespace {

using fabric::ReduceOp;

muster_call collective(const char* name, std::uint32_t comm = 0) {
  muster_call call{};
  call.kind = MUSTER_COLLECTIVE;
  call.comm = comm;
  std::strcpy(call.name, name);
  std::strcpy(call.site, "test");
  return call;
}

muster_call reduction(ReduceOp op, std::uint64_t number, std::uint32_t comm = 0) {
  muster_call call = collective("MPI_Allreduce", comm);
  call.op = static_cast<std::uint32_t>(op);
  call.bits = 32;
  call.count = 1;
  call.data[0] = number;
  return call;
}

muster_call plain(std::uint32_t kind) {
  muster_call call{};
  call.kind = kind;
  return call;
}

/// Ranks with lists of calls; keeps the replies.
class Listed : public Callers {
 public:
  explicit Listed(std::vector<std::vector<muster_call>> calls)
      : calls_(std::move(calls)), replies(calls_.size()) {
    for (auto& calls_of : calls_) calls_of.push_back(plain(MUSTER_FINALIZE));
  }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(calls_.size()); }
  const muster_call* posted(std::uint32_t rank) override {
    const std::size_t next = replies[rank].size();
    return next < calls_[rank].size() ? &calls_[rank][next] : nullptr;
  }
  void answer(std::uint32_t rank, const muster_reply& reply) override {
    replies[rank].push_back(reply);
  }
  bool wait(std::chrono::milliseconds) override { return false; }

 private:
  std::vector<std::vector<muster_call>> calls_;

 public:
  std::vector<std::vector<muster_reply>> replies;
};

run::RunSpec spec_of(const std::string& scheme = "btin") {
  run::RunSpec spec;
  spec.graph = std::make_shared<topology::Graph>(topology::generate_mesh(4, 4));
  spec.scheme = scheme;
  return spec;
}

SessionResult serve(Callers& callers, const run::RunSpec& spec) {
  std::vector<topology::NodeId> places;  // not in the order of the nodes
  for (std::uint32_t r = 0; r < callers.ranks(); ++r) places.push_back((5 * r + 3) % 16);
  return Session(callers, spec, places, {}).run();
}

struct Program {
  std::vector<std::vector<muster_call>> calls;
  std::vector<std::uint64_t> results;  ///< of each reduction
};

/// Barriers and reductions of 16 ranks, in the same order in all.
Program random_program(std::uint32_t count, Rng& rng) {
  Program program{std::vector<std::vector<muster_call>>(16), {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool sum = rng.below(2) == 0;
    const bool barrier = rng.below(2) == 0;
    std::uint64_t result = 0;
    for (auto& calls : program.calls) {
      const std::uint64_t number = rng.next() & 0xffffffff;
      result = sum ? (result + number) & 0xffffffff : std::max(result, number);
      calls.push_back(barrier ? collective("MPI_Barrier")
                              : reduction(sum ? ReduceOp::kSum : ReduceOp::kMax, number));
      calls.back().work_ns = 10 * rng.below(200);
    }
    program.results.push_back(barrier ? 0 : result);
  }
  return program;
}

TEST_CASE("Every rank gets the result of all, whatever the scheme, and the same digest twice") {
  CAPTURE(muster_seed());
  for (const char* scheme : {"btin", "bsr-2", "unicast", "nic-dissemination"}) {
    CAPTURE(scheme);
    Rng rng(muster_seed(), 1);
    const Program program = random_program(40, rng);
    std::string digest;
    for (int again = 0; again < 2; ++again) {
      Listed callers(program.calls);
      const SessionResult result = serve(callers, spec_of(scheme));
      CHECK(result.violations.empty());
      for (const auto& replies : callers.replies)
        for (std::size_t i = 0; i < program.results.size(); ++i)
          CHECK(replies.at(i).data[0] == program.results[i]);
      if (again == 1) CHECK(result.digest == digest);
      digest = result.digest;
    }
  }
}

TEST_CASE("The last rank is named, and the others wait for it") {
  std::vector<std::vector<muster_call>> calls(4);
  for (std::uint32_t r = 0; r < 4; ++r)
    for (int b = 0; b < 10; ++b) {
      calls[r].push_back(collective("MPI_Barrier"));
      calls[r].back().work_ns = r == 2 ? 50'000 : 10'000;
    }
  Listed callers(calls);
  const SessionResult result = serve(callers, spec_of());
  REQUIRE(result.sites.size() == 1);
  const CallSite& site = result.sites.front();
  CHECK(site.last == std::map<std::uint32_t, std::uint64_t>{{2, 10}});
  CHECK(site.skew == Approx(10 * 4000).epsilon(0.01));
  CHECK(result.cycles == Approx(10 * (5000 + site.latency / 10)).epsilon(0.01));
  CHECK(result.simulated < result.cycles / 10);
}

TEST_CASE("Communicators that overlap meet each for itself, also between begin and end") {
  muster_call create = plain(MUSTER_CREATE);
  create.count = 3;
  for (std::uint16_t i = 0; i < 3; ++i) create.members[i] = static_cast<std::uint16_t>(2 - i);
  muster_call begin = collective("MPI_Ibarrier");
  begin.flags = MUSTER_NONBLOCKING;
  muster_call wait = plain(MUSTER_WAIT);
  std::vector<std::vector<muster_call>> calls(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    calls[r].push_back(begin);
    if (r < 3) {
      calls[r].push_back(create);
      calls[r].push_back(reduction(ReduceOp::kSum, r + 1, 1));
    }
    calls[r].push_back(wait);
    calls[r].push_back(collective("MPI_Barrier"));
  }
  calls[3].front().work_ns = 100'000;  // after the others' sum
  Listed callers(calls);
  const SessionResult result = serve(callers, spec_of());
  for (std::uint32_t r = 0; r < 3; ++r) {
    CHECK(callers.replies[r][1].number == 1);
    CHECK(callers.replies[r][2].data[0] == 6);
    CHECK(callers.replies[r][3].flags == MUSTER_COMPLETE);
  }
  CHECK(result.set_ups == 3);  // of all ranks, of three, for their sum
  CHECK(result.sites.size() == 3);
}

TEST_CASE("Calls that cannot go on are named with their ranks") {
  const muster_call barrier = collective("MPI_Barrier");
  muster_call create = plain(MUSTER_CREATE);
  create.count = 2;
  create.members[1] = 1;
  const struct {
    const char* what;
    std::vector<std::vector<muster_call>> calls;
    std::vector<const char*> named;
  } cases[] = {
      {"another call",
       {{barrier}, {reduction(ReduceOp::kSum, 1)}},
       {"rank 0 in MPI_Barrier", "rank 1 in MPI_Allreduce"}},
      {"another operation",
       {{reduction(ReduceOp::kMax, 1)}, {reduction(ReduceOp::kSum, 1)}},
       {"max", "sum"}},
      {"a rank has ended",
       {{barrier}, {}},
       {"rank 0 in MPI_Barrier", "not there: 1", "rank 1 has ended"}},
      {"another order",
       {{create, barrier}, {create, collective("MPI_Barrier", 1)}},
       {"communicator 0", "communicator 1"}},
      {"no such communicator", {{collective("MPI_Barrier", 7)}, {barrier}}, {"communicator 7"}},
      {"a request twice", {{plain(MUSTER_WAIT)}, {barrier}}, {"request"}}};
  for (const auto& each : cases) {
    INFO(each.what);
    Listed callers(each.calls);
    try {
      serve(callers, spec_of());
      FAIL("it goes on");
    } catch (const ProgramError& error) {
      for (const char* const token : each.named) CHECK_THAT(error.what(), Catch::Contains(token));
    }
  }
}

TEST_CASE("A group without a register meets outside the network, with the right result") {
  run::RunSpec spec = spec_of();
  std::vector<std::vector<muster_call>> calls(4);
  muster_call create = plain(MUSTER_CREATE);
  create.count = 4;
  for (std::uint16_t i = 0; i < 4; ++i) create.members[i] = i;
  constexpr std::uint32_t kGroups = 40;  // switches have 16 registers
  for (std::uint32_t r = 0; r < 4; ++r)
    for (std::uint32_t c = 1; c <= kGroups; ++c) {
      calls[r].push_back(create);
      calls[r].push_back(reduction(ReduceOp::kOr, 1u << r, c));
    }
  Listed callers(calls);
  const SessionResult result = serve(callers, spec);
  for (const auto& replies : callers.replies)
    for (std::uint32_t c = 0; c < kGroups; ++c) CHECK(replies[2 * c + 1].data[0] == 15);
  const auto outside = std::ranges::count(result.sites, false, &CallSite::in_network);
  CHECK(outside > 0);
  CHECK(outside < kGroups);
}

TEST_CASE("A lossy link changes times and no result") {
  CAPTURE(muster_seed());
  Rng rng(muster_seed(), 2);
  const Program program = random_program(30, rng);
  run::RunSpec spec = spec_of();
  spec.links.retry = true;
  spec.links.drop = 0.01;
  Listed callers(program.calls);
  CHECK(serve(callers, spec).violations.empty());
  for (const auto& replies : callers.replies)
    for (std::size_t i = 0; i < program.results.size(); ++i)
      CHECK(replies.at(i).data[0] == program.results[i]);
}

TEST_CASE("What was recorded takes the same time again") {
  Rng rng(muster_seed(), 3);
  const Program program = random_program(40, rng);
  Listed callers(program.calls);
  std::vector<topology::NodeId> places;
  for (std::uint32_t r = 0; r < 16; ++r) places.push_back(r);
  Session session(callers, spec_of(), places, {.keep = true});
  const SessionResult first = session.run();
  ScriptCallers script(session.script());
  const SessionResult again = Session(script, spec_of(), places, {}).run();
  CHECK(again.cycles == first.cycles);
  CHECK(again.barriers == first.barriers);
}

}  // namespace
}  // namespace muster::mpi
