// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/nic/host/nic_hosts.hpp"
#include "systems/nic/host/send_tokens.hpp"
#include "systems/nic/scheme/list_walk.hpp"
#include "systems/nic/scheme/step_scheme.hpp"

namespace muster::nic {

/// The programs of hosts with NICs. With `collective` and `direct` they ring a doorbell when they
/// arrive and are told when the barrier is complete; with `host` they walk the list.
class NicScheme : public StepScheme, public nic::HostProgram {
 public:
  NicScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void before_cycle(std::uint64_t cycle) override { hosts_.step(cycle, *this); }
  bool looks_into_blocks() const override { return true; }
  bool idle() const override { return hosts_.idle(); }
  /// Its contexts are cleared: a NIC whose peer is alive and waits itself would ask for ever.
  void abandon(std::uint64_t cycle, std::uint32_t group) override;
  void event(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) override;
  void fill(run::RunResult& result) const override;

 private:
  struct ServedMember {
    std::uint32_t group, member;
  };
  std::string describe(std::uint32_t group, std::uint32_t member) const override;
  void load(std::uint32_t group, std::uint32_t member);
  void connect(topology::NodeId node, topology::NodeId peer);
  void received(std::uint64_t cycle, std::uint32_t node, std::uint32_t word);
  void send(std::uint64_t cycle, topology::NodeId node, topology::NodeId peer, std::uint32_t word);
  void walk(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void dead(std::uint64_t cycle, std::uint32_t node, std::uint32_t word) const;

  const run::RunSpec& spec_;
  NicSpec choice_;
  NicHandles handles_;
  nic::NicHosts hosts_;
  std::uint32_t timeout_;
  std::vector<std::vector<ListWalk>> walks_;          ///< by group and member, of hosts that walk
  std::vector<std::vector<ServedMember>> at_;         ///< by node and context
  std::vector<std::vector<topology::NodeId>> peers_;  ///< by node and connection
  std::vector<nic::SendTokens> tokens_;               ///< by node
};

}  // namespace muster::nic
