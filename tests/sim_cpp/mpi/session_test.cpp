// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.hpp"

#include <cstring>

#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "support/test.hpp"

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

/// Ranks with lists of calls; keeps the replies. Some die: after so many replies, when the others
/// wait for a call.
class Listed : public Callers {
 public:
  explicit Listed(std::vector<std::vector<muster_call>> calls,
                  std::map<std::uint32_t, std::size_t> dying = {})
      : calls_(std::move(calls)), dying_(std::move(dying)), replies(calls_.size()) {
    for (std::uint32_t r = 0; r < calls_.size(); ++r)
      if (!dying_.contains(r) || dying_[r] < calls_[r].size())
        calls_[r].push_back(plain(MUSTER_FINALIZE));
  }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(calls_.size()); }
  const muster_call* posted(std::uint32_t rank) override {
    const std::size_t next = replies[rank].size();
    return next < calls_[rank].size() ? &calls_[rank][next] : nullptr;
  }
  void answer(std::uint32_t rank, const muster_reply& reply) override {
    replies[rank].push_back(reply);
  }
  bool wait(std::chrono::milliseconds) override {
    const std::size_t known = deaths_.size();
    for (const auto& [rank, after] : dying_)
      if (replies[rank].size() >= after &&
          std::ranges::find(deaths_, rank, &Death::rank) == deaths_.end())
        deaths_.emplace_back().rank = rank;
    return deaths_.size() != known;
  }
  const std::vector<Death>& deaths() const override { return deaths_; }

 private:
  std::vector<std::vector<muster_call>> calls_;
  std::map<std::uint32_t, std::size_t> dying_;
  std::vector<Death> deaths_;

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
Program random_program(std::uint32_t count, Random& rng) {
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
  for (const char* scheme : {"btin", "bsr-2", "unicast", "nic-dissemination"}) {
    CAPTURE(scheme);
    Random rng(muster_seed(), 1);
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
      for (const char* const token : each.named) CHECK_THAT(error.what(), Contains(token));
    }
  }
}

/// Sums of four ranks: 1, 16, 256 and 4096 times the number of the call.
std::vector<std::vector<muster_call>> sums(std::uint32_t count) {
  std::vector<std::vector<muster_call>> calls(4);
  for (std::uint32_t r = 0; r < 4; ++r)
    for (std::uint32_t i = 0; i < count; ++i)
      calls[r].push_back(reduction(ReduceOp::kSum, std::uint64_t{i} << 4 * r));
  return calls;
}

TEST_CASE("Survivors go on with their own results, also if a rank dies in the call") {
  for (const char* scheme : {"btin", "bsr-2", "nic-pairwise"}) {
    CAPTURE(scheme);
    auto calls = sums(50);
    calls[2].resize(20);
    calls[2].push_back(plain(MUSTER_ENTER));
    calls[2].back().work_ns = 50'000;
    calls[3][20].work_ns = 100'000;             // it calls when they are left out
    Listed callers(calls, {{1, 20}, {2, 21}});  // rank 1 has called, and waits for rank 2
    const SessionResult result = serve(callers, spec_of(scheme));
    CHECK(result.violations.empty());
    REQUIRE(result.deaths.size() == 2);
    CHECK(result.deaths.front().rank == 1);
    CHECK(result.deaths.front().cycle > 0);
    REQUIRE(result.sites.size() == 1);
    CHECK(result.sites.front().count == 50);
    for (const std::uint32_t r : {0u, 3u})
      for (std::uint32_t i = 0; i < 50; ++i)
        CHECK(callers.replies[r][i].data[0] == i * (i < 20 ? 0x1111 : 0x1001));
  }
}

TEST_CASE(
    "A death leaves what the rank has begun, and communicators that it makes, to the others") {
  muster_call create = plain(MUSTER_CREATE);
  create.count = 3;
  for (std::uint16_t i = 0; i < 3; ++i) create.members[i] = static_cast<std::uint16_t>(i + 1);
  muster_call begin = collective("MPI_Ibarrier");
  begin.flags = MUSTER_NONBLOCKING;
  std::vector<std::vector<muster_call>> calls(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    calls[r] = {begin};
    if (r == 2) continue;
    if (r != 0) calls[r].push_back(create);
    if (r != 0) calls[r].push_back(reduction(ReduceOp::kSum, r, 1));
    calls[r].push_back(plain(MUSTER_WAIT));
    calls[r].push_back(collective("MPI_Barrier"));
  }
  calls[2].push_back(begin);  // alone
  calls[0].front().work_ns = 100'000;
  Listed callers(calls, {{2, 2}});
  const SessionResult result = serve(callers, spec_of());
  CHECK(result.violations.empty());
  for (const std::uint32_t r : {1u, 3u}) {
    CHECK(callers.replies[r][2].data[0] == 4);
    CHECK(callers.replies[r][3].flags == MUSTER_COMPLETE);
  }
  CHECK(result.sites.size() == 3);
}

TEST_CASE("A rank may die in any cycle of a call: it counts for all others or for none") {
  muster_call create = plain(MUSTER_CREATE);
  create.count = 3;
  for (std::uint16_t i = 0; i < 3; ++i) create.members[i] = i;
  std::set<std::uint64_t> seen;
  for (std::uint64_t death_ns = 99'000; death_ns < 104'000; death_ns += 50) {
    CAPTURE(death_ns);
    std::vector<std::vector<muster_call>> calls(4);
    for (std::uint32_t r = 0; r < 3; ++r) {
      const muster_call sum = reduction(ReduceOp::kSum, 1u << 4 * r, 1);
      calls[r] = {create, sum, collective("MPI_Barrier"), sum, sum};
      calls[r][3].work_ns = calls[r][4].work_ns = 100'000;
    }
    calls[3] = {collective("MPI_Barrier"), plain(MUSTER_ENTER)};
    calls[3][1].work_ns = death_ns;
    Listed callers(calls, {{1, 3}, {3, 2}});
    CHECK(serve(callers, spec_of()).violations.empty());
    for (const std::uint32_t r : {0u, 2u}) {
      CHECK(callers.replies[r][3].data[0] == callers.replies[0][3].data[0]);
      CHECK(callers.replies[r][4].data[0] == 0x101);
    }
    seen.insert(callers.replies[0][3].data[0]);
  }
  CHECK(seen == std::set<std::uint64_t>{0x101, 0x111});
}

TEST_CASE("What cannot do without a dead rank is named") {
  muster_call from_dead = reduction(ReduceOp::kOr, 0);
  std::strcpy(from_dead.name, "MPI_Bcast");
  from_dead.flags = MUSTER_FROM_ROOT;
  from_dead.root = 2;
  muster_call by_mpi = collective("MPI_Allreduce");
  by_mpi.flags = MUSTER_FOREIGN;
  for (const muster_call& call : {from_dead, by_mpi})
    for (const bool before : {true, false}) {  // the others have called before it dies
      CAPTURE(call.name, before);
      auto calls = sums(2);
      calls[2][1] = plain(MUSTER_ENTER);
      calls[2][1].work_ns = 50'000;
      for (const std::uint32_t r : {0u, 1u, 3u}) {
        calls[r][1] = call;
        if (!before) calls[r][1].work_ns = 100'000;
      }
      Listed callers(calls, {{2, 2}});
      CHECK_THROWS_WITH(serve(callers, spec_of()),
                        Contains(call.name) && Contains("rank 2, which has died"));
    }
  Listed none(sums(0), {{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  CHECK_THROWS_WITH(serve(none, spec_of()), Contains("no rank lives"));
}

TEST_CASE("The root of a reduction, which gets the result, may die") {
  muster_call reduce = reduction(ReduceOp::kSum, 5);
  reduce.root = 2;
  auto calls = sums(1);
  for (const std::uint32_t r : {0u, 1u, 3u}) calls[r].push_back(reduce);
  Listed callers(calls, {{2, 1}});
  CHECK(serve(callers, spec_of()).violations.empty());
  CHECK(callers.replies[0][1].data[0] == 15);
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
  const auto outside = std::ranges::count(result.sites, 1u, &CallSite::outside);
  CHECK(outside > 0);
  CHECK(outside < kGroups);
}

TEST_CASE("A lossy link changes times and no result") {
  Random rng(muster_seed(), 2);
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
  Random rng(muster_seed(), 3);
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

TEST_CASE("Ranks that have died under one scheme die under another") {
  auto calls = sums(10);
  calls[1].resize(5);
  Listed callers(calls, {{1, 5}});
  Session session(callers, spec_of(), {0, 1, 2, 3}, {.keep = true});
  session.run();
  ScriptCallers script(session.script());
  const SessionResult again = Session(script, spec_of("unicast"), {0, 1, 2, 3}, {}).run();
  REQUIRE(again.deaths.size() == 1);
  CHECK(again.deaths.front().rank == 1);
  CHECK(again.sites.front().count == 10);
}

}  // namespace
}  // namespace muster::mpi
