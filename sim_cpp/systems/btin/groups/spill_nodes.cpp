// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/spill_nodes.hpp"

#include "muster/core/error.hpp"

namespace muster::btin {

using fabric::BarrierMessage;
using fabric::MessageType;

SpillNodes::SpillNodes(const topology::Graph& graph, const fabric::HomeNodes& homes,
                       fabric::EndpointBank& nodes, fabric::Formats formats)
    : graph_(graph), homes_(homes), endpoints_(nodes), formats_(formats), nodes_(graph.nodes()) {}

void SpillNodes::reserve(const RegisterImage& image) {
  if (!serves(image.sw) ||
      !registers_.try_emplace({image.sw, image.gid}, image, formats_.data_width()).second) {
    throw InternalError("switch " + std::to_string(image.sw) + ": group " +
                        std::to_string(image.gid) + " cannot be spilled there, or is");
  }
}

void SpillNodes::commit(topology::SwitchId sw, std::uint32_t gid) {
  SpillRegister& held = registers_.at({sw, gid});
  held.commit();
  held.use();
  nodes_[node_of(sw)].used = true;
}

void SpillNodes::take_in(const RegisterImage& image) {
  reserve(image);
  registers_.at({image.sw, image.gid}).commit();
}

void SpillNodes::rewrite(const RegisterImage& image) {
  SpillRegister& held = registers_.at({image.sw, image.gid});
  if (!held.at_rest())
    throw InternalError("switch " + std::to_string(image.sw) + ": spilled group " +
                        std::to_string(image.gid) + " is changed in the middle of a barrier");
  held = SpillRegister(image, formats_.data_width());
  held.commit();
}

std::vector<std::uint32_t> SpillNodes::take_used(topology::SwitchId sw) {
  nodes_[node_of(sw)].used = false;
  std::vector<std::uint32_t> used;
  for (auto at = registers_.lower_bound({sw, 0}); at != registers_.end() && at->first.first == sw;
       ++at)
    if (at->second.committed() && at->second.take_use()) used.push_back(at->first.second);
  return used;
}

void SpillNodes::forget(topology::SwitchId sw, std::uint32_t gid) {
  if (registers_.erase({sw, gid}) == 0)
    throw InternalError("switch " + std::to_string(sw) + ": group " + std::to_string(gid) +
                        " is not spilled there");
}

const SpillRegister* SpillNodes::find(topology::SwitchId sw, std::uint32_t gid) const {
  const auto found = registers_.find({sw, gid});
  return found == registers_.end() ? nullptr : &found->second;
}

std::uint64_t SpillNodes::dropped() const {
  std::uint64_t sum = 0;
  for (const Node& node : nodes_)
    for (const auto& reasons : node.drops)
      for (const std::uint32_t n : reasons) sum += n;
  return sum;
}

void SpillNodes::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const BarrierMessage half = formats_.barrier_message(flit);
  if (half.type <= MessageType::kDistribution) return next_->receive_sync(cycle, node, flit);
  std::optional<fabric::SpillPlace>& place = nodes_[node].place;
  const std::uint32_t own_port = graph_.node(node).at.port;
  if (half.type == MessageType::kSpillPlace) {
    if (place) count(node, own_port, SpillOutcome::kMalformed);
    place = fabric::spill_place(half);
  } else if (!place) {
    count(node, own_port, SpillOutcome::kMalformed);
  } else {
    message(node, place->port, {place->type, half.gid, half.data});
    place.reset();
  }
}

void SpillNodes::message(std::uint32_t node, std::uint32_t port, const BarrierMessage& message) {
  ++handed_over_;
  const auto found = registers_.find({graph_.node(node).at.sw, message.gid});
  if (found == registers_.end() || !found->second.committed())
    return count(node, port, SpillOutcome::kUnknownGroup);
  answers_.clear();
  const SpillOutcome outcome = found->second.take(port, message, answers_);
  if (outcome != SpillOutcome::kTaken) return count(node, port, outcome);
  nodes_[node].used = true;
  for (const SpillAnswer& answer : answers_) {
    ++answered_;
    BarrierMessage data = answer.message;
    data.type = MessageType::kSpillData;
    const BarrierMessage place = fabric::spill_place(answer.message, answer.port);
    endpoints_.send_sync(node, formats_.barrier_flit(place, 0));
    endpoints_.send_sync(node, formats_.barrier_flit(data, 0));
  }
}

}  // namespace muster::btin
