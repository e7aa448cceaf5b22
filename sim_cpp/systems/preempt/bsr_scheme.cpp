// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_scheme.hpp"

#include "run/groups.hpp"
#include "run/waits.hpp"
#include "systems/preempt/bsr_lifecycle.hpp"
#include "systems/preempt/checkers/bsr_bound.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kMaxEntries = 16;

/// W of docs/systems/preempting-switches.md; none if the switches do not cut data, or not those
/// that stand.
std::optional<std::uint32_t> hop_wait(const fabric::SwitchConfig& config) {
  if (config.kind != &kBsr1 && config.kind != &kBsr2) return std::nullopt;
  if (config.vcs == 1) return registers::kWaitSingle;
  return config.kind == &kBsr1 ? registers::kWaitAny : registers::kWaitOne;
}

/// Cycles of a hop of a later message, besides its link.
std::uint32_t hop_besides_link(const fabric::SwitchConfig& config) {
  const std::uint32_t flits = BsrFormat(fabric::formats(config)).flits(2);
  return (config.kind == &kBsr3 ? registers::kHopThree : registers::kHop) + flits;
}

/// The nodes: a member sends a first message to the center's switch, later ones to its own, and is
/// released by a distribution message of its switch. The host has written the entries of the
/// members' switches; all others are made and removed by messages. Links that die are the
/// lifecycle's business.
class BsrScheme : public run::Scheme {
 public:
  BsrScheme(const std::vector<BsrTree>& trees, const run::SchemeParts& parts)
      : Scheme(parts.members),
        trees_(trees),
        network_(parts.network),
        spec_(parts.spec),
        graph_(*parts.spec.graph),
        config_(parts.config),
        format_(fabric::formats(parts.config)),
        traffic_(trees.size(), parts.spec.barriers, parts.network.layout(), graph_.nodes(),
                 parts.config, *parts.spec.routes) {
    for (const BsrTree& tree : trees) places_.emplace_back(tree.members);
    if (const Spec* policy = run::find_own<Spec>(parts.spec)) set_policy(*policy, parts.spec.seed);
    load_tables();
    if (parts.spec.killed.empty()) return;
    lifecycle_ = std::make_unique<BsrLifecycle>(parts, trees, traffic_);
    traffic_.follow(lifecycle_->routes());
  }

  void arrive(std::uint64_t, std::uint32_t group, std::uint32_t member) override {
    const BsrTree& tree = trees_[group];
    const topology::NodeId node = tree.members[member];
    const std::uint32_t own = graph_.nodes() + graph_.node(node).at.sw;
    BsrMessage message{.gid = group, .destination = own, .source = node};
    if (members_.released_from(group, member) == 0) {
      message.type = BsrType::kFirst;
      message.source = message.new_node = own;
      message.destination = graph_.nodes() + tree.center_switch;
    }
    const auto flits = preempt::bsr_flits(message, 0, format_);
    network_.endpoints().send_message(node,
                                      std::span(flits).first(bsr_length(message.type, format_)));
  }

  void receive_message(std::uint64_t cycle, std::uint32_t node,
                       std::span<const core::Flit> flits) override {
    const BsrMessage message = preempt::bsr_message(flits, format_);
    const bool known = message.gid < places_.size();
    const std::uint32_t member = known ? places_[message.gid][node] : topology::Places::kNone;
    if (member != topology::Places::kNone && message.refused)
      throw InternalError(
          "cycle {}, node {}: group '{}' is refused, because a status table on the route was full",
          cycle, node, spec_.groups[message.gid].name);
    if (member == topology::Places::kNone || message.type != BsrType::kDistribution ||
        !members_.waits(message.gid, member))
      return Scheme::receive_message(cycle, node, flits);
    members_.released(cycle, message.gid, member);
  }
  bool holds(std::uint32_t group, std::uint32_t, std::uint32_t barrier) const override {
    return lifecycle_ && lifecycle_->holds(group, barrier);
  }
  run::Lifecycle* lifecycle() override { return lifecycle_.get(); }
  const topology::Routes* routes() const override {
    return lifecycle_ ? &lifecycle_->routes() : nullptr;
  }
  void check_with(checkers::CheckerList& checkers) override {
    if (!lifecycle_) return;
    checkers.find<checkers::BsrMessages>()->allow(lifecycle_->older());
    checkers.find<checkers::BsrBound>()->allow(lifecycle_->older());
  }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override {
    const BsrTree& tree = trees_[group];
    const std::string center = topology::node_number_text(graph_, tree.center);
    std::string text =
        run::stalled_text(spec_, members_, group, tree.members, ", center " + center) +
        links_text();
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s)
      if (tree.switches[s].bsr_node)
        text += fmt::format("\n  {}: {}", topology::switch_text(graph_, s),
                            network_.switches().describe(s));
    return text;
  }

  void fill(run::RunResult& result) const override {
    auto& cost = run::own<Cost>(result);
    cost.preemptions = traffic_.preemptions();
    cost.padding_flits = traffic_.pads();
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s)
      cost.longest_hop_wait = std::max<std::uint64_t>(
          cost.longest_hop_wait, network_.switches().read_register(s, registers::kLongestWait));
    cost.hop_wait_bound = hop_wait(config_);
    cost.data_channels = config_.vcs;
    cost.buffer_flits = fabric::barrier_buffers(config_) * format_.flits(3);
    cost.model = traffic_.model();
    cost.detours = traffic_.detours();
    if (lifecycle_) cost.changes = lifecycle_->changes();
    const std::uint32_t latency = run::longest_latency(graph_);
    const std::uint32_t hop = spec_.profile.pipe + hop_besides_link(config_);
    for (const BsrTree& tree : trees_)
      cost.theorem_2.push_back(2 * (latency + hop) * (tree.height + 1));
    if (cost.hop_wait_bound && cost.longest_hop_wait > *cost.hop_wait_bound)
      result.violations.push_back(
          fmt::format("a barrier message has waited {} cycles for data at a hop, the bound is {}",
                      cost.longest_hop_wait, *cost.hop_wait_bound));
  }

 private:
  void set_policy(const preempt::Spec& policy, std::uint64_t seed) {
    core::Bank& switches = network_.switches();
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s) {
      switches.write_register(s, registers::kPolicy,
                              (policy.random ? registers::kPolicyRandom.mask() : 0) |
                                  (policy.padding ? 0 : registers::kPolicyUnpadded.mask()));
      switches.write_register(s, registers::kTimes,
                              registers::times(policy.idle, policy.gap, policy.longest));
      // Each switch draws for itself.
      switches.write_register(s, registers::kLfsr,
                              static_cast<std::uint32_t>(Rng(seed, s).below(0x10000)));
    }
  }

  void load_tables() {
    core::Bank& switches = network_.switches();
    std::vector<std::uint32_t> used(graph_.switches(), 0);
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s)
      switches.write_register(s, registers::kAddress, graph_.nodes() + s);
    for (std::uint32_t g = 0; g < trees_.size(); ++g) {
      const BsrTree& tree = trees_[g];
      for (topology::SwitchId s = 0; s < graph_.switches(); ++s) {
        if (tree.switches[s].locals == 0) continue;
        const std::uint32_t e = used[s]++;
        const bool center = s == tree.center_switch;
        const auto count = static_cast<std::uint32_t>(center ? tree.members.size() : 0);
        switches.write_register(s, registers::entry(e, registers::kEntriesLocals),
                                tree.switches[s].locals);
        switches.write_register(s, registers::entry(e), registers::entry_word(g, center, count));
      }
    }
  }

  /// Links that do not take the next message, those that are to blame first.
  std::string links_text() const {
    constexpr std::size_t kMost = 8;
    const fabric::Layout& layout = network_.layout();
    std::string text;
    for (const run::StoppedChannel& s : spec_.stopped)
      if (s.cycle <= network_.engine().cycle())
        text += fmt::format("\n  {}: stopped since cycle {}", layout.name(s.channel), s.cycle);
    const auto waiting = traffic_.unreturned();
    for (std::size_t i = 0; i < std::min(waiting.size(), kMost); ++i)
      text +=
          fmt::format("\n  {}: no room since cycle {}, when a message went to the barrier buffer",
                      layout.name(waiting[i].second), waiting[i].first);
    if (waiting.size() > kMost)
      text += fmt::format("\n  and {} more links without room", waiting.size() - kMost);
    return text;
  }

  const std::vector<BsrTree>& trees_;
  fabric::Network& network_;
  const run::RunSpec& spec_;
  const topology::Graph& graph_;
  fabric::SwitchConfig config_;
  BsrFormat format_;
  std::vector<topology::Places> places_;  ///< by group
  BsrTraffic traffic_;
  std::unique_ptr<BsrLifecycle> lifecycle_;  ///< nullptr if no link dies
};

/// For each group the tree that the messages of the first barrier must find.
class BsrPlan : public run::SchemePlan {
 public:
  BsrPlan(const run::ResolvedRun& run, const fabric::SwitchKind& kind)
      : spec_(run.spec), choice_(run::own<Spec>(run.spec)), kind_(kind) {
    const run::RunSpec& spec = run.spec;
    if (spec.own_barrier_vc)
      throw InputError(
          "--barrier-vc own: scheme '{}' lets barrier messages preempt the channels of data",
          spec.scheme);
    if (spec.groups.size() > 1u << kBsrGidWidth)
      throw InputError("--group: scheme '{}' has 256 group identifiers; name fewer groups",
                       spec.scheme);
    std::vector<std::uint32_t> used(spec.graph->switches(), 0);
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      trees_.push_back(build_bsr_tree(*spec.graph, *spec.routes, spec.groups[g].members,
                                      run::center_of(spec, g)));
      const BsrTree& tree = trees_.back();
      for (topology::SwitchId s = 0; s < used.size(); ++s) used[s] += tree.switches[s].in_tree;
      packet_flits_ += 2 * preempt::kBsrFlits * tree.members.size();
    }
    // A packet may stand behind a cut.
    if (!trees_.empty()) packet_flits_ += choice_.longest + preempt::kBsrFlits;
    const auto busiest = std::max_element(used.begin(), used.end());
    entries_ = *busiest;
    if (entries_ > kMaxEntries)
      throw InputError(
          "{} is on the routes of {} groups, but a status table has at most {} entries; use "
          "fewer simultaneous groups",
          topology::switch_text(*spec.graph,
                                static_cast<topology::SwitchId>(busiest - used.begin())),
          entries_, kMaxEntries);
  }

  const fabric::SwitchKind& switch_kind() const override { return kind_; }
  void require(fabric::Requirement& need, const run::Available&) const override {
    need.regs = entries_;
    need.dests = spec_.graph->destinations();
    need.variant[kSparesVariant] = choice_.spares;
    if (choice_.message_flits == 0) return;
    const std::uint32_t bits = kBsrFlits * BsrFormat({fabric::kMaxFlitWidth, 8, need.dests}).word;
    need.flit_w = (bits + choice_.message_flits - 1) / choice_.message_flits;
  }
  /// Of a barrier after the first, if each message takes its deterministic route.
  std::uint32_t hops(std::uint32_t group) const override { return trees_[group].hops(); }
  std::uint32_t hop_cycles(const fabric::SwitchConfig& config) const override {
    return 1 + hop_besides_link(config);
  }
  run::PlanTimes times(const fabric::SwitchConfig& config) const override {
    run::PlanTimes times{.packet_flits = packet_flits_};
    if (const auto wait = hop_wait(config)) times.hop = {*wait, choice_.gap};
    return times;
  }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<checkers::BsrGroups>();
    checked->own_messages = true;
    checked->trees = trees_;
    return checked;
  }
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& /*result*/) const override {
    return add_bsr_rows(rows, spec_, config, trees_);
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<BsrScheme>(trees_, parts);
  }

 private:
  const run::RunSpec& spec_;
  Spec choice_;
  const fabric::SwitchKind& kind_;
  std::vector<BsrTree> trees_;  ///< by group
  std::uint32_t entries_ = 0;
  std::uint64_t packet_flits_ = 0;
};
}  // namespace

std::unique_ptr<run::SchemePlan> plan_bsr(const run::ResolvedRun& run,
                                          const fabric::SwitchKind& kind) {
  return std::make_unique<BsrPlan>(run, kind);
}

}  // namespace muster::preempt
