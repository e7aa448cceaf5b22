// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "muster/core/rng.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_ports.hpp"
#include "systems/nic/step_list.hpp"

namespace muster::testing {

/// A group on a NicBench: NIC n is node n.
struct NicGroup {
  std::vector<std::uint32_t> nodes;  ///< ascending
  std::vector<std::vector<nic::Step>> lists;
  nic::ListForm form = nic::ListForm::kList;
  bool direct = false;
  std::uint32_t first_sequence = 0;
};

/// How the world around the NICs behaves.
struct NicMix {
  nic::FaultRates faults;
  std::uint32_t latency = 3;  ///< cycles of a packet in the network
  double credit = 1.0;        ///< chance in a cycle that a credit owed returns
  double gap = 0.0;           ///< chance that no flit comes in a cycle that could have one
  double ready = 1.0;         ///< chance that the host takes an event
  std::uint32_t work = 0;     ///< a member works 0..work cycles between two barriers
  std::uint32_t timeout = 200, retries = 15, nack_gap = 0, quiet = 1;
};

/// All nodes' NICs of a bank, their hosts, and a network that is a box of packets, faulty at
/// request. Members run through barriers; a release before all have arrived throws. With an event
/// unit (docs/systems/nic-events.md) the form of all groups is chained, without it none's.
class NicBench {
 public:
  NicBench(nic::NicBank& bank, const nic::NicConfig& config, std::vector<NicGroup> groups,
           const NicMix& mix, std::uint64_t seed);

  /// Runs until every member has left `barriers` barriers. False if that takes more than `limit`
  /// cycles.
  bool run(std::uint32_t barriers, std::uint64_t limit);
  void step();
  /// Nothing is under way, every NIC is quiescent.
  bool quiet() const;

  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t packets() const { return packets_; }  ///< put into the network
  nic::FaultCounts faults() const;
  /// Events of kinds that no run has, dead peers above all.
  const std::vector<std::uint32_t>& odd_events() const { return odd_; }
  std::uint32_t left(std::uint32_t group, std::uint32_t rank) const {
    return groups_[group].members[rank].left;
  }

 private:
  struct Member {
    std::uint32_t context = 0;
    std::uint32_t begun = 0, left = 0;
    std::uint64_t arrives = 0;
  };
  struct Group {
    NicGroup plan;
    std::vector<Member> members;
  };
  struct Node {
    std::vector<core::Flit> leaving, coming;
    std::size_t next = 0;    ///< flit of `coming`
    std::uint32_t owed = 0;  ///< credits
    std::vector<nic::PacketFaults> link;
    std::deque<std::pair<std::uint64_t, std::vector<core::Flit>>> network;
  };
  void load(const nic::NicConfig& config);
  void connect(std::uint32_t a, std::uint32_t b);
  void drive(std::uint32_t n);
  void host(std::uint32_t n);
  void event(std::uint32_t n, std::uint32_t word);

  nic::NicBank& bank_;
  NicMix mix_;
  Rng rng_;
  std::vector<Group> groups_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> contexts_;  ///< group, rank
  std::vector<std::vector<std::uint32_t>> peers_;                               ///< by connection
  std::vector<std::uint32_t> all_;
  std::vector<std::uint32_t> odd_;
  std::uint32_t barriers_ = 0;
  std::uint32_t mask_;
  std::uint64_t cycle_ = 0, packets_ = 0;
};

}  // namespace muster::testing
