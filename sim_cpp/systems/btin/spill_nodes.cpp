// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/spill_nodes.hpp"

#include <iterator>

#include "muster/core/error.hpp"
#include "muster/fabric/barrier_message.hpp"

namespace muster::btin {

using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;

SpillRegister::SpillRegister(const RegisterImage& image, unsigned data_width)
    : image_(image), width_(data_width), up_(fabric::neutral(image.op, data_width)) {}

bool SpillRegister::take(std::uint32_t port, const BarrierMessage& message,
                         std::vector<SpillAnswer>& answers) {
  const bool taken = combine(port, message, answers);
  used_ |= taken;
  return taken;
}

bool SpillRegister::combine(std::uint32_t port, const BarrierMessage& message,
                            std::vector<SpillAnswer>& answers) {
  if (message.type == MessageType::kDistribution) {
    if (image_.reflect || port != image_.parent_port || !sent_) return false;
    distribute(message.data, answers);
    return true;
  }
  const auto bit = static_cast<std::uint16_t>(1u << port);
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
void SpillRegister::distribute(const Payload& data, std::vector<SpillAnswer>& answers) {
  for (std::uint32_t port = 0; image_.child_mask >> port != 0; ++port) {
    if ((image_.child_mask >> port & 1) == 0) continue;
    answers.push_back({port, {MessageType::kDistribution, image_.gid, data}});
  }
  arrived_ = 0;
  sent_ = false;
  up_ = fabric::neutral(image_.op, width_);
}

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

bool SpillNodes::take(std::uint32_t node, const BarrierMessage& half) {
  if (half.type <= MessageType::kDistribution) return false;
  std::optional<fabric::SpillPlace>& place = nodes_[node].place;
  if (half.type == MessageType::kSpillPlace) {
    dropped_ += place.has_value();
    place = fabric::spill_place(half);
  } else if (!place) {
    ++dropped_;
  } else {
    message(node, place->port, {place->type, half.gid, half.data});
    place.reset();
  }
  return true;
}

void SpillNodes::message(std::uint32_t node, std::uint32_t port, const BarrierMessage& message) {
  ++handed_over_;
  const auto found = registers_.find({graph_.node(node).at.sw, message.gid});
  answers_.clear();
  if (found == registers_.end() || !found->second.committed() ||
      !found->second.take(port, message, answers_)) {
    ++dropped_;
    return;
  }
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

std::vector<topology::SwitchId> Result::spilled_switches(std::size_t group) const {
  std::vector<topology::SwitchId> switches;
  for (const RegisterSlot& r : registers)
    if (r.spilled && r.group == group) switches.push_back(r.image.sw);
  return switches;
}

std::size_t Result::spilled_in(std::size_t group, std::uint64_t barrier) const {
  const auto after = spilled.upper_bound({group, barrier});
  if (after == spilled.begin()) return 0;
  const auto& [since, switches] = *std::prev(after);
  return since.first == group ? switches : 0;
}

SpillCost spill_cost(const run::RunResult& result, const Result& groups, const SpillNodes& spill) {
  SpillCost cost;
  cost.handed_over = spill.handed_over();
  cost.answered = spill.answered();
  cost.dropped = spill.dropped();
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
