// SPDX-License-Identifier: Apache-2.0
#include "golden/barrier_switch.hpp"

namespace muster::golden {

using network::BlockWires;
using network::Flit;

BarrierSwitch::BarrierSwitch(const network::SwitchConfig& config, Flit* queues,
                             std::uint16_t* routes)
    : queues_(config, queues),
      data_(config, routes),
      channels_(config.depth),
      barriers_(config),
      config_(config),
      routes_(routes) {}

BarrierShare BarrierSwitch::share_outputs() const {
  BarrierShare share{barrier_vc_, 0, 0};
  for_each_bit(barriers_.requested(), [&](std::uint32_t port) {
    if (channels_.credits(lane_of(port, barrier_vc_)) == 0) return;
    const auto here = static_cast<std::uint16_t>(bit(port));
    if (has(data_.busy(), port)) {
      share.held |= here;  // goes in the next cycle
    } else {
      share.goes |= here;
      if (own_ && barriers_.contended(port)) share.held |= here;
    }
  });
  return share;
}

void BarrierSwitch::clock(BlockWires& wires, const Flit* rx, Flit* tx) {
  const Heads heads = queues_.heads();
  const std::uint16_t traversing = data_.busy();
  const BarrierShare share = share_outputs();

  for_each_bit(traversing, [&](std::uint32_t port) { tx[port] = data_.traversing(port); });
  for_each_bit(share.goes,
               [&](std::uint32_t port) { tx[port] = barriers_.message(port, barrier_vc_); });

  // From here on the state is that after the edge; `heads` remembers the queues as they were.
  for_each_bit(wires.rx_valid, [&](std::uint32_t port) { queues_.push(port, rx[port]); });
  std::uint64_t taken = data_.clock(heads, queues_, channels_, share);
  if ((heads.sync | share.goes) != 0) {
    barriers_.edge(heads.sync, queues_, barrier_vc_, share.goes);
    for_each_bit(heads.sync, [&](std::uint32_t lane) { queues_.pop(lane); });
    for_each_bit(share.goes, [&](std::uint32_t port) {
      channels_.spend(lane_of(port, barrier_vc_));
    });
    taken |= heads.sync;
  }
  channels_.give_back(wires.tx_back);

  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.tx_valid = traversing | share.goes;
  wires.rx_back = taken;
}

}  // namespace muster::golden
