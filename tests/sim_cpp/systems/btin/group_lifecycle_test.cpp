// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "support/folder.hpp"
#include "systems/btin/system.hpp"
#include "systems/btin/tree.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

using test::Subject;

RunSpec changing(const Subject& subject, const std::vector<std::string>& groups,
                 std::uint32_t barriers = 30) {
  RunSpec spec = subject.spec(groups);
  own<btin::Spec>(spec).in_band = true;
  spec.barriers = barriers;
  return spec;
}

/// What every run with changes must show.
RunResult run_changes(const RunSpec& spec) {
  RunResult result = test::completes(spec);
  for (const btin::RequestResult& w : own<btin::Result>(result).requests) {
    CHECK(w.first_barrier.has_value() == w.refused.empty());
    if (w.first_barrier) CHECK(*w.first_barrier >= w.request.barrier);
  }
  for (const LinkResult& l : result.links) {
    CHECK(l.out >= l.routed);
    CHECK(l.routed >= l.link.cycle);
  }
  return result;
}

/// Barrier messages of one group, by cycle and channel.
struct GroupDigest {
  std::uint64_t sum = 0, messages = 0;
  std::shared_ptr<core::Observer> of(std::uint32_t gid) {
    return test::on_flits([=, this](std::uint64_t cycle, const core::FlitEvent& e) {
      if (!e.flit.sync() || fabric::Formats(16, 8).barrier_message(e.flit).gid != gid) return;
      sum += mix64(mix64(cycle) ^ e.channel ^ e.flit.lo << 20);
      ++messages;
    });
  }
};

TEST_CASE("every barrier takes the hops of the members that are in force for it",
          "[workload][change]") {
  const Subject subject = Subject::figure1();
  const bool reflect = GENERATE(false, true);
  const fabric::ReduceOp op = GENERATE(fabric::ReduceOp::kOr, fabric::ReduceOp::kSum);
  CAPTURE(reflect);
  RunSpec spec = changing(subject, {"paper"}, 20);
  const topology::NodeId root = *subject.graph.node_at({3, 4}),
                         outside = *subject.graph.node_at({2, 1});
  auto& choice = own<btin::Spec>(spec);
  choice.reflect = reflect;
  choice.op = op;
  choice.requests = {{0, outside, true, 4}, {0, root, false, 8}, {0, root, true, 15}};
  std::vector<std::vector<topology::NodeId>> members(20, subject.graph.groups.at("paper"));
  for (std::uint32_t b = 4; b < 20; ++b) members[b].push_back(outside);
  for (std::uint32_t b = 8; b < 15; ++b) std::erase(members[b], root);
  const RunResult result = run_changes(spec);
  const auto& changes = own<btin::Result>(result).changes;
  REQUIRE(changes.size() == 3);
  for (const BarrierRecord& b : result.barriers)
    CHECK(b.hops == btin::hops(btin::plan_tree(subject.graph, members[b.number])));
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(changes[c].record.first_barrier == std::vector<std::uint64_t>{4, 8, 15}[c]);
    REQUIRE(changes[c].first_release);
    CHECK(*changes[c].first_release > changes[c].record.finished);
  }
}

TEST_CASE("a link of the tree is taken out and another group notices nothing",
          "[workload][change]") {
  // The trees have no link in common.
  const Subject subject = Subject::figure1();
  GroupDigest before, after;
  RunSpec without = changing(subject, {"paper", "2:1,2:2,8:2,8:3"}, 60);
  RunSpec with = changing(subject, {"paper", "2:1,2:2,8:2,8:3"}, 60);
  with.killed = {{{1, 1}, {3, 1}, 700}};
  without.observers.push_back(before.of(1));
  with.observers.push_back(after.of(1));
  const RunResult quiet = run_changes(without), killed = run_changes(with);
  const auto& changes = own<btin::Result>(killed).changes;
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].record.gid == 0);
  CHECK(changes[0].record.link);
  CHECK(changes[0].record.kept > 0);
  CHECK(after.messages > 0);
  CHECK(after.messages == before.messages);
  CHECK(after.sum == before.sum);
  for (std::size_t b = 0; b < 120; ++b)
    if (quiet.barriers[b].group == 1)
      CHECK(quiet.barriers[b].latency_cycles == killed.barriers[b].latency_cycles);
}

TEST_CASE("links die during creation, unused, at the root, one after another, at the end",
          "[workload][change]") {
  const Subject subject = Subject::figure1();
  const auto run = [&](const std::string& group, std::vector<KilledLink> killed) {
    RunSpec spec = changing(subject, {group});
    spec.load_flits = 0.3 * subject.route_bound();
    spec.killed = std::move(killed);
    return run_changes(spec);
  };
  const auto changes = [&](const std::string& group, std::vector<KilledLink> killed) {
    return own<btin::Result>(run(group, std::move(killed))).changes.size();
  };
  for (const std::uint64_t cycle : {0u, 20u, 60u, 130u, 200u, 300u}) {
    CAPTURE(cycle);
    // A tree that was planned before the link died moves away when the group is alive.
    CHECK(changes("paper", {{{3, 2}, {6, 1}, cycle}}) == 1);
  }
  CHECK(changes("paper", {{{0, 2}, {6, 0}, 900}}) == 0);
  CHECK(changes("2:1,2:2", {{{3, 2}, {6, 1}, 900}}) == 0);
  CHECK(changes("paper", {{{0, 1}, {3, 0}, 900}, {{3, 3}, {7, 1}, 901}}) == 2);
  const RunResult late = run("paper", {{{3, 2}, {6, 1}, 50'000}});
  CHECK(own<btin::Result>(late).changes.empty());  // released, not moved
  CHECK(late.links[0].out > 50'000);
}

TEST_CASE("without any register to spare a tree cannot leave its link, and the run says so",
          "[workload][change]") {
  const Subject subject = Subject::figure1();
  std::string found;
  // On one register each: a group's way round leads over switches of the others.
  for (const auto& link : subject.graph.links()) {
    RunSpec one = changing(subject, {"0:3,6:2", "3:4,3:6"});
    one.config = fabric::SwitchConfig{
        .name = "few", .ports = 8, .regs = 1, .dests = 64, .kind = &btin::kBarrierSwitch};
    one.killed = {{link.a, link.b, 700}};
    try {
      const RunResult result = run_barriers(one);
      if (!result.violations.empty()) found = result.violations[0];
    } catch (const InputError&) {
    }
  }
  CHECK_THAT(found, Contains("group '0:3,6:2' cannot leave a dead link: no free barrier "
                             "register on switch 3"));
}

TEST_CASE("the JSON of a refused request has the reason and no first barrier", "[groups][json]") {
  // The one register of switch 3 is the first group's; a member there would need it for the second.
  const Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"3:4,3:6", "0:3,0:4"});
  spec.config = fabric::SwitchConfig{
      .name = "few", .ports = 8, .regs = 1, .dests = 64, .kind = &btin::kBarrierSwitch};
  spec.barriers = 30;
  auto& choice = own<btin::Spec>(spec);
  choice.in_band = true;
  choice.requests = {{1, *subject.graph.node_at({3, 5}), true, 3}};
  const RunResult result = run_barriers(spec);
  const auto out = test::valid_json(run_to_json(spec, result, {"muster run", "0.1", 1}));
  CHECK(out["violations"] == 0);
  const auto& request = out["changes"]["wishes"].at(0);
  CHECK(request["first_barrier"].is_null());
  CHECK_THAT(request["refused"], Contains("no free barrier register on switch"));
  const auto& change = out["changes"]["groups"].at(0);
  CHECK_THAT(change["refused"], Contains("no free barrier register on switch"));
  CHECK(change["first_barrier_cycles"].is_null());
  CHECK(change["confirmed_cycles"] < out["cycles"]);
}

TEST_CASE("random requests and dead links on random networks under load",
          "[workload][change][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint32_t changes = 0, moved = 0, refused = 0, held = 0;
  for (std::uint64_t index = 0; index < 14; ++index) {
    test::RandomRun run(seed + 80, index, 24);
    Random rng(seed, 1900 + index);
    own<btin::Spec>(run.spec).op = fabric::kReduceOps[rng.below(6)].op;
    run.spec.load_flits *= 0.2;  // of the whole network; what is left carries less
    test::add_random_changes(run.spec, rng, 2);
    CAPTURE(index, run.text());
    const RunResult result = run_changes(run.spec);
    for (const btin::ChangeResult& c : own<btin::Result>(result).changes) {
      changes += c.refused.empty();
      moved += c.record.link;
    }
    for (const btin::RequestResult& w : own<btin::Result>(result).requests)
      refused += !w.refused.empty();
    for (const LinkResult& l : result.links) held += l.quiesced;
  }
  CHECK(changes > 10);
  CHECK(moved > 2);
  CHECK(held > 2);
  INFO(refused);
}

}  // namespace
}  // namespace muster::run
