// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"

namespace muster::btin {
namespace {

/// One switch with one register, which the first of two groups has.
struct OneRegister : GroupNetwork {
  Program program;

  OneRegister() : GroupNetwork(test::star(4), 1, true, true, 500) {
    manager->use(program);
    for (const std::uint32_t gid : {0u, 1u}) {
      const std::vector<NodeId> members{2 * gid, 2 * gid + 1};
      for (const NodeId n : members) program.groups[gid].left[n] = 0;
      create(gid, members, {false, fabric::ReduceOp::kOr, true});
    }
  }
};

TEST_CASE("a release in the middle of a move leaves nothing, whenever it comes",
          "[groups][moves]") {
  std::uint32_t during = 0;
  for (int delay = 0; delay < 400; delay += 7) {
    CAPTURE(delay);
    OneRegister net;
    net.run(delay);
    during += net.manager->changing();
    for (const std::uint32_t gid : {0u, 1u}) net.manager->release(net.now(), gid);
    REQUIRE(net.settle());
    for (int cycle = 0; cycle < 5000 && net.manager->changing(); ++cycle) net.run(1);
    CHECK_FALSE(net.manager->changing());
    net.check_empty();
    CHECK(net.spill->held() == 0);
    for (const std::uint32_t gid : {0u, 1u})
      CHECK(net.manager->group(gid).verdict.kind == Verdict::Kind::kGone);
  }
  CHECK(during > 10);
}

using namespace run;

constexpr std::uint32_t kBurst = 40;  ///< barriers

/// Groups of two or three on one switch, each in bursts of kBurst barriers that begin in the given
/// cycles.
struct OneSwitch {
  test::Subject subject{test::star(8)};
  test::PhasedArrivals arrivals;
  RunSpec spec;

  OneSwitch(const std::vector<std::string>& groups, std::uint32_t regs,
            const std::vector<std::vector<std::uint64_t>>& bursts)
      : spec(subject.spec(groups)) {
    for (const auto& of_group : bursts) {
      arrivals.times.emplace_back();
      for (const std::uint64_t begin : of_group)
        arrivals.times.back().insert(arrivals.times.back().end(), kBurst, begin);
    }
    spec.config = btin::sw8_with(regs);
    spec.barriers = static_cast<std::uint32_t>(bursts[0].size()) * kBurst;
    spec.arrivals = core::borrowed(static_cast<const Arrivals&>(arrivals));
    auto& choice = own<btin::Spec>(spec);
    choice.in_band = choice.spill = true;
    choice.evict_after = 500;
  }
  btin::Spec& choice() { return own<btin::Spec>(spec); }
};

/// "0- 1+": group 0 out of its register, then group 1 into one.
std::string moves(const btin::Result& result) {
  std::string text;
  for (const btin::ChangeResult& m : result.moves) {
    text += text.empty() ? "" : " ";
    text += std::to_string(m.record.gid) + (m.record.move->to_memory ? "-" : "+");
  }
  return text;
}

TEST_CASE("a group that is used comes back for the one that has been idle", "[groups][moves]") {
  for (const bool reflect : {false, true}) {
    CAPTURE(reflect);
    OneSwitch run({"0:0,0:1", "0:2,0:3,0:4"}, 1, {{6000, 14000}, {3000, 10000}});
    run.choice().reflect = reflect;
    const RunResult result = test::passes(run.spec);
    const auto own = run::own<btin::Result>(result);
    CHECK(moves(own) == "0- 1+ 1- 0+ 0- 1+ 1- 0+");
    // Its first burst begins in memory and goes on in the register.
    CHECK(own.spilled_in(1, 0) == 1);
    CHECK(own.spilled_in(1, kBurst - 1) == 0);
    CHECK(own.spilled_in(0, 0) == 1);
    CHECK(own.spilled_in(0, kBurst - 1) == 0);
    CHECK(own.spill->spilled_barriers > 0);
    CHECK(own.spill->spilled_barriers < result.barriers.size() / 2);
    CHECK(own.spill->dropped == 0);
  }
}

TEST_CASE("of several groups in registers the one that has been idle longest goes",
          "[groups][moves]") {
  for (const bool first : {true, false}) {
    CAPTURE(first);
    OneSwitch run({"0:0,0:1", "0:2,0:3", "0:4,0:5"}, 2,
                  {{first ? 2000u : 3000u}, {first ? 3000u : 2000u}, {5000}});
    run.choice().evict_after = 1500;  // no group moves before
    const RunResult result = test::passes(run.spec);
    CHECK(moves(own<btin::Result>(result)) == (first ? "0- 2+" : "1- 2+"));
  }
}

TEST_CASE("a register that a release has left is taken without moving a group out",
          "[groups][moves]") {
  // Group 1 finds no register on switch 3, whose register group 0 has; then 0 leaves that switch.
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"3:4,3:6,1:5,1:6", "3:5,3:7"});
  spec.config = btin::sw8_with(1);
  spec.barriers = 12;
  test::PhasedArrivals arrivals;
  arrivals.times = {std::vector<std::uint64_t>(12, 1000), std::vector<std::uint64_t>(12, 1000)};
  for (std::uint32_t b = 6; b < 12; ++b) arrivals.times[1][b] = 8000;
  spec.arrivals = core::borrowed(static_cast<const Arrivals&>(arrivals));
  auto& choice = own<btin::Spec>(spec);
  choice.in_band = choice.spill = true;
  choice.evict_after = 2000;
  choice.requests = {{.group = 0, .node = subject.graph.node_at({3, 4}).value(), .barrier = 4},
                     {.group = 0, .node = subject.graph.node_at({3, 6}).value(), .barrier = 4}};
  const RunResult result = test::passes(spec);
  CHECK(moves(own<btin::Result>(result)) == "1+");
}

/// One member of group 0 arrives at its last barrier and waits for the other.
struct LateMember : test::PhasedArrivals {
  std::uint32_t late = 0;
  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    const bool waits = group == 0 && member == late && barrier + 1 == times[0].size();
    return test::PhasedArrivals::next(group, member, barrier, waits ? 20'000 : earliest);
  }
};

TEST_CASE("a group in the middle of a barrier is not moved out", "[groups][moves]") {
  for (const bool reflect : {false, true}) {
    for (const std::uint32_t late : {0u, 1u}) {
      CAPTURE(reflect, late);
      OneSwitch run({"0:0,0:1", "0:2,0:3"}, 1, {{1000}, {4000}});
      run.choice().reflect = reflect;
      LateMember arrivals;
      arrivals.times = run.arrivals.times;
      arrivals.late = late;
      // The rest of group 1 comes when group 0 is free.
      arrivals.times[1].back() = 25'000;
      run.spec.arrivals = core::borrowed(static_cast<const Arrivals&>(arrivals));
      const RunResult result = test::passes(run.spec);
      const auto own = run::own<btin::Result>(result);
      for (const btin::ChangeResult& m : own.moves) CHECK(m.record.decided > 20'000);
      for (std::uint32_t b = 0; b < kBurst; ++b) CHECK(own.spilled_in(1, b) == 1);
      // The root node knows that it has arrived itself; that another has it learns in a pause.
      if (late == 0) CHECK(own.moves_refused > 0);
    }
  }
}

TEST_CASE(
    "random groups move between register and memory while members and links change and "
    "packets are lost",
    "[groups][moves][loss][random]") {
  const std::uint64_t seed = muster_seed();
  std::size_t out = 0, back = 0, changed = 0, refused = 0, spilled_changes = 0;
  std::uint64_t lost = 0, repeated = 0;
  for (std::uint64_t index = 0; index < 8; ++index) {
    test::RandomRun run(seed + 90, index, 12);
    Random rng(seed, 2100 + index);
    run.spec.load_flits *= 0.4;
    auto& choice = own<btin::Spec>(run.spec);
    choice.in_band = true;
    choice.op = fabric::kReduceOps[rng.below(6)].op;
    run.spill(4 + rng.below(12), seed + index);
    run.spec.barriers = 16;
    run.spec.arrivals = std::make_shared<test::PhasedArrivals>(
        test::random_phases(rng, run.spec.groups.size(), run.spec.barriers, 6000));
    own<btin::Spec>(run.spec).evict_after = 200 + rng.below(1000);
    if (rng.below(2) == 0) test::add_random_changes(run.spec, rng, 1);
    if (index % 2 == 0) choice.setup_drop = 0.25 * rng.uniform();
    CAPTURE(index, run.text(), choice.setup_drop);
    const RunResult result = test::passes(run.spec);
    const auto own = run::own<btin::Result>(result);
    for (const btin::ChangeResult& m : own.moves) ++(m.record.move->to_memory ? out : back);
    refused += own.moves_refused;
    lost += own.lost_packets;
    repeated += own.repeated_messages;
    for (const btin::ChangeResult& c : own.changes) {
      changed += c.refused.empty();
      spilled_changes += c.refused.empty() && own.spilled_in(c.record.gid, c.record.first_barrier);
    }
  }
  CHECK(out > 10);
  CHECK(back > 10);
  CHECK(refused > 0);
  CHECK(lost > 200);
  CHECK(repeated > 200);
  CHECK(changed > 4);
  CHECK(spilled_changes > 1);
}

}  // namespace
}  // namespace muster::btin
