// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/run.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/nic/nic_ports.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::nic {

/// By NicType.
inline constexpr const char* kNicTypeNames[] = {"STEP", "NACK", "NOT-YET", "ACK", "DATA"};

/// Queues that a packet passes in the NICs at both ends (docs/systems/nic-link.md, Queue passes).
inline constexpr std::uint32_t kStepPasses = 2, kMostDataPasses = 6, kAckPasses = 2;

/// The programs walk the step lists.
constexpr bool walked_by_hosts(NicLevel level) {
  return level == NicLevel::kHost || level == NicLevel::kRdma;
}
/// Messages are DATA, with ACKs.
constexpr bool point_to_point(NicLevel level) {
  return level == NicLevel::kHost || level == NicLevel::kDirect;
}

/// A group of NIC barriers as planned.
struct NicPlannedGroup : checkers::NicGroup {
  std::vector<std::uint32_t> contexts;  ///< by member: at its NIC
};

/// Barriers of the network interfaces (docs/systems/nic-engine.md), by one of three algorithms.
class NicPlan : public run::SchemePlan {
 public:
  /// Throws InputError for options without effect here and groups that do not fit a NIC.
  NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm);

  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  /// Of the head of a packet, as of any (docs/systems/barrier-switch.md).
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return 4; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }
  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  /// On the ways between members and their peers.
  std::vector<topology::PortRef> ports(std::uint32_t group,
                                       const topology::Routes& routes) const override;
  std::unique_ptr<const run::CheckedGroups> checked() const override;
  fabric::NodeDevices node_devices(const fabric::SwitchConfig& config) const override;
  std::string node_block(const fabric::SwitchConfig& config) const override;
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

  const run::RunSpec& run() const { return run_; }
  const std::vector<NicPlannedGroup>& groups() const { return groups_; }
  /// Entries that the longest list needs.
  std::uint32_t list_entries() const { return entries_; }

 private:
  NicConfig needed(const fabric::SwitchConfig& config) const;
  /// By node: whose STEPs a doorbell of the sender sets off.
  std::vector<std::vector<NicSender>> launched() const;

  const run::RunSpec& run_;
  NicSpec spec_;
  std::vector<NicPlannedGroup> groups_;
  std::vector<std::uint32_t> hops_;
  std::uint64_t packet_flits_ = 0;
  std::uint32_t contexts_ = 1, conns_ = 1, entries_ = 2;
};

inline constexpr const char* kBroadcastScheme = "nic-broadcast";

/// A barrier by hardware broadcast, whose NICs have no step lists (docs/systems/nic-link.md).
/// Throws InputError for the choices of those that have.
std::unique_ptr<run::SchemePlan> plan_broadcast(const run::ResolvedRun& run);

/// T of the run's NICs, cycles. If the run does not say: in which the answer to a message should
/// have come, whatever else is under way in a network without much data.
std::uint32_t nic_timeout(const run::RunSpec& spec);

}  // namespace muster::nic
