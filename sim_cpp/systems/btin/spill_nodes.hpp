// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "muster/fabric/barrier_registers.hpp"
#include "muster/fabric/endpoints.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/run/result.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/tree.hpp"

namespace muster::btin {

/// A message that a spill node has its switch send through a port.
struct SpillAnswer {
  std::uint32_t port = 0;
  fabric::BarrierMessage message;
};

/// A group at a switch, kept in a node because no barrier register was free: the fields of BTIN
/// Figure 4 and the rules of a register (docs/systems/barrier-switch.md, rule 4), but that what it
/// has to send is handed out at once; so no port is ever "still to serve".
class SpillRegister {
 public:
  SpillRegister(const RegisterImage& image, unsigned data_width);

  /// A message of the group that has come in at a port of the switch, valid only once commit() has
  /// been called. Appends what it makes the switch send, by port. False if the message changes
  /// nothing: it came at a wrong port or out of phase.
  bool take(std::uint32_t port, const fabric::BarrierMessage& message,
            std::vector<SpillAnswer>& answers);
  void commit() { committed_ = true; }
  bool committed() const { return committed_; }
  /// No barrier is under way here.
  bool at_rest() const { return arrived_ == 0 && !sent_; }
  /// It has been used, by name or by a message that was taken, since it was asked last.
  bool take_use() { return std::exchange(used_, false); }
  void use() { used_ = true; }
  std::uint16_t arrived() const { return arrived_; }  ///< ports

 private:
  bool combine(std::uint32_t port, const fabric::BarrierMessage& message,
               std::vector<SpillAnswer>& answers);
  void distribute(const fabric::Payload& data, std::vector<SpillAnswer>& answers);

  RegisterImage image_;
  unsigned width_;  ///< bits of the data
  bool committed_ = false, used_ = false;
  bool sent_ = false;  ///< the reduction message, the distribution is awaited
  std::uint16_t arrived_ = 0;
  fabric::Payload up_;
};

/// The spill nodes of a network: the memory that groups live in at switches without a free
/// register, and the software that serves them (docs/systems/groups.md, "Spill").
class SpillNodes {
 public:
  /// The references outlive this.
  SpillNodes(const topology::Graph& graph, const fabric::HomeNodes& homes,
             fabric::EndpointBank& nodes, fabric::Formats formats);

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
  /// Messages that changed nothing: half of one, of an unknown group, or not taken by its group.
  std::uint64_t dropped() const { return dropped_; }

  /// Takes half of a message from a switch, on the wires into the node; false if it is none.
  bool take(std::uint32_t node, const fabric::BarrierMessage& half);

 private:
  struct Node {
    std::optional<fabric::SpillPlace> place;  ///< of a message whose data are still to come
    bool used = false;                        ///< some group here
  };
  using Key = std::pair<topology::SwitchId, std::uint32_t>;  ///< switch, group

  void message(std::uint32_t node, std::uint32_t port, const fabric::BarrierMessage& message);

  const topology::Graph& graph_;
  const fabric::HomeNodes& homes_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  std::vector<Node> nodes_;
  std::map<Key, SpillRegister> registers_;
  std::vector<SpillAnswer> answers_;  ///< of the message at hand
  std::uint64_t handed_over_ = 0, answered_ = 0, dropped_ = 0;
};

/// What spill has cost a run whose barriers are in `result`. REQUIRES: `groups.spilled` is set.
SpillCost spill_cost(const run::RunResult& result, const Result& groups, const SpillNodes& spill);

}  // namespace muster::btin
