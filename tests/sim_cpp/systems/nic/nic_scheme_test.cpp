// SPDX-License-Identifier: Apache-2.0
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_plan.hpp"
#include "systems/nic/nic_ports.hpp"

namespace muster::nic {
namespace {

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

TEST_CASE("a barrier of 16384 NICs runs to its end", "[workload][nic][soak]") {
  const test::Subject subject(topology::generate_fat_tree(4, 7));
  run::RunSpec spec = nic(subject, "nic-dissemination", NicLevel::kCollective, {"all"});
  spec.barriers = 1;
  CHECK(run::find_own<NicCost>(test::completes_as_planned(spec))->steps == 14 * 16384);
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

TEST_CASE("barriers by hardware broadcast release no member before all have arrived",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all", "random:7", "random:1", "0:3,4:2"});
  spec.barriers = 40;
  spec.load_flits = 0.3 * subject.route_bound();
  const run::RunResult result = test::completes(spec);
  for (const run::CheckCount& check : result.checks)
    if (check.name == "barriers") CHECK(check.passed > 1000);
}

TEST_CASE("when all have arrived the root asks once: down, up, down, and no more messages",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
  spec.spread = 0;
  spec.barriers = 3;
  const run::RunResult result = test::passes(spec);
  for (const run::BarrierRecord& b : result.barriers) {
    // A question, its answers, the release: a hop of 2 cycles to the switch and one from it each,
    // with a cycle at each end.
    CHECK(b.latency_cycles < 20);
    // Of three members: down by 4 links, up by 4, down by 4; after all but the last barrier up.
    CHECK(b.hops == (b.number == 2 ? 12 : 16));
  }
}

TEST_CASE("the answer is what triggers the release, and a doorbell the question",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  const auto with = [&](std::uint32_t pass, std::uint32_t launch, std::uint32_t bus) {
    run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
    spec.spread = 0;
    spec.profile.interface_pass = pass;
    spec.profile.interface_launch = launch;
    // What other schemes' messages cross between host and link, these do not.
    spec.profile.send = spec.profile.receive = 1000;
    spec.profile.bus = bus;
    return test::passes(spec).latency_mean;
  };
  // The bus is slow enough for all to have acknowledged the release before.
  const double some = with(10, 10, 50);
  CHECK(with(110, 10, 50) == some + 200);
  CHECK(with(10, 110, 50) == some + 200);
  CHECK(with(10, 10, 150) == some + 200);
}

TEST_CASE("hardware broadcast begins when links that retry are up", "[workload][nic][links]") {
  for (const double drop : {0.0, 0.02}) {
    run::RunSpec spec = test::figure1().by(kBroadcastScheme, {"all", "random:7"});
    spec.links.retry = true;
    spec.links.drop = drop;
    CHECK(test::completes(spec).barriers.size() == 2 * spec.barriers);
  }
}

TEST_CASE("a missing member is named, with the questions that were asked", "[workload][nic]") {
  const test::Subject subject(test::star(4));
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
  spec.absent.push_back({0, 2, 3});
  spec.max_wait = 20'000;
  CHECK_THAT(test::breach_of(spec),
             Contains("members that have not arrived: n2") && Contains("has asked"));
}

std::vector<core::Flit> packet(std::uint8_t number) {
  const auto flits = nic_flits({.source = 1, .destination = 2, .barrier = number}, 0);
  return {flits.begin(), flits.end()};
}

/// Numbers of the packets that come out if packet i is put in in cycle 10 i, 0 to 199.
std::vector<int> through(const FaultRates& rates, FaultCounts& counts) {
  PacketFaults link(rates, muster_seed(), 0);
  std::vector<int> out;
  for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) {
    if (cycle % 10 == 0 && cycle < 2000)
      link.put(cycle, packet(static_cast<std::uint8_t>(cycle / 10)));
    while (const auto flits = link.take(cycle)) {
      const auto message = nic_message(*flits);
      out.push_back(message ? message->barrier : -1);
    }
  }
  CHECK(link.empty());
  CHECK(link.counts().packets == 200);
  counts = link.counts();
  return out;
}

TEST_CASE("each fault does what it is called and is counted", "[nic]") {
  FaultCounts counts;
  std::vector<int> out = through({.drop = 0.5}, counts);
  CHECK(out.size() == 200 - counts.dropped);
  CHECK((counts.dropped > 60 && counts.dropped < 140));

  out = through({.duplicate = 0.5}, counts);
  CHECK(out.size() == 200 + counts.duplicated);
  CHECK(counts.duplicated > 60);

  out = through({.delay = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK(std::ranges::is_sorted(out));
  CHECK(counts.delayed > 60);

  out = through({.reorder = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK_FALSE(std::ranges::is_sorted(out));
  CHECK(counts.reordered > 60);

  out = through({.corrupt = 0.5}, counts);
  CHECK(out.size() == 200);
  CHECK(static_cast<std::uint64_t>(std::ranges::count(out, -1)) == counts.corrupted);
  CHECK(counts.corrupted > 60);
}

TEST_CASE("damage is 1 to 3 bits of the payload and nothing else", "[nic]") {
  PacketFaults link({.corrupt = 1.0}, muster_seed(), 0);
  std::uint32_t seen = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<core::Flit> good = packet(7);
    link.put(0, good);
    const auto bad = link.take(0);
    REQUIRE(bad);
    int flips = 0;
    for (std::size_t f = 0; f < good.size(); ++f) {
      flips += std::popcount(good[f].lo ^ (*bad)[f].lo);
      CHECK(((*bad)[f].kind == good[f].kind && (*bad)[f].vc == good[f].vc));
      CHECK((*bad)[f].lo < 1u << 16);
    }
    CHECK((flips >= 1 && flips <= 3));
    seen |= 1u << flips;
  }
  CHECK(seen == 0b1110);
}

run::RunSpec all_of(const test::Subject& subject, const std::string& scheme,
                    const std::function<void(NicSpec&)>& choose) {
  run::RunSpec spec = subject.by(scheme, {"all"});
  spec.spread = 0;
  choose(run::own<NicSpec>(spec));
  return spec;
}

double latency(const run::RunSpec& spec) {
  const run::RunResult result = test::passes(spec);
  REQUIRE(!result.barriers.empty());
  return result.latency_mean;
}

TEST_CASE("a STEP that a doorbell sets off passes queues of its own, a triggered one two more",
          "[workload][nic]") {
  constexpr std::uint32_t kPass = 100, kLaunch = 30, kGathering = 5;
  const test::Subject two(test::star(2)), four(test::star(4));
  for (const auto form : {ListForm::kList, ListForm::kChained}) {
    CAPTURE(static_cast<int>(form));
    const auto with = [&](const test::Subject& subject, const char* scheme, std::uint32_t pass,
                          std::uint32_t launch) {
      run::RunSpec spec = all_of(subject, scheme, [&](NicSpec& n) { n.form = form; });
      spec.profile.interface_pass = pass;
      spec.profile.interface_launch = launch;
      return latency(spec);
    };
    for (const char* scheme : {"nic-dissemination", "nic-pairwise"}) {
      CAPTURE(scheme);
      // A held packet is gathered, which takes its flits' cycles; the first pass shows it.
      const double launched = with(two, scheme, kPass, 0), triggered = with(four, scheme, kPass, 0);
      CHECK(with(two, scheme, kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(with(two, scheme, 2 * kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(launched <= with(two, scheme, 0, 0) + kGathering);
      CHECK(with(four, scheme, kPass, kLaunch) == triggered + 2 * kLaunch);
      CHECK(with(four, scheme, 2 * kPass, 0) == triggered + 2 * kPass);
    }
    // A leaf is launched; the root's messages are triggered.
    const double gather = with(four, "nic-gather", kPass, 0);
    CHECK(with(four, "nic-gather", kPass, kLaunch) == gather + 2 * kLaunch);
    CHECK(with(four, "nic-gather", 2 * kPass, 0) == gather + 2 * kPass);
  }
}

TEST_CASE("the work of a program that walks the list is paid once for each of its sends",
          "[workload][nic]") {
  constexpr std::uint32_t kWork = 500;
  const test::Subject four(test::star(4));
  for (const NicLevel level : {NicLevel::kHost, NicLevel::kRdma}) {
    CAPTURE(static_cast<int>(level));
    const auto with = [&](const char* scheme, std::uint32_t work) {
      return latency(all_of(four, scheme, [&](NicSpec& n) {
        n.level = level;
        n.host_step = work;
      }));
    };
    // So much work that no message waits for another one's acknowledgement.
    CHECK(with("nic-dissemination", 2 * kWork) == with("nic-dissemination", kWork) + 2 * kWork);
    // A leaf's, then the root's three in a row.
    CHECK(with("nic-gather", 2 * kWork) == with("nic-gather", kWork) + 4 * kWork);
  }
}

}  // namespace
}  // namespace muster::nic
