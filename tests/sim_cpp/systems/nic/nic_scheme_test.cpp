// SPDX-License-Identifier: Apache-2.0
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/nic/nic_plan.hpp"

namespace muster::nic {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kSchemes[] = {"nic-dissemination", "nic-pairwise", "nic-gather"};
constexpr NicLevel kLevels[] = {NicLevel::kCollective, NicLevel::kDirect, NicLevel::kHost};

run::RunSpec nic(const test::Subject& subject, const std::string& scheme, NicLevel level,
                 const std::vector<std::string>& groups, std::uint64_t seed = 1) {
  run::RunSpec spec = subject.by(scheme, groups, seed);
  run::own<NicSpec>(spec).level = level;
  return spec;
}

TEST_CASE("all algorithms run on all levels, collective with half of the packets",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : kSchemes)
    for (const NicLevel level : kLevels)
      for (const auto form : {ListForm::kList, ListForm::kChained}) {
        if (form == ListForm::kChained && level != NicLevel::kCollective) continue;
        CAPTURE(scheme, static_cast<int>(level), static_cast<int>(form));
        run::RunSpec spec = nic(subject, scheme, level, {"all", "random:1"});
        run::own<NicSpec>(spec).form = form;
        const run::RunResult result = test::completes_as_planned(spec);
        const NicCost& cost = *run::find_own<NicCost>(result);
        const std::uint64_t messages = cost.messages_planned * spec.barriers;
        const std::uint64_t crossings = cost.doorbells + cost.events;
        const std::uint64_t members = 26;  // a group of one rings no doorbell
        const bool steps = level == NicLevel::kCollective;
        CHECK(cost.nacks == 0);
        CHECK(cost.steps == (steps ? messages : 0));
        CHECK((cost.data == cost.acks && cost.data == (steps ? 0 : messages)));
        CHECK(crossings == (level == NicLevel::kHost ? 3 * messages : 2 * members * 10));
        for (const run::CheckCount& check : result.checks)
          if (check.name == "nic barriers") CHECK(check.passed > 1000);
      }
}

TEST_CASE("two nodes of one switch: the way of a message is counted cycle by cycle",
          "[workload][nic]") {
  const test::Subject subject(test::star(2));
  run::RunSpec spec = nic(subject, "nic-dissemination", NicLevel::kCollective, {"all"});
  spec.spread = 0;
  // Arrival 0, doorbell 1, on the NIC's wires 4, the node's 5, from the switch 9, to the NIC 10 to
  // 14; message register 15, received 16, done 17, event 18.
  for (const run::BarrierRecord& b : test::passes(spec).barriers) CHECK(b.latency_cycles == 18);
}

TEST_CASE("members are released once all have arrived, whatever happens to their packets",
          "[workload][nic][random]") {
  Random rng(muster_seed());
  for (int trial = 0; trial < 6; ++trial) {
    CAPTURE(trial);
    const test::Subject subject(topology::generate_irregular(
        {.switches = 12, .nodes = 24, .ports = 6, .connectivity = 0.8, .seed = rng.next()}));
    run::RunSpec spec = nic(subject, kSchemes[rng.below(3)], kLevels[trial % 3],
                            {"all", "random:9", "random:2"}, rng.next());
    const auto rate = [&] { return 0.1 * rng.uniform(); };
    run::own<NicSpec>(spec).faults = FaultRates{rate(), rate(), rate(), rate(), rate(), 300};
    spec.load_flits = trial % 2 ? 0.4 * subject.route_bound() : 0.0;
    spec.barriers = 30;
    const run::RunResult result = test::completes(spec);
    CHECK(run::find_own<NicCost>(result)->faults.dropped > 10);
    CHECK(run::find_own<NicCost>(result)->malformed > 0);
  }
}

TEST_CASE("equal seeds give equal runs, and a faulty link without faults costs its packets",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  const auto run = [&](std::optional<FaultRates> faults, bool skip) {
    run::RunSpec spec = nic(subject, "nic-pairwise", NicLevel::kCollective, {"all"});
    run::own<NicSpec>(spec).faults = faults;
    spec.skip = skip;
    return test::passes(spec);
  };
  const FaultRates some{.drop = 0.05, .duplicate = 0.05};
  CHECK(run(some, true).digest == run(some, true).digest);
  CHECK(run(some, true).digest == run(some, false).digest);
  CHECK(run(std::nullopt, true).digest == run(std::nullopt, false).digest);
  const double without = run(std::nullopt, true).latency_mean;
  const double clean = run(FaultRates{}, true).latency_mean;
  CHECK(clean > without);
  CHECK(run(some, true).latency_mean > clean);
}

TEST_CASE("a peer that will never answer is reported dead, one that is late is not",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  for (const NicLevel level : kLevels) {
    run::RunSpec spec = nic(subject, "nic-dissemination", level, {"all"});
    run::own<NicSpec>(spec).timeout = 100;
    run::own<NicSpec>(spec).retries = 3;
    run::own<NicSpec>(spec).faults = FaultRates{.drop = 1.0};
    const run::RunResult result = run::run_barriers(spec);
    CHECK_THAT(test::breach_of(result), Contains("dead"));
    CHECK(result.cycles < 4000);
  }
  run::RunSpec late = nic(subject, "nic-dissemination", NicLevel::kCollective, {"all"});
  run::own<NicSpec>(late).timeout = 100;
  run::own<NicSpec>(late).retries = 1;
  late.spread = 20'000;
  const run::RunResult result = test::passes(late);
  CHECK(run::find_own<NicCost>(result)->not_yets > 100);
}

TEST_CASE("a NIC sends at most one NACK in --nack-gap cycles and one", "[workload][nic]") {
  constexpr std::uint32_t kNodes = 4, kGap = 3000;
  const test::Subject subject(test::star(kNodes));
  const auto more_than_allowed = [&](std::uint32_t gap) {
    run::RunSpec spec = nic(subject, "nic-dissemination", NicLevel::kCollective, {"all"});
    run::own<NicSpec>(spec).timeout = 100;
    run::own<NicSpec>(spec).gap = gap;
    spec.spread = 20'000;
    const run::RunResult result = test::passes(spec);
    return run::find_own<NicCost>(result)->nacks > kNodes * (result.cycles / (kGap + 1) + 1);
  };
  CHECK(more_than_allowed(16));
  CHECK_FALSE(more_than_allowed(kGap));
}

TEST_CASE("more groups than a NIC has contexts are refused", "[workload][nic]") {
  const test::Subject subject(test::star(16));
  run::RunSpec spec = nic(subject, kSchemes[0], NicLevel::kCollective, {"all"});
  spec.groups.resize(9, spec.groups[0]);
  CHECK_THROWS_WITH(run::run_barriers(spec), Contains("9 contexts, it has 8"));
}

/// 2116 nodes: those from 2048 on have addresses of 12 bits.
TEST_CASE("NICs serve nodes that 11 bits do not name, but hosts that send each message do not",
          "[workload][nic][addresses]") {
  const test::Subject subject(topology::generate_mesh(46, 46));
  const std::vector<std::string> group{"n0,n68,n100,n1500,n2047,n2048,n2115"};  // 68: 2116 - 2048
  for (const char* scheme : kSchemes)
    for (const NicLevel level : {NicLevel::kCollective, NicLevel::kDirect}) {
      CAPTURE(scheme);
      run::RunSpec spec = nic(subject, scheme, level, group);
      spec.barriers = 3;
      test::completes(spec);
    }
  CHECK_THROWS_WITH(run::run_barriers(nic(subject, kSchemes[0], NicLevel::kHost, group)),
                    Contains("can address 2048 nodes, the network has 2116"));
}

TEST_CASE("remote writes are as many as the lists have sends, without an acknowledgement",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : kSchemes) {
    CAPTURE(scheme);
    run::RunSpec spec = nic(subject, scheme, NicLevel::kRdma, {"all", "random:7", "random:1"});
    spec.load_flits = 0.3 * subject.route_bound();
    spec.barriers = 270;  // more than there are sequence numbers
    const run::RunResult result = test::completes(spec);
    const NicCost& cost = *run::find_own<NicCost>(result);
    const std::uint64_t messages = cost.messages_planned * spec.barriers;
    CHECK((cost.steps == messages && cost.data + cost.acks + cost.nacks == 0));
    CHECK((cost.doorbells == messages && cost.events == messages));
    for (const run::CheckCount& check : result.checks)
      if (check.name == "nic barriers") CHECK(check.passed > 10'000);
  }
}

TEST_CASE("a remote write crosses the bus at both ends, past the NICs' queues", "[workload][nic]") {
  const test::Subject subject(test::star(2));
  const auto with = [&](std::uint32_t bus, std::uint32_t overhead) {
    run::RunSpec spec = nic(subject, "nic-dissemination", NicLevel::kRdma, {"all"});
    spec.spread = 0;
    spec.profile.interface_pass = spec.profile.interface_launch = 1000;
    spec.profile.send = spec.profile.receive = spec.profile.bus = bus;
    spec.profile.host = overhead;
    return test::passes(spec).latency_mean;
  };
  CHECK(with(80, 0) == with(40, 0) + 2 * 40);
  CHECK(with(40, 25) == with(40, 0) + 2 * 25);
  CHECK(with(40, 0) < 2 * 40 + 20);
}

}  // namespace

}  // namespace muster::nic
