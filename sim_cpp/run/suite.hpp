// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/checkers/bounded_waits.hpp"
#include "fabric/checkers/conservation.hpp"
#include "fabric/checkers/credits.hpp"
#include "fabric/checkers/delivery.hpp"
#include "fabric/checkers/fair_service.hpp"
#include "fabric/checkers/packets.hpp"
#include "fabric/checkers/register_packets.hpp"
#include "fabric/checkers/route_legality.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/checkers/spill_messages.hpp"
#include "systems/btin/tree/register_plan.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/packets/checkers/packet_barriers.hpp"
#include "systems/packets/checkers/packet_trees.hpp"
#include "systems/packets/checkers/worms.hpp"
#include "systems/preempt/checkers/bsr_bound.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::checkers {

/// What the barrier checkers must know of a planned group.
Group group_of(const btin::PlannedGroup& planned);

/// The groups of a run, each as its scheme synchronizes it.
struct Groups {
  std::vector<Group> trees;                   ///< by barrier messages along a tree
  std::vector<PacketGroup> packets;           ///< by packets between members and a root node
  std::vector<BsrGroup> bsr;                  ///< by messages that build their own tree
  std::vector<NicGroup> nics = {};            ///< by step lists of their NICs
  std::vector<PacketTree> packet_trees = {};  ///< by packets along a tree of members
};

/// All checkers, as one observer of a network: the first breach ends the run with InternalError.
class CheckerSuite : public core::Observer {
 public:
  CheckerSuite(const Subject& subject, const Groups& groups, const Bounds& bounds = {});

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  void finish(std::uint64_t cycle, bool drained) override;

  /// See BarrierSafety::regroup.
  void regroup(std::uint64_t cycle, const Group& group, std::uint64_t first) {
    barriers_.regroup(cycle, group, first);
  }

  struct Total {
    const char* name;
    std::uint64_t checks;  ///< passed
  };
  std::vector<Total> totals() const;  ///< one for each checker
  std::uint64_t checks() const;       ///< of all of them

  NicBarriers& nic_barriers() { return nic_barriers_; }
  const Delivery& delivery() const { return delivery_; }
  const BarrierSafety& barriers() const { return barriers_; }
  const BoundedWaits& waits() const { return waits_; }
  const BsrBound& bsr_bound() const { return bsr_bound_; }

 private:
  bool is_worm(const core::FlitEvent& event) const { return event.flit.vc == worm_channel_; }
  core::CreditEvent without_worms(core::CreditEvent event) const {
    if (worm_channel_ != kNoWorms)
      event.credits &= static_cast<std::uint8_t>(~(1u << worm_channel_));
    return event;
  }
  void before_pipe(std::uint64_t cycle, const core::FlitEvent& event);

  // In the order in which they see a flit: the later ones rely on what the earlier ones reject.
  Packets packets_;
  Credits credits_;
  RouteLegality routes_;
  Conservation conservation_;
  Delivery delivery_;
  BarrierSafety barriers_;
  SpillMessages spill_;
  BsrMessages bsr_;  ///< instead of the two before it where switches preempt
  BsrBound bsr_bound_;
  PacketBarriers packet_barriers_;
  NicBarriers nic_barriers_;
  PacketTrees packet_trees_;  ///< instead, if there are such groups
  RegisterPackets register_packets_;
  FairService fairness_;
  BoundedWaits waits_;
  Worms worms_;
  Credits pipe_credits_;  ///< behind the pipes
  core::ChannelId channels_;
  bool pipes_, preempts_, trees_;
  std::uint8_t worm_channel_;
};

}  // namespace muster::checkers
