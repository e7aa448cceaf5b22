// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_hosts.hpp"
#include "systems/nic/nic_plan.hpp"
#include "systems/nic/step_list.hpp"
#include "topology/places.hpp"

namespace muster::nic {

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
               std::span<const core::CreditEvent> credits) override;
  std::uint64_t sent(NicType type) const { return sent_[static_cast<std::size_t>(type)]; }

 private:
  struct Passing {
    bool nic = false;
    std::uint32_t flits = 0;
    std::array<core::Flit, nic::kNicFlits> flit;
  };
  std::size_t channels_;
  std::uint32_t first_node_channel_, vcs_;
  std::vector<Passing> passing_;
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
  std::array<std::uint64_t, 5> sent_{};
};

}  // namespace muster::nic

namespace muster::checkers {
class NicBarriers;
}

namespace muster::nic {

/// What does not depend on whether NIC or host walks the step lists: the barrier of each member,
/// and who is told of it.
class StepScheme : public run::Scheme {
 public:
  StepScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void check_with(checkers::CheckerList& checkers) override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override;

 protected:
  const NicPlan& plan() const { return plan_; }
  const std::vector<Step>& list(std::uint32_t group, std::uint32_t member) const {
    return plan_.groups()[group].lists[member];
  }
  /// That the member waits for or goes to next.
  std::uint32_t barrier(std::uint32_t group, std::uint32_t member) const {
    return barriers_[group][member];
  }
  /// True if the member is released at once: it waits for no other.
  bool arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  /// Packets of the run by type, messages planned.
  NicCost cost() const;

 private:
  /// What is known of the barrier at this node, for a member that is not released.
  virtual std::string describe(std::uint32_t group, std::uint32_t member) const = 0;

  const NicPlan& plan_;
  NicTraffic traffic_;
  checkers::NicBarriers* checker_ = nullptr;
  std::vector<std::vector<std::uint32_t>> barriers_;  ///< by group and member
  std::vector<std::uint32_t> known_;  ///< by group: barriers from which a member has been released
};

/// The programs of hosts with NICs. With `collective` and `direct` they ring a doorbell when they
/// arrive and are told when the barrier is complete; with `host` they walk the list.
class NicScheme : public StepScheme, private run::Hosts, private run::FaultHandler {
 public:
  NicScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  run::Hosts& hosts() override { return *this; }
  run::FaultHandler& fault_handler() override { return *this; }
  void fill(run::RunResult& result) const override;

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    hosts_.step(cycle, [&](std::uint32_t node, std::uint32_t word) { event(cycle, node, word); });
  }
  bool looks_into_blocks() const override { return true; }
  bool idle() const override { return hosts_.idle(); }
  // run::FaultHandler
  /// Its contexts are cleared: a NIC whose peer is alive and waits itself would ask for ever.
  void abandon(std::uint64_t cycle, std::uint32_t group) override;

  struct ServedMember {
    std::uint32_t group, member;
  };
  std::string describe(std::uint32_t group, std::uint32_t member) const override;
  void load(std::uint32_t group, std::uint32_t member);
  void connect(topology::NodeId node, topology::NodeId peer);
  void event(std::uint64_t cycle, std::uint32_t node, std::uint32_t word);
  void received(std::uint64_t cycle, std::uint32_t node, std::uint32_t word);
  void send(std::uint64_t cycle, topology::NodeId node, topology::NodeId peer, std::uint32_t word);
  void walk(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const;

  const run::RunSpec& spec_;
  NicSpec choice_;
  NicBank& nics_;
  const NicPorts& ports_;
  nic::NicHosts hosts_;
  std::uint32_t timeout_;
  std::vector<std::vector<ListWalk>> walks_;          ///< by group and member, of hosts that walk
  std::vector<std::vector<ServedMember>> at_;         ///< by node and context
  std::vector<std::vector<topology::NodeId>> peers_;  ///< by node and connection
  std::vector<nic::SendTokens> tokens_;               ///< by node
};

/// Programs that walk the step lists by remote writes (docs/systems/nic-link.md, Remote writes): a
/// STEP goes from the endpoint of one node to that of another, past all NICs, and nothing
/// acknowledges it. So the network must lose nothing.
class RdmaScheme : public StepScheme, private run::Hosts {
 public:
  RdmaScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  run::Hosts& hosts() override { return *this; }
  void fill(run::RunResult& result) const override;

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override;
  bool idle() const override { return pending_ == 0; }

  struct Due {
    std::uint64_t cycle;
    NicMessage message;
  };
  struct Host {
    std::uint64_t free = 0;  ///< cycle from which on the program has time
    std::deque<Due> sends, events;
  };
  std::string describe(std::uint32_t group, std::uint32_t member) const override;
  void walk(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void received(std::uint64_t cycle, const NicMessage& message);
  void take_events(std::uint64_t cycle, std::uint32_t node);

  fabric::Network& network_;
  bool losses_;             ///< links may end packets
  std::uint32_t overhead_;  ///< of the program for each message that it sends or takes
  std::uint32_t step_;      ///< of the program before each of its sends
  std::vector<std::vector<ListWalk>> walks_;  ///< by group and member
  std::vector<topology::Places> places_;      ///< by group
  std::vector<Host> hosts_;                   ///< by node
  std::uint64_t pending_ = 0, sent_ = 0, received_ = 0;
};

}  // namespace muster::nic
