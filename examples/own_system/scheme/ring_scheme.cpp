// SPDX-License-Identifier: Apache-2.0
#include "scheme/ring_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <muster/core/error.hpp>
#include <string>
#include <vector>

#include "checkers/ring_checker.hpp"
#include "golden/ring_switch.hpp"
#include "ring.hpp"

namespace token_ring {

using namespace muster;
using fabric::MessageType;

namespace {

/// The messages on the links by barrier: each channel carries one of a phase for each barrier.
class RingTraffic final : public run::BarrierTraffic {
 public:
  RingTraffic(std::uint32_t barriers, std::size_t channels, fabric::Formats formats)
      : BarrierTraffic(1, barriers), formats_(formats), seen_(channels) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const auto& [channel, flit] : flits) {
      if (!flit.sync() || channel >= seen_.size()) continue;
      const bool releases = formats_.barrier_message(flit).type == MessageType::kDistribution;
      count(cycle, 0, releases ? seen_[channel].releases++ : seen_[channel].arrivals++, releases);
    }
  }

 private:
  struct Seen {
    std::uint32_t arrivals = 0, releases = 0;
  };
  fabric::Formats formats_;
  std::vector<Seen> seen_;  ///< by channel
};

/// Members send a message when they arrive and go on with the message that releases them; the
/// switches do the rest.
class RingScheme final : public run::Scheme {
 public:
  /// Loads the registers of all switches.
  RingScheme(const Ring& ring, const run::SchemeParts& parts)
      : Scheme(parts.members),
        ring_(ring),
        network_(parts.network),
        formats_(parts.formats()),
        traffic_(parts.spec.barriers, parts.network.channels(), parts.formats()) {
    core::Bank& switches = network_.switches();
    for (const Ring::Stop& stop : ring.stops) {
      switches.write_register(stop.sw, kMembers, stop.members);
      const bool home = &stop == &ring.stops.front();
      switches.write_register(stop.sw, kControl, control_word(home, stop.previous, stop.next));
    }
  }

  void arrive(std::uint64_t, std::uint32_t group, std::uint32_t member) override {
    const core::Flit flit = formats_.barrier_flit({MessageType::kReduction, group, {}}, 0);
    network_.endpoints().send_sync(ring_.members[member], flit);
  }

  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const auto at = std::lower_bound(ring_.members.begin(), ring_.members.end(), node);
    if (at == ring_.members.end() || *at != node ||
        formats_.barrier_message(flit).type != MessageType::kDistribution)
      throw InternalError(fmt::format("cycle {}, node {}: unexpected message", cycle, node));
    members_.released(cycle, 0, static_cast<std::uint32_t>(at - ring_.members.begin()));
  }

  run::BarrierTraffic& traffic() override { return traffic_; }

  /// Whose message has not come to its switch.
  std::string explain(std::uint32_t) const override {
    std::string text = "the token waits for:";
    for (const topology::NodeId n : ring_.members) {
      const topology::PortRef at = network_.graph().node(n).at;
      if ((network_.switches().read_register(at.sw, kProgress) >> at.port & 1) == 0)
        text += " " + topology::node_name(network_.graph(), n);
    }
    return text;
  }

 private:
  const Ring& ring_;
  fabric::Network& network_;
  fabric::Formats formats_;
  RingTraffic traffic_;
};

class RingPlan final : public run::SchemePlan {
 public:
  explicit RingPlan(const run::RunSpec& spec) {
    if (spec.groups.size() != 1)
      throw InputError("scheme token-ring: it serves one group; give one --group");
    if (spec.load_flits > 0.0)
      throw InputError("scheme token-ring: it carries no data; leave --load out");
    ring_ = plan_ring(*spec.graph, spec.groups[0].members);
  }

  const fabric::SwitchKind& switch_kind() const override { return kRingSwitch; }
  void require(fabric::Requirement& need, const run::Available&) const override { need.regs = 1; }

  /// Every member's message and release, and the token twice around.
  std::uint32_t hops(std::uint32_t) const override {
    return static_cast<std::uint32_t>(2 * (ring_.members.size() + ring_.stops.size()));
  }

  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<CheckedRing>();
    checked->ring = ring_;
    checked->own_messages = true;
    return checked;
  }

  std::string describe() const override {
    return fmt::format("token        around {} switches, home is switch {}\n", ring_.stops.size(),
                       ring_.stops.front().sw);
  }

  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<RingScheme>(ring_, parts);
  }

 private:
  Ring ring_;
};

}  // namespace

std::unique_ptr<run::SchemePlan> plan_scheme(const run::ResolvedRun& run) {
  return std::make_unique<RingPlan>(run.spec);
}

}  // namespace token_ring
