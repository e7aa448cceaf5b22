// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "muster/fabric/endpoints.hpp"
#include "muster/fabric/home_nodes.hpp"
#include "systems/btin/groups/spill_register.hpp"

namespace muster::btin {

/// The spill nodes of a network: the memory that groups live in at switches without a free
/// register, and the software that serves them (docs/systems/groups.md, "Spill"). Takes the spill
/// messages out of what comes for the nodes and passes everything else on.
class SpillNodes : public fabric::SyncClient {
 public:
  /// The references outlive this.
  SpillNodes(const topology::Graph& graph, const fabric::HomeNodes& homes,
             fabric::EndpointBank& nodes, fabric::Formats formats);
  /// REQUIRES: before the first cycle.
  void set_next(fabric::SyncClient& next) { next_ = &next; }

  /// By switch, the mask of its spill port.
  std::span<const std::uint16_t> ports() const { return homes_.home_ports; }
  /// The switch has a spill node.
  bool serves(topology::SwitchId sw) const { return homes_.home_ports[sw] != 0; }
  topology::NodeId node_of(topology::SwitchId sw) const { return homes_.node[sw]; }

  /// The steps of a group's lifecycle at a switch. REQUIRES: serves(image.sw); for all but
  /// reserve() that it has been reserved.
  void reserve(const RegisterImage& image);
  void commit(topology::SwitchId sw, std::uint32_t gid);
  void forget(topology::SwitchId sw, std::uint32_t gid);
  /// A group that has been alive in a register; this is no use of it.
  void take_in(const RegisterImage& image);
  /// Other words for a group that is alive here. REQUIRES: no barrier of it is under way.
  void rewrite(const RegisterImage& image);

  /// A group at a switch, or null.
  const SpillRegister* find(topology::SwitchId sw, std::uint32_t gid) const;
  /// Groups have been used at the switch since take_used().
  bool any_used(topology::SwitchId sw) const { return nodes_[node_of(sw)].used; }
  /// The groups alive here that have been used since the last call, by identifier.
  std::vector<std::uint32_t> take_used(topology::SwitchId sw);
  /// Groups that are reserved or alive, all switches together.
  std::size_t held() const { return registers_.size(); }

  std::uint64_t handed_over() const { return handed_over_; }  ///< messages from switches
  std::uint64_t answered() const { return answered_; }        ///< messages to switches
  /// Messages that changed nothing, by port of the switch where they came in.
  std::uint32_t drops(topology::SwitchId sw, std::uint32_t port, SpillOutcome reason) const {
    return nodes_[node_of(sw)].drops[port][static_cast<std::size_t>(reason)];
  }
  std::uint64_t dropped() const;  ///< all together

  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    next_->receive_packet(cycle, node, flits);
  }
  void clock(std::uint64_t cycle) override { next_->clock(cycle); }

 private:
  struct Node {
    std::optional<fabric::SpillPlace> place;  ///< of a message whose data are still to come
    std::array<std::array<std::uint32_t, 5>, topology::kMaxPorts> drops{};
    bool used = false;  ///< some group here
  };
  using Key = std::pair<topology::SwitchId, std::uint32_t>;  ///< switch, group

  void count(std::uint32_t node, std::uint32_t port, SpillOutcome reason) {
    ++nodes_[node].drops[port][static_cast<std::size_t>(reason)];
  }
  void message(std::uint32_t node, std::uint32_t port, const fabric::BarrierMessage& message);

  const topology::Graph& graph_;
  const fabric::HomeNodes& homes_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  fabric::SyncClient* next_ = nullptr;
  std::vector<Node> nodes_;
  std::map<Key, SpillRegister> registers_;
  std::vector<SpillAnswer> answers_;  ///< of the message at hand
  std::uint64_t handed_over_ = 0, answered_ = 0;
};

}  // namespace muster::btin
