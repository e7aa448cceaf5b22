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

#include "muster/fabric/formats.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/scheme.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/tree.hpp"
#include "topology/places.hpp"

namespace muster::nic {

/// The messages of barriers by hardware broadcast, groups numbered as their identifiers: questions,
/// answers, the release and what acknowledges it, all of the barrier that the root is at.
class BroadcastTraffic : public run::BarrierTraffic {
 public:
  BroadcastTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
                   fabric::Formats formats)
      : run::BarrierTraffic(groups, barriers),
        formats_(formats),
        channels_(channels),
        begun_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync() || event.channel >= channels_) continue;
      const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
      if (message.gid >= begun_.size() || begun_[message.gid] == 0) continue;
      const bool down = message.type == fabric::MessageType::kDistribution;
      count(cycle, message.gid, begun_[message.gid] - 1, down && (message.data.lo & 1) == 0);
    }
  }
  /// The last barrier's messages have all arrived, or there was none.
  void next(std::uint32_t group) { ++begun_[group]; }

 private:
  fabric::Formats formats_;
  std::size_t channels_;              ///< those behind a delay pipe are not counted again
  std::vector<std::uint32_t> begun_;  ///< by group
};

inline constexpr const char* kBroadcastScheme = "nic-broadcast";

/// A barrier by hardware broadcast, as Quadrics' library has it (docs/systems/nic-broadcast.md).
/// Switches that broadcast what a root sends and combine what comes back are barrier switches, each
/// group with a tree of registers as any of `btin`.
class BroadcastPlan : public btin::BtinPlan {
 public:
  /// Throws InputError for the choices of NICs with step lists.
  explicit BroadcastPlan(const run::ResolvedRun& run);

  run::PlanTimes times(const fabric::SwitchConfig& config) const override;
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

 private:
  const run::RunSpec& spec_;
};

/// NICs and hosts of a barrier by hardware broadcast (docs/systems/nic-broadcast.md). The root's
/// NIC asks all others whether their hosts have arrived, until the switches' combined answer says
/// that none is missing, and then releases them.
class BroadcastScheme : public run::Scheme, private run::Hosts {
 public:
  /// Loads the barrier registers. Throws InputError as btin::plan_registers does.
  BroadcastScheme(std::span<const btin::PlannedGroup> groups, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  run::Hosts& hosts() override { return *this; }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t group) const override;

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override;
  bool idle() const override { return due_.empty(); }

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
    topology::Places places;
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
  std::vector<Group> groups_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t decided_ = 0;  ///< events put into due_ so far
  bool begun_ = false;
  BroadcastTraffic traffic_;
};

}  // namespace muster::nic
