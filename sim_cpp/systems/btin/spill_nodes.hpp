// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/endpoints.hpp"
#include "muster/run/result.hpp"
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
  SpillRegister(const RegisterImage& image, unsigned data_width)
      : image_(image), width_(data_width), up_(fabric::neutral(image.op, data_width)) {}

  /// A message of the group that has come in at a port of the switch, valid only once commit() has
  /// been called. Appends what it makes the switch send, by port. False if the message changes
  /// nothing: it came at a wrong port or out of phase.
  bool take(std::uint32_t port, const fabric::BarrierMessage& message,
            std::vector<SpillAnswer>& answers) {
    const bool taken = combine(port, message, answers);
    used_ |= taken;
    return taken;
  }
  void commit() { committed_ = true; }
  bool committed() const { return committed_; }
  /// No barrier is under way here.
  bool at_rest() const { return arrived_ == 0 && !sent_; }
  /// It has been used, by name or by a message that was taken, since it was asked last.
  bool take_use() { return std::exchange(used_, false); }
  void use() { used_ = true; }
  core::PortMask arrived() const { return arrived_; }  ///< ports

 private:
  bool combine(std::uint32_t port, const fabric::BarrierMessage& message,
               std::vector<SpillAnswer>& answers) {
    if (message.type == MessageType::kDistribution) {
      if (image_.reflect || port != image_.parent_port || !sent_) return false;
      distribute(message.data, answers);
      return true;
    }
    const core::PortMask bit = core::port_bit(port);
    if ((image_.child_mask & bit) == 0 || (arrived_ & bit) != 0) return false;
    arrived_ |= bit;
    up_ = fabric::reduce(image_.op, up_, message.data, width_);
    if (arrived_ != image_.child_mask) return true;
    if (image_.reflect) {
      distribute(up_, answers);
    } else {
      sent_ = true;
      answers.push_back({image_.parent_port, {MessageType::kReduction, image_.gid, up_}});
    }
    return true;
  }
  /// `data` may be up_.
  void distribute(const fabric::Payload& data, std::vector<SpillAnswer>& answers) {
    core::for_each_bit(image_.child_mask, [&](std::uint32_t port) {
      answers.push_back({port, {MessageType::kDistribution, image_.gid, data}});
    });
    arrived_ = 0;
    sent_ = false;
    up_ = fabric::neutral(image_.op, width_);
  }

  RegisterImage image_;
  unsigned width_;  ///< bits of the data
  bool committed_ = false, used_ = false;
  bool sent_ = false;  ///< the reduction message, the distribution is awaited
  core::PortMask arrived_ = 0;
  fabric::Payload up_;
};

/// The spill nodes of a network: the memory that groups live in at switches without a free
/// register, and the software that serves them (docs/systems/groups.md, "Spill").
class SpillNodes {
 public:
  /// The references outlive this.
  SpillNodes(const topology::Graph& graph, const fabric::HomeNodes& homes,
             fabric::EndpointBank& nodes, fabric::Formats formats)
      : graph_(graph), homes_(homes), endpoints_(nodes), formats_(formats), nodes_(graph.nodes()) {}

  /// By switch, the mask of its spill port.
  std::span<const core::PortMask> ports() const { return homes_.home_ports; }
  /// The switch has a spill node.
  bool serves(topology::SwitchId sw) const { return homes_.home_ports[sw] != 0; }
  topology::NodeId node_of(topology::SwitchId sw) const { return homes_.node[sw]; }

  /// The steps of a group's lifecycle at a switch. REQUIRES: serves(image.sw); for all but
  /// reserve() that it has been reserved.
  void reserve(const RegisterImage& image) {
    if (!serves(image.sw) ||
        !registers_.try_emplace({image.sw, image.gid}, image, formats_.data_width()).second)
      throw InternalError("switch {}: group {} cannot be spilled there, or is", image.sw,
                          image.gid);
  }
  void commit(topology::SwitchId sw, std::uint32_t gid) {
    SpillRegister& held = registers_.at({sw, gid});
    held.commit();
    held.use();
    nodes_[node_of(sw)].used = true;
  }
  void forget(topology::SwitchId sw, std::uint32_t gid) {
    if (registers_.erase({sw, gid}) == 0)
      throw InternalError("switch {}: group {} is not spilled there", sw, gid);
  }
  /// A group that has been alive in a register; this is no use of it.
  void take_in(const RegisterImage& image) {
    reserve(image);
    registers_.at({image.sw, image.gid}).commit();
  }
  /// Other words for a group that is alive here. REQUIRES: no barrier of it is under way.
  void rewrite(const RegisterImage& image) {
    SpillRegister& held = registers_.at({image.sw, image.gid});
    if (!held.at_rest())
      throw InternalError("switch {}: spilled group {} is changed in the middle of a barrier",
                          image.sw, image.gid);
    held = SpillRegister(image, formats_.data_width());
    held.commit();
  }

  /// A group at a switch, or null.
  const SpillRegister* find(topology::SwitchId sw, std::uint32_t gid) const {
    const auto found = registers_.find({sw, gid});
    return found == registers_.end() ? nullptr : &found->second;
  }
  /// Groups have been used at the switch since take_used().
  bool any_used(topology::SwitchId sw) const { return nodes_[node_of(sw)].used; }
  /// The groups alive here that have been used since the last call, by identifier.
  std::vector<std::uint32_t> take_used(topology::SwitchId sw) {
    nodes_[node_of(sw)].used = false;
    std::vector<std::uint32_t> used;
    for (auto at = registers_.lower_bound({sw, 0}); at != registers_.end() && at->first.first == sw;
         ++at)
      if (at->second.committed() && at->second.take_use()) used.push_back(at->first.second);
    return used;
  }
  /// Groups that are reserved or alive, all switches together.
  std::size_t held() const { return registers_.size(); }

  /// Messages so far; dropped are those that changed nothing: half of one, of an unknown group, or
  /// not taken by its group.
  const SpillCost& cost() const { return cost_; }

  /// Takes half of a message from a switch, on the wires into the node; false if it is none.
  bool take(std::uint32_t node, const fabric::BarrierMessage& half) {
    if (half.type <= MessageType::kDistribution) return false;
    std::optional<fabric::SpillPlace>& place = nodes_[node].place;
    if (half.type == MessageType::kSpillPlace) {
      cost_.dropped += place.has_value();
      place = fabric::spill_place(half);
    } else if (!place) {
      ++cost_.dropped;
    } else {
      message(node, place->port, {place->type, half.gid, half.data});
      place.reset();
    }
    return true;
  }

 private:
  struct Node {
    std::optional<fabric::SpillPlace> place;  ///< of a message whose data are still to come
    bool used = false;                        ///< some group here
  };
  using Key = std::pair<topology::SwitchId, std::uint32_t>;  ///< switch, group

  void message(std::uint32_t node, std::uint32_t port, const fabric::BarrierMessage& message) {
    ++cost_.handed_over;
    const auto found = registers_.find({graph_.node(node).at.sw, message.gid});
    answers_.clear();
    if (found == registers_.end() || !found->second.committed() ||
        !found->second.take(port, message, answers_)) {
      ++cost_.dropped;
      return;
    }
    nodes_[node].used = true;
    for (const SpillAnswer& answer : answers_) {
      ++cost_.answered;
      BarrierMessage data = answer.message;
      data.type = MessageType::kSpillData;
      const BarrierMessage place = fabric::spill_place(answer.message, answer.port);
      endpoints_.send_sync(node, formats_.barrier_flit(place, 0));
      endpoints_.send_sync(node, formats_.barrier_flit(data, 0));
    }
  }

  const topology::Graph& graph_;
  const fabric::HomeNodes& homes_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  std::vector<Node> nodes_;
  std::map<Key, SpillRegister> registers_;
  std::vector<SpillAnswer> answers_;  ///< of the message at hand
  SpillCost cost_;
};

/// What spill has cost a run whose barriers are in `result`. REQUIRES: `groups.spilled` is set.
inline SpillCost spill_cost(const run::RunResult& result, const Result& groups,
                            const SpillNodes& spill) {
  SpillCost cost = spill.cost();
  for (const run::BarrierRecord& barrier : result.barriers) {
    const bool spilled = groups.spilled_in(barrier.group, barrier.number) != 0;
    ++(spilled ? cost.spilled_barriers : cost.other_barriers);
    (spilled ? cost.spilled_latency_mean : cost.other_latency_mean) +=
        static_cast<double>(barrier.latency_cycles);
  }
  if (cost.spilled_barriers != 0)
    cost.spilled_latency_mean /= static_cast<double>(cost.spilled_barriers);
  if (cost.other_barriers != 0) cost.other_latency_mean /= static_cast<double>(cost.other_barriers);
  return cost;
}

}  // namespace muster::btin
