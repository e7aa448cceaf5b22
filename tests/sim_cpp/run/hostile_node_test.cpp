// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/hostile_bank.hpp"
#include "support/seed.hpp"

/// docs/systems/guard.md, "Isolation from a hostile node", on networks.

namespace muster::run {
namespace {

constexpr std::uint64_t kAttack = 4000;  ///< cycles

/// Golden switches that guard themselves, with a hostile node at one of them or none.
class GuardedEngine : public fabric::BankFactory {
 public:
  GuardedEngine(const test::Subject& subject, std::optional<test::HostileBank::Node> node)
      : BankFactory(subject.engine->makers()),
        golden_(subject.engine),
        node_(node),
        node_ports_(subject.graph.switches(), 0) {
    for (topology::NodeId n = 0; n < subject.graph.nodes(); ++n)
      node_ports_[subject.graph.node(n).at.sw] |= 1u << subject.graph.node(n).at.port;
  }
  std::string name() const override { return "guarded"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    fabric::SwitchConfig guarded = config;
    guarded.guard = true;
    auto inside = golden_->make_switches(guarded, blocks, options);
    if (!node_) return inside;
    return std::make_unique<test::HostileBank>(std::move(inside), guarded, *node_, node_ports_);
  }

 private:
  std::shared_ptr<const fabric::BankFactory> golden_;
  std::optional<test::HostileBank::Node> node_;
  std::vector<std::uint32_t> node_ports_;
};

/// Barriers of 14 members and of two, whose trees use the switch of the hostile node.
RunSpec victims(const test::Subject& subject, std::uint64_t seed, bool reflect) {
  RunSpec spec = subject.spec({"paper", "3:7,0:5"}, seed);
  spec.config = run::configuration("sw8");
  spec.barriers = 40;
  spec.spread = 60;
  spec.skip = false;
  spec.checkers = false;  // they would see what the node sends
  spec.drain_limit = 200;
  spec.parts.make<btin::Spec>().reflect = reflect;
  return spec;
}

TEST_CASE("a node that sends whatever it likes stops no barrier of others, and none for long",
          "[workload][guard]") {
  const test::Subject subject = test::Subject::figure1();
  const auto& graph = subject.graph;
  const std::uint64_t seed = muster_seed();
  const bool reflect = GENERATE(false, true);
  RunSpec spec = victims(subject, seed, reflect);
  spec.engine = std::make_shared<GuardedEngine>(subject, std::nullopt);
  const RunResult alone = run_barriers(spec);
  REQUIRE(alone.barriers.size() == 2 * spec.barriers);
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const bool member = std::any_of(spec.groups.begin(), spec.groups.end(), [&](const auto& group) {
      return std::count(group.members.begin(), group.members.end(), n) != 0;
    });
    if (member) continue;
    CAPTURE(seed, reflect, n);
    const topology::PortRef at = graph.node(n).at;
    spec.engine = std::make_shared<GuardedEngine>(
        subject, test::HostileBank::Node{n, at.sw, at.port, graph.nodes(), graph.destinations(), 2,
                                         seed + n, kAttack});
    const RunResult result = run_barriers(spec);
    CHECK(result.barriers.size() == 2 * spec.barriers);
    // At each output of a way up and down the tree two flits of data, and for each other register a
    // message and two more flits.
    const std::uint64_t outputs = 2 * 4, others = spec.config->regs - 1;
    CHECK(result.latency_max <= alone.latency_max + outputs * (2 + 3 * others));
    // What it has left in the network does not end; nothing else is wrong.
    for (const std::string& violation : result.violations)
      CHECK_THAT(violation, Catch::Matchers::Contains("the network is not empty"));
  }
}

}  // namespace
}  // namespace muster::run
