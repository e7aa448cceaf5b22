// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "muster/run/resolve.hpp"
#include "muster/systems/nic.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/nic/blocks/nic_config.hpp"
#include "systems/nic/host/nic_hosts.hpp"
#include "systems/nic/host/nic_ports.hpp"
#include "systems/nic/host/send_tokens.hpp"
#include "systems/nic/scheme/nic_traffic.hpp"
#include "systems/nic/scheme/step_list.hpp"

namespace muster::checkers {
class NicBarriers;
}

namespace muster::nic {

/// Queues that a packet passes in the NICs at both ends (docs/systems/nic-link.md, Queue passes).
inline constexpr std::uint32_t kStepPasses = 2, kDataPasses = 6, kAckPasses = 2;

/// A group of NIC barriers as planned.
struct NicPlannedGroup {
  std::string name;
  std::vector<topology::NodeId> members;  ///< ascending
  std::vector<std::vector<Step>> lists;   ///< by member
  std::vector<std::uint32_t> contexts;    ///< by member: at its NIC
};

/// Barriers of the network interfaces (docs/systems/nic-engine.md), by one of three algorithms.
class NicPlan : public run::SchemePlan {
 public:
  /// Throws InputError for options that mean nothing here and groups that do not fit a NIC.
  NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm);

  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  /// Of the head of a packet, as of any (docs/systems/barrier-switch.md).
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return 4; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }
  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  /// On the ways between members and their peers.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override;
  core::Parts checked() const override;
  fabric::NodeDevices node_devices(const fabric::SwitchConfig& config) const override;
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

  const std::vector<NicPlannedGroup>& groups() const { return groups_; }
  /// Entries that the longest list needs.
  std::uint32_t list_entries() const { return entries_; }

 private:
  NicConfig needed(const fabric::SwitchConfig& config) const;

  const run::RunSpec& run_;
  NicSpec spec_;
  std::vector<NicPlannedGroup> groups_;
  std::vector<std::uint32_t> hops_;
  std::uint64_t packet_flits_ = 0;
  std::uint32_t contexts_ = 1, conns_ = 1, entries_ = 2;
};

/// T of the run's NICs, cycles. If the run does not say: in which the answer to a message should
/// have come, whatever else is under way in a network without much data.
std::uint32_t nic_timeout(const run::RunSpec& spec);

/// The programs of the hosts. With `collective` and `direct` they ring a doorbell when they arrive
/// and are told when the barrier is complete; with `host` they walk the list.
class NicScheme : public run::Scheme, public nic::HostProgram {
 public:
  NicScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void before_cycle(std::uint64_t cycle) override { hosts_.step(cycle, *this); }
  bool idle() const override { return hosts_.idle(); }
  /// Its contexts are cleared: a NIC whose peer is alive and waits itself would ask for ever.
  void abandon(std::uint64_t cycle, std::uint32_t group) override;
  void check_with(checkers::CheckerList& checkers) override;
  void event(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(const run::Members& members, std::uint32_t group) const override;
  void fill(run::RunResult& result) const override;

 private:
  struct Member {
    std::uint32_t barrier = 0;  ///< that it waits for or goes to next
    // Of a host that walks the list.
    bool walking = false;
    std::uint32_t step = 0;
    std::vector<bool> received, early;
  };
  struct ServedMember {
    std::uint32_t group, member;
  };
  void load(std::uint32_t group, std::uint32_t member);
  void connect(topology::NodeId node, topology::NodeId peer);
  void received(std::uint64_t cycle, std::uint32_t node, std::uint32_t word);
  void send(std::uint64_t cycle, topology::NodeId node, topology::NodeId peer, std::uint32_t word);
  void walk(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const;

  const NicPlan& plan_;
  const run::RunSpec& spec_;
  NicSpec choice_;
  NicHandles handles_;
  run::ReleaseListener& listener_;
  nic::NicHosts hosts_;
  std::uint32_t timeout_;
  std::vector<std::vector<Member>> members_;  ///< by group
  std::vector<std::uint32_t> known_;  ///< by group: barriers that somebody has been released from
  std::vector<std::vector<ServedMember>> at_;         ///< by node and context
  std::vector<std::vector<topology::NodeId>> peers_;  ///< by node and connection
  std::vector<nic::SendTokens> tokens_;               ///< by node
  NicTraffic traffic_;
  checkers::NicBarriers* checker_ = nullptr;
};

}  // namespace muster::nic
