// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "muster/run/plan.hpp"
#include "systems/btin/tree/register_plan.hpp"
#include "systems/nic/scheme/broadcast_traffic.hpp"

namespace muster::nic {

/// NICs and hosts of a barrier by hardware broadcast (docs/systems/nic-broadcast.md). The root's
/// NIC asks all others whether their hosts have arrived, until the switches' combined answer says
/// that none is missing, and then releases them.
class BroadcastScheme : public run::Scheme {
 public:
  /// Loads the barrier registers. Throws InputError as btin::plan_registers does.
  BroadcastScheme(std::span<const btin::PlannedGroup> groups, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  void before_cycle(std::uint64_t cycle) override;
  bool idle() const override { return due_.empty(); }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(const run::Members& members, std::uint32_t group) const override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  enum class What : std::uint8_t { kDoorbell, kAsk, kSet, kEvent };
  /// What happens at a cycle; of those of one cycle the one that was decided first.
  using Due = std::tuple<std::uint64_t, std::uint64_t, What, std::uint32_t, std::uint32_t>;
  struct Member {
    bool there = false;      ///< its NIC knows that its host has arrived
    std::uint32_t left = 0;  ///< barriers that its NIC has been released from
  };
  struct Group {
    std::uint32_t root = 0;  ///< member
    std::vector<topology::NodeId> nodes;
    std::vector<std::uint32_t> member_of;  ///< by node, or kNone
    std::vector<Member> members;
    std::optional<bool> missing;  ///< the root's NIC: all have answered, and one of them so
    bool asked = false;           ///< that was the answer to a question, not to a release
    std::uint64_t questions = 0;
  };
  void at(std::uint64_t cycle, What what, std::uint32_t group, std::uint32_t member);
  void happen(std::uint64_t cycle, What what, std::uint32_t group, std::uint32_t member);
  void decide(std::uint64_t cycle, std::uint32_t group);
  void send(topology::NodeId node, fabric::MessageType type, std::uint32_t group, bool missing);
  void load_registers(std::span<const btin::PlannedGroup> groups, const run::SchemeParts& parts);

  const run::RunSpec& spec_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  run::ReleaseListener& listener_;
  std::vector<Group> groups_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t decided_ = 0;  ///< events put into due_ so far
  bool begun_ = false;
  BroadcastTraffic traffic_;
};

}  // namespace muster::nic
