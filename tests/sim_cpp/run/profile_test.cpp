// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "support/folder.hpp"
#include "systems/btin/tree.hpp"

namespace muster::run {
namespace {

/// One barrier at which all arrive at once, with every checker.
BarrierRecord one_barrier(RunSpec spec, const Profile& profile) {
  spec.profile = profile;
  spec.barriers = 1;
  spec.spread = 0;
  return test::completes(spec).barriers[0];
}
BarrierRecord one_barrier(RunSpec spec, const std::string& profile) {
  return one_barrier(std::move(spec), find_profile(profile));
}

TEST_CASE("Figure 1 takes the 7.16 us of the paper's formula", "[workload][profile]") {
  const BarrierRecord result = one_barrier(test::figure1().spec({"paper"}), "btin");
  CHECK(result.latency_cycles == 716);
  CHECK(result.reduction_cycles == 358);
  CHECK(result.hops == 40);
}

TEST_CASE("one barrier on any network takes what the formula says", "[workload][profile][random]") {
  for (std::uint64_t i = 0; i < 25; ++i) {
    Random rng(muster_seed(), i);
    const test::Subject subject(
        test::random_network(rng, 20, 99, 8, [](std::uint32_t switches) { return 3 * switches; }));
    const std::uint32_t nodes = subject.graph.nodes();
    RunSpec spec = subject.spec({"random:" + std::to_string(2 + rng.below(nodes - 1))}, rng.next());
    CAPTURE(i, nodes, spec.groups[0].name);
    const auto tree = btin::plan_tree(subject.graph, spec.groups[0].members);
    const BarrierRecord result = one_barrier(std::move(spec), "btin");
    CHECK(result.latency_cycles * 10 == btin::btin_latency_ns(tree.height));
  }
}

/// A packet adds to it, for each of its two ways, two cycles at each switch (L + 3 to a barrier
/// message's L + 1) and two for its tail.
TEST_CASE("two members by unicast take the formula for their distance and the packets' cycles",
          "[workload][profile][unicast]") {
  for (topology::NodeId n = 1; n < test::figure1().graph.nodes(); ++n) {
    RunSpec spec = test::figure1().by("unicast", {"n0,n" + std::to_string(n)});
    const auto there = topology::route_length(test::figure1().graph, test::figure1().routes, n, 0);
    const auto back = topology::route_length(test::figure1().graph, test::figure1().routes, 0, n);
    const auto cycles = [](std::uint64_t d) {
      return 200 + 2 * d + 30 * (d + 1) + 2 * (d - 1) + 2;
    };
    CAPTURE(n, there, back);
    const BarrierRecord result = one_barrier(std::move(spec), "btin");
    CHECK(result.latency_cycles == cycles(there) + cycles(back));
  }
}

TEST_CASE("barriers and data keep every property under a profile", "[workload][profile][random]") {
  for (std::uint64_t i = 0; i < 12; ++i) {
    test::RandomRun run(muster_seed() + 11, i, 10);
    CAPTURE(i, run.text());
    run.spec.profile = find_profile(i % 2 == 0 ? "btin" : "btin-occupied");
    if (i % 3 == 0)
      run.by("unicast");
    else
      run.calm();
    test::completes_as_planned(run.spec);
  }
}

/// The root switch with a node, one with a node and one with `senders` nodes as its neighbours.
topology::Graph two_branches(std::uint32_t senders) {
  topology::Graph graph;
  for (topology::SwitchId s = 0; s < 3; ++s) graph.add_switch(senders + 1);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({0, 1}, {2, 0});
  graph.add_node({0, 2});
  graph.add_node({1, 1});
  for (std::uint32_t n = 0; n < senders; ++n) graph.add_node({2, 1 + n});
  return graph;
}

TEST_CASE("an occupied input holds the second header back for t_r + t_p and no longer",
          "[workload][profile][multicast]") {
  const btin::BtinDelays delays;
  const std::uint64_t apart = (delays.router_ns + delays.link_ns) / 10;
  // Otherwise a packet is behind the other by its three flits, and with the one channel that worms
  // leave to data by the cycle in which this passes to the next packet.
  for (const char* scheme : {"unicast", "multicast"}) {
    const std::uint64_t flits = scheme == std::string("unicast") ? 3 : 4;
    CAPTURE(scheme);
    const auto reduction = [&](std::uint32_t senders, const char* profile) {
      const test::Subject subject(two_branches(senders));
      RunSpec spec = subject.by(scheme, {"all"});
      return one_barrier(std::move(spec), profile).reduction_cycles;
    };
    for (std::uint32_t senders = 2; senders < 6; ++senders) {
      CHECK(reduction(senders + 1, "btin-occupied") - reduction(senders, "btin-occupied") == apart);
      CHECK(reduction(senders + 1, "btin") - reduction(senders, "btin") == flits);
    }
  }
}

/// A switch more between two members is two hops more in each barrier: there and back.
TEST_CASE("a hop takes the profile's T_b with every scheme", "[workload][profile]") {
  const test::Subject subject(test::line(7));
  for (const char* scheme : {"btin", "bsr-1", "bsr-2", "bsr-3", "unicast", "star", "tree",
                             "tree-units", "multicast", "nic-dissemination"}) {
    CAPTURE(scheme);
    const auto latency = [&](std::uint32_t n, std::uint32_t hop) {
      RunSpec spec = subject.by(scheme, {"n0,n" + std::to_string(n)});
      spec.spread = 0;
      spec.barriers = 3;
      spec.profile = find_profile("ts-100-tb-16");
      spec.profile.hop = hop;
      return test::completes(spec).barriers[2].latency_cycles;
    };
    for (const std::uint32_t hop : {16u, 40u}) {
      // A worm takes a cycle less; dissemination goes both ways at once.
      const std::uint64_t back = scheme == std::string("multicast")           ? hop - 1
                                 : scheme == std::string("nic-dissemination") ? 0
                                                                              : hop;
      for (std::uint32_t n = 2; n < 6; ++n)
        CHECK(latency(n + 1, hop) - latency(n, hop) == hop + back);
    }
  }
}

std::string profile_file(const std::string& fields) {
  return R"({"schema": "muster-profile-1", "name": "own")" + fields + "}";
}

TEST_CASE("a profile of a file has its times, and a run has them", "[workload][profile]") {
  const test::Folder folder;
  folder.write("own.json", profile_file(R"(, "note": "measured", "clock_ns": 2.5, "pipe_cycles": 7,
      "send_cycles": 20, "receive_cycles": 3, "host_cycles": 4, "bus_cycles": 5,
      "host_step_cycles": 6, "data_passes": 2)"));
  const Profile own = find_profile(folder.file("own.json"));
  CHECK(own == Profile{.name = "own",
                       .clock_ns = 2.5,
                       .pipe = 7,
                       .send = 20,
                       .receive = 3,
                       .host = 4,
                       .bus = 5,
                       .step = 6,
                       .passes = 2});
  // A message of two members on a switch has two channels each way, and a host at both ends.
  const test::Subject star(test::star(3));
  const auto latency = [&](const Profile& profile) {
    return one_barrier(star.spec({"n0,n1"}), profile).latency_cycles;
  };
  CHECK(latency(own) - latency(Profile{}) == 4 * 7 + 2 * (20 + 3));
}

TEST_CASE("a profile's file that cannot be used is refused with the place",
          "[workload][profile][errors]") {
  const test::Folder folder;
  const std::string file = folder.file("bad.json");
  const std::pair<const char*, const char*> bad[] = {
      {"", "field \"clock_ns\" is missing"},
      {R"(, "clock_ns": 0)", "clock_ns: 0 is not in 0.001.."},
      {R"(, "clock_ns": "10")", "clock_ns: string instead of a number"},
      {R"(, "clock_ns": 1, "pipe_cycles": 1001)", "pipe_cycles: 1001 is not in 0..1000"},
      {R"(, "clock_ns": 1, "pipe_cycles": -1)", "pipe_cycles: number -1 instead of a whole"},
      {R"(, "clock_ns": 1, "pipe_cycles": 1.5)", "pipe_cycles: number 1.5 instead of a whole"},
      {R"(, "clock_ns": 1, "pipe": 3)", "unknown field \"pipe\"; known are schema, note, name"},
      {R"(, "clock_ns": 1, "pipe_cycles": 3, "hop_cycles": 9)", "hop_cycles: excludes pipe_cycles"},
      {R"(, "clock_ns": 1, "clock_ns": 2)", "field \"clock_ns\" appears twice"}};
  const auto refused = [&](const std::string& content, const std::string& token) {
    folder.write("bad.json", content);
    CAPTURE(content);
    CHECK_THROWS_AS(find_profile(file), InputError);
    CHECK_THROWS_WITH(find_profile(file), Catch::StartsWith(file + ": " + token));
  };
  for (const auto& [fields, token] : bad) refused(profile_file(fields), token);
  refused(R"({"schema": "x", "name": "own", "clock_ns": 1})", "schema: 'x' is not known");
  refused(R"({"schema": "muster-profile-1", "name": "", "clock_ns": 1})", "name: is empty");
  refused(R"({"schema": "muster-profile-1", "name": "btin", "clock_ns": 1})",
          "name: 'btin' is a built-in profile with other times");
  refused("[]", "array instead of an object");
  CHECK_THROWS_WITH(find_profile("fast"), Contains("--profile 'fast': unknown name") &&
                                              Contains("elan3") && Contains("FILE.json"));
}

TEST_CASE("every built-in profile is a file of its name", "[workload][profile]") {
  for (const Profile& profile : profiles()) {
    if (profile.name == "native") continue;
    CAPTURE(profile.name);
    CHECK(find_profile(fmt::format("{}/profiles/{}.json", MUSTER_SOURCE_DIR, profile.name)) ==
          profile);
  }
  CHECK(profiles().size() == 12);
}

}  // namespace
}  // namespace muster::run
