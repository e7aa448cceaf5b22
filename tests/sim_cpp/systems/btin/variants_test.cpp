// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "systems/btin/tree.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {
namespace {

/// The switches of the run with labels.
run::RunSpec with_labels(run::RunSpec spec) {
  Variant variant = btin::variant(*spec.config);
  variant.labels = true;
  spec.config->variant = values(variant);
  return spec;
}

TEST_CASE("with labels every barrier takes the cycles that it takes with identifiers",
          "[network][labels][random]") {
  std::size_t others = 0;  // runs in which not all labels are the identifiers
  for (std::uint64_t index = 0; index < 20; ++index) {
    test::RandomRun random(muster_seed() + 43, index, 20);
    random.calm();
    run::own<Spec>(random.spec).op = fabric::kReduceOps[index % fabric::kReduceOps.size()].op;
    CAPTURE(index, random.text());
    const run::RunResult plain = test::completes_as_planned(random.spec);
    const run::RunResult labelled = test::completes_as_planned(with_labels(random.spec));
    others += plain.digest != labelled.digest;
    for (std::size_t b = 0; b < plain.barriers.size(); ++b) {
      CHECK(plain.barriers[b].released_at == labelled.barriers[b].released_at);
      CHECK(plain.barriers[b].latency_cycles == labelled.barriers[b].latency_cycles);
    }
  }
  CHECK(others > 5);
}

TEST_CASE("labels of a plan name the registers at the other ends of all edges",
          "[network][labels]") {
  const test::Subject& at = test::figure1();
  for (const bool reflect : {false, true}) {
    std::vector<PlannedGroup> groups;
    for (const auto& run_group : at.spec({"random:3", "all", "random:5", "random:2"}).groups) {
      PlannedGroup& group = groups.emplace_back();
      group.name = run_group.name;
      group.gid = static_cast<std::uint32_t>(groups.size());
      group.reflect = reflect;
      plan_group(group, at.graph, run_group.members);
    }
    RegisterPlan plan = plan_registers(groups, 4);
    plan_labels(at.graph, plan);
    std::size_t others = 0;  // edges whose ends have registers of two numbers
    for (const RegisterSlot& slot : plan)
      for (std::uint32_t p = 0; p < at.graph.ports(slot.image.sw); ++p) {
        const bool up = !slot.image.reflect && slot.image.parent_port == p;
        const std::uint64_t label = slot.labels >> 4 * p & 0xf;
        if (!up && (slot.image.child_mask >> p & 1) == 0) {
          CHECK(label == 0);
          continue;
        }
        const topology::Peer& peer = at.graph.peer(slot.image.sw, p);
        if (peer.kind == topology::Peer::Kind::kNode) {
          CHECK(label == slot.slot);
          continue;
        }
        others += label != slot.slot;
        CHECK(std::ranges::any_of(plan, [&](const RegisterSlot& there) {
          return there.group == slot.group && there.image.sw == peer.id && there.slot == label;
        }));
      }
    CHECK(others > 0);
  }
}

TEST_CASE("groups with labels are set up by hosts alone", "[network][labels]") {
  run::RunSpec spec = test::figure1().spec({"all", "random:6"});
  spec.config = fabric::SwitchConfig{
      .name = "labels", .kind = &kBarrierSwitch, .variant = values({.labels = true})};
  spec.barriers = 3;
  test::completes_as_planned(spec);
  run::own<Spec>(spec).in_band = true;
  CHECK_THROWS_WITH(run::run_barriers(spec), Contains("--setup in-band"));
}

TEST_CASE(
    "barriers whose messages wait with data end on random networks, with one-flit buffers too",
    "[network][queued][random]") {
  for (std::uint64_t index = 0; index < 24; ++index) {
    test::RandomRun random(muster_seed() + 44, index, 20);
    random.calm();
    fabric::SwitchConfig& config = *random.spec.config;
    config.variant = values({.queued = true});
    if (index % 3 == 0) {
      config.depth = 1;
      random.spec.load_flits *= 0.25;
    }
    run::own<Spec>(random.spec).op = fabric::kReduceOps[index % fabric::kReduceOps.size()].op;
    run::own<Spec>(random.spec).in_band = index % 4 == 1;
    CAPTURE(index, random.text());
    const run::RunResult result = test::completes(random.spec);
    REQUIRE(result.waits);
    CHECK(result.waits->barrier_bound == result.waits->packet_bound);
  }
}

TEST_CASE("a queued message waits where data hold its link, one past the queues does not",
          "[network][queued]") {
  for (const bool queued : {false, true}) {
    run::RunSpec spec = test::figure1().spec({"all"});
    run::own<Spec>(spec).queued = queued;
    spec.spread = 0;
    spec.congestion = {.members = 5, .cycles = 400};
    const run::RunResult result = test::completes_as_planned(spec);
    CHECK((result.barriers.front().latency_cycles > 400) == queued);
  }
}

TEST_CASE("what excludes queued messages is refused in a line", "[network][queued]") {
  const auto refused = [](auto change, const char* option) {
    run::RunSpec spec = test::figure1().spec({"all"});
    run::own<Spec>(spec).queued = true;
    change(spec);
    CHECK_THROWS_WITH(run::run_barriers(spec), Catch::Matchers::StartsWith(option));
  };
  refused([](run::RunSpec& s) { run::own<Spec>(s).serial = true; }, "--serial: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).many = true; }, "--many: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).spill = true; }, "--spill: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).retry = true; }, "--retry: ");
  refused([](run::RunSpec& s) { s.links.retry = true; }, "--link-retry: ");
}

}  // namespace
}  // namespace muster::btin
