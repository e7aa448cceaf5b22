// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/mutant_bank.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::run {
namespace {

/// Switches at one of whose ports stands a node that sends whatever it likes: barrier messages of
/// all types and groups, parts of packets, requests to this and other switches that would write
/// registers with the right old words. It minds no credit, and gives those of its own late. The
/// other nodes discard the packets that come to them: they send none.
///
/// REQUIRES: nothing is skipped, and no data are sent.
class HostileBank : public MutantBank {
 public:
  struct Node {
    std::uint32_t id, block, port;      ///< the node, and where it stands
    std::uint32_t nodes, destinations;  ///< of the network
    std::uint32_t groups;               ///< of others, from 0 on; the next one is its own
    std::uint64_t seed;
    std::uint64_t until;  ///< the cycle in which it stops
  };

  /// `node_ports`: by block, ports that have nodes.
  HostileBank(std::unique_ptr<Bank> inside, const fabric::SwitchConfig& config, const Node& node,
              std::vector<std::uint32_t> node_ports)
      : MutantBank(std::move(inside), [](std::uint64_t, MutantBank&) {}),
        config_(config),
        node_(node),
        node_ports_(std::move(node_ports)),
        rng_(node.seed) {}

  std::uint64_t sent() const { return sent_; }  ///< flits of the node so far

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const auto& [b, back] : std::exchange(thrown_away_, {})) wires_[b].tx_back |= back;
    if (cycle < node_.until) attack();
    MutantBank::clock(cycle, awake);
    for (const std::uint32_t b : awake) throw_away(b);
    quiescent_[node_.block] = 0;
    swallow();
  }

  /// Packets may write registers at the node's own port alone, and there of its own group alone.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    namespace regs = fabric::registers;
    const bool home = block == node_.block;
    if (address == regs::kPermits) {
      value = home ? 1u << node_.port : 0;
      MutantBank::write_register(block, regs::kPatience, 6);
      if (home)
        MutantBank::write_register(block, regs::kGroupPermits + node_.port,
                                   0xffu << 16 | node_.groups);
    }
    MutantBank::write_register(block, address, value);
  }

 private:
  void attack() {
    if (rng_.below(4) == 0) return;
    if (queue_.empty()) think();
    rx(node_.block, node_.port) = queue_.back();
    wires_[node_.block].rx_valid |= 1u << node_.port;
    queue_.pop_back();
    ++sent_;
  }
  /// The next flits, the last first.
  void think() {
    const fabric::Formats formats(config_.flit_w, config_.gid_w);
    const auto vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
    switch (rng_.below(3)) {
      case 0: {  // a barrier message
        const std::uint32_t gid = rng_.below(node_.groups + 1);
        queue_.push_back(formats.barrier_flit(
            {static_cast<fabric::MessageType>(rng_.below(4)), gid, {rng_.next(), 0}}, 0));
        break;
      }
      case 1:
        write_request(vc);
        break;
      default:  // of a packet of data, or what is none
        core::Flit flit{.lo = rng_.below(node_.destinations), .vc = vc};
        flit.kind = static_cast<std::uint8_t>(rng_.below(4));
        queue_.push_back(flit);
    }
  }
  /// To a switch: its register r, of which it knows the word. The answer would come to itself.
  void write_request(std::uint8_t vc) {
    namespace regs = fabric::registers;
    const std::uint32_t sw = rng_.below(blocks());
    const std::uint32_t r = rng_.below(config_.regs);
    const std::uint32_t address = rng_.below(2) == 0 ? regs::control(r) : regs::children(r);
    const std::uint32_t old = read_register(sw, address);
    // Nothing, anything, or a register of its own group.
    const std::uint64_t kind = rng_.below(3);
    const auto value = kind == 0   ? 0u
                       : kind == 1 ? rng_.word()
                                   : regs::control_word(node_.groups, node_.port, false);
    const std::uint32_t words[] = {
        std::uint32_t{fabric::kOpcodeRequest} << fabric::kDestinationWidth | (node_.nodes + sw),
        node_.id | std::uint32_t{vc} << fabric::kSourceWidth,
        0x8000u | address,
        old & 0xffff,
        old >> 16,
        value & 0xffff,
        value >> 16};
    for (std::size_t i = std::size(words); i-- > 0;) {
      core::Flit flit{.lo = words[i], .vc = vc};
      if (i == 0) flit.kind = core::Flit::kHead;
      if (i + 1 == std::size(words)) flit.kind = core::Flit::kTail;
      queue_.push_back(flit);
    }
  }
  /// Flits of packets on their way to nodes; their credits come back at once.
  void throw_away(std::uint32_t b) {
    core::BlockWires& w = wires_[b];
    for (std::uint32_t p = 0; p < ports(); ++p) {
      if (!(w.tx_valid & node_ports_[b] & 1u << p) || tx(b, p).sync()) continue;
      w.tx_valid &= ~(1u << p);
      const std::uint64_t back = std::uint64_t{1} << (4 * p + tx(b, p).vc);
      if (b == node_.block && p == node_.port)
        kept_.push_back(back);
      else
        thrown_away_.emplace_back(b, back);
    }
  }
  /// What leaves towards the node, and what is returned to it, the network's own node does not get.
  void swallow() {
    core::BlockWires& w = wires_[node_.block];
    w.tx_valid &= ~(1u << node_.port);
    w.rx_back &= ~(std::uint64_t{0xf} << (4 * node_.port));
    if (kept_.empty() || rng_.below(3) != 0) return;
    thrown_away_.emplace_back(node_.block, kept_.back());
    kept_.pop_back();
  }

  fabric::SwitchConfig config_;
  Node node_;
  std::vector<std::uint32_t> node_ports_;
  Random rng_;
  std::vector<core::Flit> queue_;  ///< that the node will send, the last first
  /// Credits that come back in the next cycle, by block, and those that the node still has.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> thrown_away_;
  std::vector<std::uint64_t> kept_;
  std::uint64_t sent_ = 0;
};

/// The channel between two ends, named as in Layout::name.
core::ChannelId channel(const topology::Graph& graph, const std::string& name) {
  const fabric::Layout layout(graph);
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c)
    if (layout.name(c) == name) return c;
  FAIL("no channel " << name);
  return 0;
}

/// What is reported of Figure 1 when a channel stops after some barriers.
std::string stopped(const std::string& name, bool reflect) {
  RunSpec spec = test::figure1().spec({"paper"});
  own<btin::Spec>(spec).reflect = reflect;
  spec.checkers = false;
  spec.barriers = 50;
  spec.stopped = {{channel(test::figure1().graph, name), 500}};
  const RunResult result = run_barriers(spec);
  CHECK((result.barriers.size() >= 3 && result.barriers.size() < 50));
  return test::breach_of(result);
}

TEST_CASE("a link that stops is named by the switch or node that misses its message",
          "[workload][hang]") {
  // The channel of switches 4 and 1, that of 1 and 5, and those of a member and of the root node.
  const std::tuple<const char*, const char*, bool> cases[] = {
      {"4:0 -> 1:2", "switch 1 has not taken the reduction message", true},
      {"1:3 -> 5:0", "switch 5 has not taken the distribution message", true},
      {"n18 -> 6:2", "switch 6 has not taken the reduction message", false},
      {"6:2 -> n18", "switch 6 sent a distribution message", false},
      {"3:4 -> n8", "switch 3 waits for root node 3:4", false},
      {"n8 -> 3:4", "switch 3 has not taken the distribution message", false}};
  for (const auto& [channel, report, any_root] : cases)
    for (const bool reflect : {false, true})
      if (!reflect || any_root)
        CHECK_THAT(stopped(channel, reflect), Contains(report) && Contains(channel));
}

/// Data alone on a mesh, and no checkers.
RunSpec stopping(std::uint64_t min_cycles) {
  static const test::Subject subject(topology::generate_mesh(3, 3));
  RunSpec spec = subject.spec({});
  spec.load_flits = 0.3;
  spec.min_cycles = min_cycles;
  spec.checkers = false;
  return spec;
}

TEST_CASE("data that makes no progress is reported, without any group", "[workload][hang]") {
  RunSpec spec = stopping(100'000);
  // No credit comes back to any switch or node.
  for (core::ChannelId c = 0; c < 2 * (spec.graph->links().size() + 9); ++c)
    spec.stopped.push_back({c, 200, false, true});
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains("nothing has moved") && Contains("switch"));
  CHECK(result.cycles < 5000);
}

TEST_CASE("a network that does not empty is reported", "[workload][hang]") {
  RunSpec spec = stopping(1000);
  spec.stopped = {{4, 900, false, true}};  // no credits for a link
  CHECK_THAT(test::breach_of(spec), Contains("not empty"));
}

/// docs/systems/guard.md, "Isolation from a hostile node", on networks.
constexpr std::uint64_t kAttack = 4000;  ///< cycles

/// Golden switches that guard themselves, with a hostile node at one of them or none.
class GuardedEngine : public fabric::BankFactory {
 public:
  GuardedEngine(const test::Subject& subject, std::optional<HostileBank::Node> node)
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
    btin::Variant variant = btin::variant(config);
    variant.guard = true;
    guarded.variant = btin::values(variant);
    auto inside = golden_->make_switches(guarded, blocks, options);
    if (!node_) return inside;
    return std::make_unique<HostileBank>(std::move(inside), guarded, *node_, node_ports_);
  }

 private:
  std::shared_ptr<const fabric::BankFactory> golden_;
  std::optional<HostileBank::Node> node_;
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
  own<btin::Spec>(spec).reflect = reflect;
  return spec;
}

TEST_CASE("a node that sends whatever it likes stops no barrier of others, and none for long",
          "[workload][guard]") {
  const auto& graph = test::figure1().graph;
  const std::uint64_t seed = muster_seed();
  const bool reflect = GENERATE(false, true);
  RunSpec spec = victims(test::figure1(), seed, reflect);
  spec.engine = std::make_shared<GuardedEngine>(test::figure1(), std::nullopt);
  const RunResult alone = run_barriers(spec);
  REQUIRE(alone.barriers.size() == 2 * spec.barriers);
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const bool member = std::ranges::any_of(
        spec.groups, [&](const auto& group) { return std::ranges::count(group.members, n) != 0; });
    if (member) continue;
    CAPTURE(reflect, n);
    const topology::PortRef at = graph.node(n).at;
    spec.engine = std::make_shared<GuardedEngine>(
        test::figure1(), HostileBank::Node{n, at.sw, at.port, graph.nodes(), graph.destinations(),
                                           2, seed + n, kAttack});
    const RunResult result = run_barriers(spec);
    CHECK(result.barriers.size() == 2 * spec.barriers);
    // At each output of a way up and down the tree two flits of data, and for each other register a
    // message and two more flits.
    const std::uint64_t outputs = 2 * 4, others = spec.config->regs - 1;
    CHECK(result.latency_max <= alone.latency_max + outputs * (2 + 3 * others));
    // What it has left in the network does not end; nothing else is wrong.
    for (const std::string& violation : result.violations)
      CHECK_THAT(violation, Contains("the network is not empty"));
  }
}

}  // namespace
}  // namespace muster::run
