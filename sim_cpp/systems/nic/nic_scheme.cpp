// SPDX-License-Identifier: Apache-2.0
#include "run/groups.hpp"
#include "systems/nic/nic_hosts.hpp"
#include "systems/nic/nic_plan.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::nic {

namespace {

/// The packets of NICs, groups numbered as their identifiers. A STEP or DATA counts as a message of
/// its barrier on each channel; by type each packet is counted where its NIC sends it.
class NicTraffic : public run::BarrierTraffic {
 public:
  /// `channels`: of the layout. `first_node_channel`: into the switch of node 0; that of node n is
  /// 2 n further.
  NicTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
             std::uint32_t first_node_channel, std::uint32_t vcs)
      : run::BarrierTraffic(groups, barriers),
        channels_(channels),
        first_node_channel_(first_node_channel),
        vcs_(vcs),
        passing_(channels * vcs),
        newest_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (event.flit.sync() || event.channel >= channels_) continue;
      const auto packet = passing_[event.channel * vcs_ + event.flit.vc].add(event.flit);
      if (!packet) continue;
      const auto message = nic_message(*packet);
      if (!message || message->group >= newest_.size()) continue;  // the checkers' business
      const bool leaves =
          event.channel >= first_node_channel_ && (event.channel - first_node_channel_) % 2 == 0;
      if (leaves) ++sent_[static_cast<std::size_t>(message->type)];
      if (message->type != NicType::kStep && message->type != NicType::kData) continue;
      std::uint64_t& newest = newest_[message->group];
      const std::uint64_t barrier = nearest_barrier(newest, message->barrier);
      newest = std::max(newest, barrier);
      count(cycle, message->group, static_cast<std::uint32_t>(barrier), false);
    }
  }
  std::uint64_t sent(NicType type) const { return sent_[static_cast<std::size_t>(type)]; }

 private:
  std::size_t channels_;
  std::uint32_t first_node_channel_, vcs_;
  std::vector<NicAssembly> passing_;
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
  std::array<std::uint64_t, 5> sent_{};
};

/// What does not depend on whether NIC or host walks the step lists: the barrier of each member,
/// and who is told of it.
class StepScheme : public run::Scheme {
 public:
  StepScheme(const NicPlan& plan, const run::SchemeParts& parts)
      : Scheme(parts.members),
        plan_(plan),
        traffic_(plan.groups().size(), parts.spec.barriers,
                 parts.network.layout().channels().size(), parts.network.layout().into_switch(0),
                 parts.config.vcs) {
    for (const NicPlannedGroup& group : plan.groups()) {
      places_.emplace_back(group.members);
      walks_.emplace_back();
      for (const auto& steps : group.lists) walks_.back().emplace_back(steps.size());
    }
  }

  void check_with(checkers::CheckerList& checkers) override {
    checker_ = checkers.find<checkers::NicBarriers>();
  }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t g) const override {
    const NicPlannedGroup& group = plan_.groups()[g];
    const std::uint32_t barrier = members_.current(g);
    std::string text = run::stalled_text(plan_.run(), members_, g, group.members, "");
    constexpr std::uint32_t kShown = 4;
    std::uint32_t shown = 0;
    for (std::uint32_t m = 0; m < group.members.size() && shown < kShown; ++m) {
      if (members_.released_from(g, m) > barrier) continue;
      text += "\n  " + describe(g, m);
      ++shown;
    }
    return text;
  }

 protected:
  const std::vector<Step>& list(std::uint32_t group, std::uint32_t member) const {
    return plan_.groups()[group].lists[member];
  }
  /// That the member waits for or goes to next.
  std::uint32_t barrier(std::uint32_t group, std::uint32_t member) const {
    return members_.released_from(group, member);
  }
  /// The program of a member that has arrived begins to walk its list.
  void begin_walk(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
    walks_[g][m].begin();
    walk(cycle, g, m);
  }
  /// Of a node in a group; Places::kNone if it is no member.
  std::uint32_t place(std::uint32_t group, topology::NodeId node) const {
    return group < places_.size() ? places_[group][node] : topology::Places::kNone;
  }
  /// A message of the barrier with this sequence number, for a program that walks the list.
  void received(std::uint64_t cycle, topology::NodeId node, std::uint32_t g, std::uint32_t slot,
                std::uint32_t number) {
    const std::uint32_t m = place(g, node);
    if (m == topology::Places::kNone ||
        !walks_[g][m].come(slot, static_cast<std::uint8_t>(number - barrier(g, m))))
      throw InternalError(
          "cycle {}, n{}: a message of barrier {} of group {} for step {}, which it is not at",
          cycle, node, number, g, slot);
    if (walks_[g][m].walking()) walk(cycle, g, m);
  }
  /// True if the member is released at once: it waits for no other.
  bool arrived(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
    if (checker_ != nullptr) checker_->arrived(cycle, g, m);
    if (!list(g, m).empty()) return false;
    release(cycle, g, m);
    return true;
  }
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    // The first to be released is the first to know that all have arrived.
    if (!members_.rounds(group)[barrier(group, member)].completed) members_.completed(cycle, group);
    if (checker_ != nullptr) checker_->released(cycle, group, member);
    members_.released(cycle, group, member);
  }

  /// Packets of the run by type, messages planned.
  NicCost cost() const {
    NicCost cost;
    cost.steps = traffic_.sent(NicType::kStep);
    cost.nacks = traffic_.sent(NicType::kNack);
    cost.not_yets = traffic_.sent(NicType::kNotYet);
    cost.acks = traffic_.sent(NicType::kAck);
    cost.data = traffic_.sent(NicType::kData);
    for (const NicPlannedGroup& group : plan_.groups())
      cost.messages_planned += messages(group.lists);
    return cost;
  }

  const NicPlan& plan_;
  std::vector<std::vector<ListWalk>> walks_;  ///< by group and member, of programs

 private:
  /// What is known of the barrier at this node, for a member that is not released.
  virtual std::string describe(std::uint32_t group, std::uint32_t member) const = 0;
  /// The program of a member sends the message of a step of its list.
  virtual void send(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
                    const Step& step) = 0;
  /// Sends up to the next message that has not come.
  void walk(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
    const bool done =
        walks_[g][m].go_on(list(g, m), [&](const Step& step) { send(cycle, g, m, step); });
    if (done) release(cycle, g, m);
  }

  NicTraffic traffic_;
  checkers::NicBarriers* checker_ = nullptr;
  std::vector<topology::Places> places_;  ///< by group
};

/// The programs of hosts with NICs. With `collective` and `direct` they ring a doorbell when they
/// arrive and are told when the barrier is complete; with `host` they walk the list.
class NicScheme : public StepScheme, private run::Hosts, private run::FaultHandler {
 public:
  NicScheme(const NicPlan& plan, const run::SchemeParts& parts)
      : StepScheme(plan, parts),
        spec_(parts.spec),
        choice_(run::own<NicSpec>(parts.spec)),
        nics_(core::to<NicBank>(parts.network.devices())),
        ports_(core::to<const NicPorts>(parts.network.node_ports())),
        hosts_(parts.network, nics_, parts.spec.profile),
        timeout_(choice_.form == ListForm::kChained ? 0 : nic_timeout(parts.spec)),
        at_(parts.spec.graph->nodes()),
        tokens_(parts.spec.graph->nodes()) {
    const std::uint32_t channel = spec_.own_barrier_vc ? parts.config.vcs - 1 : 0;
    for (topology::NodeId n = 0; n < at_.size(); ++n) {
      nics_.write_register(n, registers::kAddress, registers::address_word(n, channel));
      nics_.write_register(n, registers::kTimes,
                           registers::times_word(timeout_, choice_.retries, choice_.gap));
      if (choice_.level == NicLevel::kCollective) continue;
      std::uint32_t connection = 0;
      for (const topology::NodeId peer : plan.peers(n))
        nics_.write_register(n, registers::connection(connection++),
                             registers::connection_word(peer));
    }
    for (std::uint32_t g = 0; g < plan.groups().size(); ++g)
      for (std::uint32_t m = 0; m < plan.groups()[g].members.size(); ++m) load(g, m);
  }

  void arrive(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) override {
    const NicPlannedGroup& group = plan_.groups()[g];
    if (arrived(cycle, g, m)) return;
    if (choice_.level == NicLevel::kHost) {
      begin_walk(cycle, g, m);
    } else {
      hosts_.write(cycle, group.members[m], registers::doorbell(group.contexts[m]),
                   registers::kContextsDoorbellStarts.mask());
    }
  }

  run::Hosts& hosts() override { return *this; }
  run::FaultHandler& fault_handler() override { return *this; }
  void fill(run::RunResult& result) const override {
    NicCost cost = StepScheme::cost();
    cost.doorbells = hosts_.doorbells();
    cost.events = hosts_.events();
    cost.timeout = timeout_;
    std::uint64_t refused = 0;
    for (topology::NodeId n = 0; n < at_.size(); ++n) {
      const std::uint32_t drops = nics_.read_register(n, registers::kDrops);
      cost.malformed += registers::kDropsMalformed.of(drops);
      cost.unknown += registers::kDropsUnknown.of(drops);
      cost.stale += registers::kDropsStale.of(drops);
      cost.limited += registers::kDropsLimited.of(drops);
      refused += nics_.read_register(n, registers::kRefused);
    }
    if (refused != 0)
      result.violations.push_back(fmt::format("NICs have refused {} doorbells", refused));
    cost.faults = ports_.faults();
    run::own<NicCost>(result) = cost;
  }

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    hosts_.step(cycle, [&](std::uint32_t node, std::uint32_t word) { event(cycle, node, word); });
  }
  bool looks_into_blocks() const override { return true; }
  bool idle() const override { return hosts_.idle(); }
  // run::FaultHandler
  /// Its contexts are cleared: a NIC whose peer is alive and waits itself would ask for ever.
  void abandon(std::uint64_t cycle, std::uint32_t g) override {
    const NicPlannedGroup& group = plan_.groups()[g];
    for (std::size_t m = 0; m < group.members.size(); ++m)
      hosts_.write(cycle, group.members[m], registers::control(group.contexts[m]), 0);
  }

  struct ServedMember {
    std::uint32_t group, member;
  };
  std::string describe(std::uint32_t group, std::uint32_t member) const override {
    return nics_.describe(plan_.groups()[group].members[member]);
  }
  /// What a member's NIC must hold of a group.
  void load(std::uint32_t g, std::uint32_t m) {
    const NicPlannedGroup& group = plan_.groups()[g];
    const topology::NodeId node = group.members[m];
    const std::uint32_t context = group.contexts[m];
    at_[node].push_back({g, m});
    if (choice_.level == NicLevel::kHost) return;
    for (const auto& image :
         entry_images(group.lists, m, group.members, choice_.form, plan_.list_entries()))
      nics_.write_register(node, registers::entry(context, image.entry), image.word);
    nics_.write_register(node, registers::control(context),
                         registers::control_word(g, 0, choice_.level == NicLevel::kDirect));
  }

  void event(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) {
    switch (registers::event(word)) {
      case registers::Event::kDone: {
        const ServedMember at = at_[node].at(registers::event_context(word));
        release(cycle, at.group, at.member);
        return;
      }
      case registers::Event::kReceived:
        received(cycle, node, registers::event_group(word), registers::event_slot(word),
                 registers::event_barrier(word));
        return;
      case registers::Event::kSent:
        if (const auto next = tokens_[node].give_back(registers::event_slot(word)))
          hosts_.write(cycle, node, registers::kSend, *next, choice_.host_step);
        return;
      default:
        // In runs with deaths run::Deaths knows which groups have lost something; a group that has
        // lost nothing and still waits for ever is found by the watchdog.
        if (spec_.deaths.empty())
          throw InternalError("cycle {}, n{}: its NIC declares n{} dead: {}", cycle, node,
                              registers::event_peer(word), nics_.describe(node));
    }
  }

  void send(std::uint64_t cycle, std::uint32_t g, std::uint32_t m, const Step& step) override {
    const std::vector<topology::NodeId>& nodes = plan_.groups()[g].members;
    const topology::NodeId node = nodes[m], peer = nodes[step.peer];
    const auto connection = std::ranges::find(plan_.peers(node), peer) - plan_.peers(node).begin();
    const std::uint32_t word = registers::send_word(peer, step.peer_step, g, barrier(g, m) & 0xff);
    if (tokens_[node].take(static_cast<std::uint32_t>(connection), word))
      hosts_.write(cycle, node, registers::kSend, word, choice_.host_step);
  }

  const run::RunSpec& spec_;
  NicSpec choice_;
  NicBank& nics_;
  const NicPorts& ports_;
  NicHosts hosts_;
  std::uint32_t timeout_;
  std::vector<std::vector<ServedMember>> at_;  ///< by node and context
  std::vector<SendTokens> tokens_;             ///< by node
};

/// Programs that walk the step lists by remote writes (docs/systems/nic-link.md, Remote writes): a
/// STEP goes from the endpoint of one node to that of another, past all NICs, and nothing
/// acknowledges it. So the network must lose nothing.
class RdmaScheme : public StepScheme, private run::Hosts {
 public:
  RdmaScheme(const NicPlan& plan, const run::SchemeParts& parts)
      : StepScheme(plan, parts),
        network_(parts.network),
        losses_(!parts.spec.deaths.empty()),
        overhead_(parts.spec.profile.host),
        step_(run::own<NicSpec>(parts.spec).host_step),
        free_(parts.spec.graph->nodes(), 0) {}

  void arrive(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) override {
    if (arrived(cycle, g, m)) return;
    begin_walk(cycle, g, m);
  }
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    const auto message = nic_message(flits);
    if (losses_ && !message) return;
    if (!message || message->destination != node ||
        place(message->group, node) == topology::Places::kNone)
      return Scheme::receive_packet(cycle, node, flits);
    ++received_;
    const auto take = [this, m = *message](std::uint64_t now) {
      received(now, m.destination, m.group, m.slot, m.barrier);
    };
    if (const std::uint64_t due = busy(cycle, node, overhead_); due > cycle)
      due_.emplace(due, Due{node, take});
    else
      take(cycle);
  }
  run::Hosts& hosts() override { return *this; }
  void fill(run::RunResult& result) const override {
    NicCost cost = StepScheme::cost();
    cost.doorbells = sent_;
    cost.events = received_;
    run::own<NicCost>(result) = cost;
  }

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    std::erase_if(due_, [&](const auto& due) { return !network_.node_alive(due.second.node); });
    while (!due_.empty() && due_.begin()->first <= cycle)
      due_.extract(due_.begin()).mapped().happens(cycle);
  }

  bool idle() const override { return due_.empty(); }

  struct Due {
    std::uint32_t node;
    std::function<void(std::uint64_t now)> happens;
  };
  /// The program of a node works for so many cycles, as soon as it has time: until when.
  std::uint64_t busy(std::uint64_t cycle, std::uint32_t node, std::uint32_t cycles) {
    return free_[node] = std::max(free_[node], cycle) + cycles;
  }
  std::string describe(std::uint32_t g, std::uint32_t m) const override {
    const std::vector<topology::NodeId>& nodes = plan_.groups()[g].members;
    if (!walks_[g][m].walking()) return fmt::format("n{}: has not arrived", nodes[m]);
    const std::uint32_t step = walks_[g][m].step();
    return fmt::format("n{}: waits in step {} for n{}", nodes[m], step,
                       nodes[list(g, m)[step].peer]);
  }
  void send(std::uint64_t cycle, std::uint32_t g, std::uint32_t m, const Step& step) override {
    const std::vector<topology::NodeId>& nodes = plan_.groups()[g].members;
    const NicMessage message{.type = NicType::kStep,
                             .source = nodes[m],
                             .destination = nodes[step.peer],
                             .slot = static_cast<std::uint8_t>(step.peer_step),
                             .group = static_cast<std::uint8_t>(g),
                             .barrier = static_cast<std::uint8_t>(barrier(g, m))};
    // Programs decide in the cycle before: what they send is at the endpoint from the next one on.
    due_.emplace(
        busy(cycle, nodes[m], step_ + overhead_) + 1,
        Due{nodes[m], [this, message](std::uint64_t) {
              const auto flits = nic_flits(message, 0);
              network_.endpoints().send_packet(message.source, {flits.begin(), flits.end()});
              ++sent_;
            }});
  }

  fabric::Network& network_;
  bool losses_;                      ///< links may end packets
  std::uint32_t overhead_;           ///< of the program for each message that it sends or takes
  std::uint32_t step_;               ///< of the program before each of its sends
  std::vector<std::uint64_t> free_;  ///< cycle from which on the program has time, by node
  std::multimap<std::uint64_t, Due> due_;  ///< by cycle
  std::uint64_t sent_ = 0, received_ = 0;
};

}  // namespace

std::unique_ptr<run::Scheme> NicPlan::start(const run::SchemeParts& parts) const {
  if (spec_.level == NicLevel::kRdma) return std::make_unique<RdmaScheme>(*this, parts);
  return std::make_unique<NicScheme>(*this, parts);
}

}  // namespace muster::nic
