// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "systems/btin/golden/barrier_register.hpp"

namespace muster::btin {
namespace {

namespace regs = fabric::registers;
using fabric::BarrierMessage;
using fabric::MessageType;

/// What a golden register does with a message, all that it then sends taken at once.
struct Register {
  golden::BarrierRegister at;

  bool take(std::uint32_t port, const BarrierMessage& m, std::vector<SpillAnswer>& answers) {
    if (!at.accepts(m.type, port)) return false;
    std::array<fabric::Payload, golden::kMaxPorts> data{};
    data[port] = m.data;
    golden::Arrivals arrivals;
    if (m.type == MessageType::kReduction)
      arrivals = {static_cast<std::uint16_t>(1u << port), data.data(), false, {}};
    else
      arrivals = {0, nullptr, true, m.data};
    at.edge(arrivals, 0);
    while (at.data.folding != 0) at.edge({}, 0);
    const std::uint16_t requests = at.requests(8);
    for (std::uint32_t p = 0; p < 8; ++p)
      if ((requests >> p & 1) != 0) answers.push_back({p, at.message(p)});
    at.edge({}, requests);
    return true;
  }
};

TEST_CASE("a spilled group does what a barrier register does", "[groups][spill][random]") {
  std::size_t said = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Random rng(muster_seed(), run);
    const unsigned width = 6 + static_cast<unsigned>(rng.below(69));
    Register golden;
    golden.at.valid = true;
    golden.at.data.width = static_cast<std::uint8_t>(width);
    golden.at.gid = 9;
    golden.at.reflect = rng.below(2) != 0;
    golden.at.parent = static_cast<std::uint8_t>(rng.below(8));
    golden.at.children = static_cast<std::uint16_t>(1 + rng.below(31));
    if (!golden.at.reflect)
      golden.at.children &= static_cast<std::uint16_t>(~(1u << golden.at.parent));
    if (golden.at.children == 0) continue;
    const fabric::ReduceOp op = fabric::kReduceOps[rng.below(6)].op;
    golden.at.data.op = static_cast<std::uint8_t>(op);
    SpillRegister spilled({0, 9, golden.at.reflect, golden.at.parent, golden.at.children, op},
                          width);
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t port = rng.below(8);
      const fabric::Payload data = fabric::Formats::low_bits(rng.payload(), width);
      const BarrierMessage m{static_cast<MessageType>(rng.below(2)), 9, data};
      std::vector<SpillAnswer> expected, answers;
      REQUIRE(spilled.take(port, m, answers) == golden.take(port, m, expected));
      REQUIRE(answers.size() == expected.size());
      for (std::size_t a = 0; a < answers.size(); ++a) {
        CHECK(answers[a].port == expected[a].port);
        CHECK(answers[a].message == expected[a].message);
      }
      CHECK(spilled.arrived() == golden.at.arrived);
      said += answers.size();
    }
  }
  CHECK(said > 1000);
}

/// Figure 1 with one register in each switch: group 4 has them, group 5 is spilled.
struct Spilled {
  GroupNetwork net{figure1_graph(), 1, false, true};
  const std::vector<NodeId> members = paper_group(net.graph);

  Spilled() {
    for (const std::uint32_t gid : {4u, 5u}) {
      net.create(gid, members, {false, fabric::ReduceOp::kOr, true});
      REQUIRE(net.alive(gid));
    }
    REQUIRE(net.drain());
  }
  /// All that a forged message could change.
  std::vector<std::uint32_t> state() {
    std::vector<std::uint32_t> words;
    for (SwitchId s = 0; s < net.graph.switches(); ++s) {
      for (std::uint32_t address = 0x100; address < 0x110; ++address)
        words.push_back(net.read(s, address));
      const SpillRegister* spilled = net.spill->find(s, 5);
      words.push_back(spilled != nullptr ? 1u + spilled->arrived() : 0);
    }
    return words;
  }
  std::uint64_t drops() {
    std::uint64_t sum = net.spill->cost().dropped;
    for (SwitchId s = 0; s < net.graph.switches(); ++s)
      sum += regs::kDropsCount.of(net.read(s, regs::kDrops));
    return sum;
  }
  void send(NodeId n, const BarrierMessage& m) {
    net.network->endpoints().send_sync(n, fabric::Formats(16, 8).barrier_flit(m, 0));
    net.network->engine().step();
    REQUIRE(net.drain());
  }
};

TEST_CASE("forged and stale messages change nothing at spilled groups, and are counted",
          "[groups][spill][isolation]") {
  Spilled s;
  const std::uint64_t counted = s.drops();
  std::uint64_t sent = 0;
  for (NodeId n = 0; n < s.net.graph.nodes(); ++n) {
    const topology::PortRef at = s.net.graph.node(n).at;
    const bool member = std::ranges::binary_search(s.members, n);
    const bool root = at == topology::PortRef{3, 4};
    for (const std::uint32_t gid : {4u, 5u, 6u}) {
      for (const auto type : {MessageType::kReduction, MessageType::kDistribution,
                              MessageType::kSpillPlace, MessageType::kSpillData}) {
        if (member && !root && type == MessageType::kReduction && gid != 6) continue;  // arrival
        // A place of the spill node itself is kept until its data come, or another place.
        if (type == MessageType::kSpillPlace && s.net.homes.node[at.sw] == n) continue;
        CAPTURE(n, gid, static_cast<int>(type));
        const auto before = s.state();
        s.send(n, {type, gid, {17, 0}});
        CHECK(s.state() == before);
        ++sent;
      }
    }
  }
  // Counters of switches end at 15; nothing is counted twice.
  CHECK(s.drops() - counted > sent / 2);
  CHECK(s.drops() - counted <= sent);
}

TEST_CASE("a refused creation takes back what it has spilled", "[groups][spill]") {
  GroupNetwork net(bare_middle(), 1, true, true);
  net.create(1, {0, 3}, {});
  net.create(2, {1, 4}, {false, fabric::ReduceOp::kOr, true});
  CHECK(describe(net.manager->group(2).verdict) == "no free barrier register on switch 1");
  CHECK(net.spill->held() == 0);
  // Within one switch it can live.
  net.create(2, {1, 2}, {false, fabric::ReduceOp::kOr, true});
  CHECK(net.alive(2));
  CHECK(net.spill->held() == 1);
  // One that does not allow spill is refused beside it.
  net.create(3, {0, 1}, {});
  CHECK_FALSE(net.alive(3));
  CHECK(net.spill->held() == 1);
}

using namespace run;
using test::Subject;

RunSpec spilled(const Subject& subject, std::uint32_t groups, std::uint64_t seed = 1) {
  RunSpec spec = subject.spec(std::vector<std::string>(groups, "random:4"), seed);
  spec.config = btin::sw8_with(1);
  own<btin::Spec>(spec).spill = true;
  return spec;
}

TEST_CASE("a spilled barrier of two members takes 14L + 9 cycles more at its switch",
          "[workload][spill]") {
  for (const std::uint32_t latency : {1u, 2u}) {
    CAPTURE(latency);
    const Subject subject(test::star(5, latency));
    RunSpec spec = subject.spec({"0:3,0:4", "0:1,0:2"});
    spec.config = btin::sw8_with(1);
    own<btin::Spec>(spec).reflect = true;
    spec.spread = 0;
    spec.barriers = 1;
    own<btin::Spec>(spec).spill = true;
    const RunResult result = test::completes(spec);
    CHECK(own<btin::Result>(result).spilled_switches(0).empty());
    CHECK(own<btin::Result>(result).spilled_switches(1).size() == 1);
    // The root switch reflects, so the way to the node and back is one: two messages there and
    // two back, each place and data. A flit that follows another on the link to or from the node
    // waits until the pocket in front of it is free, 2L + 1 cycles. Of the second message's data:
    // in the pocket 1, in the latch 2, out after three others 4L + 4 and 2L + 1, at the node L; the
    // node's first place 1, on the way L, taken 1, its credit L, data 1 and L, taken 1, latch 1;
    // and 4L + 2 for the second answer.
    CHECK(result.barriers[1].latency_cycles ==
          result.barriers[0].latency_cycles + 14 * latency + 9);
    CHECK(own<btin::Result>(result).spill->handed_over == 2);
    CHECK(own<btin::Result>(result).spill->answered == 2);
  }
}

TEST_CASE("groups beyond the registers live in spill nodes, set up either way",
          "[workload][spill]") {
  const Subject subject = Subject::figure1();
  for (const bool reflect : {false, true})
    for (const bool in_band : {false, true})
      for (const fabric::NamedReduceOp& named : fabric::kReduceOps) {
        CAPTURE(reflect, in_band, named.name);
        RunSpec spec = spilled(subject, 6);
        auto& choice = own<btin::Spec>(spec);
        choice.reflect = reflect;
        choice.in_band = in_band;
        choice.op = named.op;
        spec.split = 30;
        const auto result = own<btin::Result>(test::completes(spec));
        REQUIRE(result.spill);
        CHECK(result.spill->handed_over > 100);
        CHECK(result.spill->dropped == 0);
        CHECK(result.spill->spilled_barriers > 0);
        CHECK(result.spill->spilled_latency_mean > result.spill->other_latency_mean);
      }
}

TEST_CASE("a switch without nodes cannot spill", "[workload][spill]") {
  const Subject subject(btin::bare_middle());
  RunSpec spec = subject.spec({"n0,n3", "n1,n4"});
  spec.config = btin::sw8_with(1);
  own<btin::Spec>(spec).spill = true;
  CHECK_THROWS_WITH(run_barriers(spec), Contains("switch 1 ") && Contains("no node to spill"));
  own<btin::Spec>(spec).in_band = true;
  CHECK_THROWS_AS(run_barriers(spec), InputError);
  spec.config = btin::sw8_with(2);
  test::passes(spec);
}

}  // namespace
}  // namespace muster::btin
