// SPDX-License-Identifier: Apache-2.0
// EndpointBank on links with a barrier buffer.
#include "muster/fabric/endpoints.hpp"

namespace muster::fabric {

void EndpointBank::send_message(std::uint32_t node, std::span<const core::Flit> flits) {
  for (const core::Flit& flit : flits)
    nodes_[node].sync.push_back({now_ + config_.send_delay, flit});
  wake_at(now_ + config_.send_delay, node);
}

/// A flit of a link with a barrier buffer. Gives the credits that are returned for it.
std::uint32_t EndpointBank::receive_barrier(std::uint64_t cycle, std::uint32_t n,
                                            const core::Flit& flit) {
  const std::uint32_t buffer = 1u << config_.vcs;
  const std::uint32_t back =
      credits_taken(config_.barrier.credits, config_.vcs, flit) & (buffer - 1);
  if (flit.kind == core::Flit::kPad || flit.kind == core::Flit::kControl) return back;
  BarrierReceiver& in = ends_[n].in;
  if (!in.add(config_.barrier, flit)) return back;
  if (sync_ != nullptr) hand_over(cycle, n, in.flits());
  return back | buffer;
}

/// A flit of a barrier message, or of link control for one.
bool EndpointBank::send_message_flit(std::uint64_t cycle, std::uint32_t n) {
  Node& node = nodes_[n];
  std::optional<BarrierSender::Next> next;
  if (!node.sync.empty() && node.sync.front().due <= cycle)
    next = {.flit = node.sync.front().flit,
            .last = node.sync.size() == 1 || node.sync[1].flit.kind == core::Flit::kFirst};
  std::uint32_t under_way = node.sending;
  if (node.next_flit != 0) under_way |= 1u << node.packets.front().flits.front().vc;
  const std::optional<core::Flit> flit =
      ends_[n].out.send(config_.barrier, {config_.vcs, node.credits, under_way}, next);
  if (!flit) return false;
  tx_[n] = *flit;
  if (flit->kind != core::Flit::kControl) node.sync.pop_front();
  return true;
}

}  // namespace muster::fabric
