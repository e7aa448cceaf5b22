// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/plan.hpp"
#include "run/links/host_writes.hpp"
#include "systems/btin/tree.hpp"

namespace muster::btin {

/// What a group goes on with after a recovery (docs/reliability.md, A recovery, steps 4 and 5).
struct Regrouped {
  PlannedGroup planned;             ///< its tree, of those that are left
  std::vector<NodeId> lost;         ///< members that are no more, ascending
  std::vector<RegisterSlot> slots;  ///< registers of the new tree, root first
  std::string stopped;              ///< why it does not go on; empty if it does
};

class RetryScheme;

/// What it goes by. Times in cycles.
struct RecoveryLimits {
  std::uint32_t registers = 0;  ///< of a switch
  std::uint32_t periods = 0;    ///< word at 0x011
  std::uint64_t suspect = 0;    ///< between inquiries after a group
  std::uint64_t abort = 0;      ///< until members know of a failure
  std::uint64_t drain = 0;      ///< until no message of a stopped group is left
  std::uint64_t max_wait = 0;   ///< --max-wait of the run; 0 if not given
};

/// The manager of the network, for the groups of a RetryScheme, which is its hosts: it sees suspect
/// registers, asks who is missing, and lets the survivors go on (docs/reliability.md, Recovery). It
/// knows what registers and interrupts say, and whether a block answers.
class Recovery {
 public:
  /// `groups` and `registers` are those in force and are kept so. All references outlive this.
  Recovery(fabric::Network& network, std::vector<PlannedGroup>& groups, RegisterPlan& registers,
           const RecoveryLimits& limits, RetryScheme& hosts);
  /// Packets are held, or go again: as long as they are, registers do not repeat, or a switch with
  /// one under way would never be quiescent.
  void hold(bool held);
  /// Before every cycle.
  void step(std::uint64_t cycle);
  /// The switch has been reset in this cycle: registers there are lost.
  void reset(std::uint64_t cycle, SwitchId sw);
  /// The group is waited for no more: its registers are cleared, and it stops for good.
  void give_up(std::uint32_t group);
  /// None is under way, and all words are written.
  bool idle() const { return under_way_ == 0 && writes_.done(); }
  std::span<const run::Casualties::Recovery> results() const { return results_; }
  std::uint64_t inquiries() const { return inquiries_; }  ///< so far

 private:
  enum class Step : std::uint8_t { kNone, kAborting, kStopping, kDraining, kWriting, kOver };
  struct Course {
    Step step = Step::kNone;
    std::uint64_t until = 0;    ///< of the step
    std::uint64_t inquire = 0;  ///< not before this cycle
    std::uint8_t epoch = 0;
    Regrouped next = {};     ///< while kWriting
    std::size_t result = 0;  ///< of results_
  };
  void look(std::uint64_t cycle);
  void inquire(std::uint64_t cycle, std::uint32_t group);
  void begin(std::uint64_t cycle, std::uint32_t group);
  void stop(std::uint32_t group);
  void plan(std::uint32_t group);
  void go_on(std::uint64_t cycle, std::uint32_t group);
  void advance(std::uint64_t cycle, std::uint32_t group);
  template <class F>
  void for_registers(std::uint32_t group, F&& f) const;

  fabric::Network& network_;
  std::vector<PlannedGroup>& groups_;
  RegisterPlan& registers_;
  RecoveryLimits limits_;
  RetryScheme& hosts_;
  run::SwitchWrites writes_, periods_;  ///< these go first
  std::vector<Course> courses_;         ///< by group
  std::uint32_t under_way_ = 0;         ///< of them
  std::uint64_t inquiries_ = 0;
  std::vector<run::Casualties::Recovery> results_;
};

}  // namespace muster::btin
