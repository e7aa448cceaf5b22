// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using test::Subject;

std::uint32_t place_of(const std::vector<topology::NodeId>& members, topology::NodeId node) {
  std::vector<topology::NodeId> sorted = members;  // the order of the tree's members
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::uint32_t>(std::find(sorted.begin(), sorted.end(), node) - sorted.begin());
}

/// The channel between two ends, named as in Layout::name.
core::ChannelId channel(const topology::Graph& graph, const std::string& name) {
  const fabric::Layout layout(graph);
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c) {
    if (layout.name(c) == name) return c;
  }
  FAIL("no channel " << name);
  return 0;
}

TEST_CASE("a member that never arrives is named, with group, barrier and switch",
          "[workload][hang]") {
  const Subject subject = Subject::figure1();
  const bool reflect = GENERATE(false, true);
  const double load = GENERATE(0.0, 0.5);
  CAPTURE(reflect, load);
  RunSpec spec = subject.spec({"all", "paper"});
  spec.parts.make<btin::Spec>().reflect = reflect;
  spec.load_flits = load * subject.route_bound();
  const topology::NodeId node = topology::parse_members(subject.graph, {"4:3"}).at(0);
  spec.absent = {{1, place_of(spec.groups[1].members, node), 3}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("group 'paper'") && Contains("barrier 3 ") &&
                                       Contains("switch 4 waits for member 4:3 (n"));
  CHECK_THAT(result.violations[0], !Contains("group 'all'") && !Contains(";"));
  CHECK(result.barriers.size() == 13);  // what was completed is reported
}

TEST_CASE("every scheme names who is missing as the network's file does", "[workload][hang]") {
  Subject subject = Subject::figure1();
  const topology::NodeId node = topology::parse_members(subject.graph, {"4:3"}).at(0);
  subject.graph.node_names = {{node, "host7"}};
  subject.graph.switch_names = {{4, "leaf4"}};
  for (const std::string scheme : {"btin", "unicast", "tree", "star", "multicast", "bsr-2",
                                   "nic-dissemination", "nic-gather"}) {
    CAPTURE(scheme);
    RunSpec spec = subject.spec({"paper"});
    spec.scheme = scheme;
    spec.absent = {{0, place_of(spec.groups[0].members, node), 1}};
    const RunResult result = run_barriers(spec);
    REQUIRE(result.violations.size() == 1);
    CHECK_THAT(result.violations[0], Contains(" \"host7\""));
  }
  RunSpec spec = subject.spec({"paper"});
  spec.absent = {{0, place_of(spec.groups[0].members, node), 1}};
  CHECK_THAT(run_barriers(spec).violations.at(0),
             Contains("switch 4 \"leaf4\" waits for member 4:3 \"host7\" (n"));
}

TEST_CASE("a root node that never arrives is named", "[workload][hang]") {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  const topology::NodeId node = topology::parse_members(subject.graph, {"3:4"}).at(0);
  spec.absent = {{0, place_of(spec.groups[0].members, node), 0}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0],
             Contains("switch 3 waits for root node 3:4 (n") && Contains("which has not arrived"));
}

TEST_CASE("a group of one whose member never arrives is reported", "[workload][hang]") {
  const Subject subject(test::star(2));
  RunSpec spec = subject.spec({"n1"});
  spec.absent = {{0, 0, 0}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("group 'n1'") && Contains("0:1 (n1)"));
}

/// What is reported of Figure 1 when a channel stops after some barriers.
std::string stopped(const std::string& name, bool reflect) {
  const Subject subject = Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  spec.parts.make<btin::Spec>().reflect = reflect;
  spec.checkers = false;
  spec.barriers = 50;
  spec.stopped = {{channel(subject.graph, name), 500}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK(result.barriers.size() >= 3);
  CHECK(result.barriers.size() < 50);
  return result.violations[0];
}

TEST_CASE("a link that stops is named by the switch that misses its message", "[workload][hang]") {
  const topology::Graph graph = Subject::figure1().graph;
  const auto link = [&](topology::SwitchId from, topology::SwitchId to) {
    for (const topology::Link& l : graph.links()) {
      const auto& [a, b] =
          l.a.sw == from && l.b.sw == to ? std::pair{l.a, l.b} : std::pair{l.b, l.a};
      if (a.sw == from && b.sw == to) {
        return fmt::format("{}:{} -> {}:{}", a.sw, a.port, b.sw, b.port);
      }
    }
    return std::string("none");
  };
  const bool reflect = GENERATE(false, true);
  CAPTURE(reflect);
  CHECK_THAT(stopped(link(4, 1), reflect),
             Contains("switch 1 has not taken the reduction message sent on " + link(4, 1)));
  CHECK_THAT(stopped(link(1, 5), reflect),
             Contains("switch 5 has not taken the distribution message sent on " + link(1, 5)));
}

TEST_CASE("a node's link that stops is named", "[workload][hang]") {
  const topology::Graph graph = Subject::figure1().graph;
  const auto id = [&](const char* at) { return topology::parse_members(graph, {at}).at(0); };
  const auto into = [&](const char* at) { return fmt::format("n{} -> {}", id(at), at); };
  const auto out_of = [&](const char* at) { return fmt::format("{} -> n{}", at, id(at)); };
  CHECK_THAT(stopped(into("6:2"), false),
             Contains("switch 6 has not taken the reduction message sent on " + into("6:2")));
  CHECK_THAT(stopped(out_of("6:2"), false),
             Contains("switch 6 sent a distribution message on " + out_of("6:2")));
  CHECK_THAT(stopped(out_of("3:4"), false), Contains("switch 3 waits for root node 3:4") &&
                                                Contains("notified on " + out_of("3:4")));
  CHECK_THAT(stopped(into("3:4"), false),
             Contains("switch 3 has not taken the distribution message sent on " + into("3:4")));
}

TEST_CASE("data that makes no progress is reported, without any group", "[workload][hang]") {
  const Subject subject(topology::generate_mesh(3, 3));
  RunSpec spec = subject.spec({});
  spec.load_flits = 0.3;
  spec.min_cycles = 100'000;
  spec.checkers = false;
  // No credit comes back to any switch or node.
  for (core::ChannelId c = 0; c < 2 * (subject.graph.links().size() + 9); ++c) {
    spec.stopped.push_back({c, 200, false, true});
  }
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("nothing has moved") && Contains("switch"));
  CHECK(result.cycles < 5000);
}

TEST_CASE("a network that does not empty is reported", "[workload][hang]") {
  const Subject subject(topology::generate_mesh(3, 3));
  RunSpec spec = subject.spec({});
  spec.load_flits = 0.3;
  spec.min_cycles = 1000;
  spec.checkers = false;
  spec.stopped = {{4, 900, false, true}};  // no credits for a link
  const RunResult result = run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("not empty"));
}

}  // namespace
}  // namespace muster::run
