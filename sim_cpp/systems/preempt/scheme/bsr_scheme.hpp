// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "muster/run/plan.hpp"
#include "muster/run/resolve.hpp"
#include "muster/systems/preempt.hpp"
#include "systems/preempt/links/bsr_lifecycle.hpp"
#include "systems/preempt/scheme/bsr_traffic.hpp"
#include "systems/preempt/scheme/bsr_tree.hpp"

namespace muster::preempt {

/// A group that the first barrier's messages make a tree of (docs/systems/bsr-tree.md), and the
/// tree that they must find.
struct BsrGroup {
  std::string name;
  BsrTree tree;
};

/// Barriers that build their own tree, on one of the three preempting switches.
class BsrPlan : public run::SchemePlan {
 public:
  /// Throws InputError for options that the scheme has not, and if a switch is on the ways of more
  /// groups than a status table has entries.
  BsrPlan(const run::ResolvedRun& run, const fabric::SwitchKind& kind);

  const fabric::SwitchKind& switch_kind() const override { return kind_; }
  bool names_switches() const override { return true; }
  void require_registers(fabric::Requirement& need, std::uint32_t) const override {
    need.regs = entries_;
  }
  /// Of a barrier after the first, if each message takes its deterministic route.
  std::uint32_t hops(std::uint32_t group) const override { return groups_[group].tree.hops(); }
  std::uint32_t hop_cycles(const fabric::SwitchConfig& config) const override;
  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  core::Parts checked() const override;
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                            const run::RunResult& result) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  const run::RunSpec& spec_;
  Spec choice_;
  const fabric::SwitchKind& kind_;
  std::vector<BsrGroup> groups_;
  std::uint32_t entries_ = 0;
  std::uint64_t packet_flits_ = 0;
};

/// The nodes: a member sends a first message to the center's switch, later ones to its own, and is
/// released by a distribution message of its switch. The host has written the entries of the
/// members' switches; all others are made and removed by messages. Links that die are the
/// lifecycle's business.
class BsrScheme : public run::Scheme {
 public:
  BsrScheme(const std::vector<BsrGroup>& groups, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_message(std::uint64_t cycle, std::uint32_t node,
                       std::span<const core::Flit> flits) override;
  bool holds(std::uint32_t group, std::uint32_t, std::uint32_t barrier) const override {
    return lifecycle_ && lifecycle_->holds(group, barrier);
  }
  run::Lifecycle* lifecycle() override { return lifecycle_.get(); }
  const topology::Routes* routes() const override {
    return lifecycle_ ? &lifecycle_->routes() : nullptr;
  }
  void check_with(checkers::CheckerList& checkers) override;
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(const run::Members& members, std::uint32_t group) const override;
  void fill(run::RunResult& result) const override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Member {
    std::uint32_t barrier = 0;  ///< that it waits for or goes to next
    bool waiting = false;
  };
  struct Group {
    std::vector<Member> members;
    std::vector<std::uint32_t> member_of;  ///< by node, kNone if it is no member
  };
  void set_policy(const preempt::Spec& policy, std::uint64_t seed);
  void load_tables();
  std::string links_text() const;

  const std::vector<BsrGroup>& planned_;
  fabric::Network& network_;
  const topology::Graph& graph_;
  fabric::SwitchConfig config_;
  std::uint32_t pipe_;  ///< cycles in every channel
  const std::vector<run::StoppedChannel>& stopped_;
  run::ReleaseListener& listener_;
  std::vector<Group> groups_;
  BsrTraffic traffic_;
  std::unique_ptr<BsrLifecycle> lifecycle_;  ///< nullptr if no link dies
};

}  // namespace muster::preempt
