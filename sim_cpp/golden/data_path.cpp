// SPDX-License-Identifier: Apache-2.0
#include "golden/data_path.hpp"

#include <algorithm>

#include "network/formats.hpp"

namespace muster::golden {

using network::Flit;
using network::Formats;

DataPath::DataPath(const network::SwitchConfig& config, const std::uint16_t* routes)
    : ports_(config.ports),
      vcs_(config.vcs),
      dests_(config.dests),
      address_mask_(std::bit_ceil(config.dests) - 1),
      routes_(routes) {}

std::uint64_t DataPath::clock(const Heads& heads, InputQueues& queues, OutputChannels& channels,
                              const BarrierShare& barriers) {
  busy_ = 0;
  if (heads.data == 0) return 0;
  const std::uint64_t waiting = heads.data & active_, thrown = heads.data & draining_;
  const std::uint64_t unread = heads.data & ~(active_ | draining_);
  read_routes(unread, queues);
  return allocate(waiting, queues, channels, barriers) | drain(thrown, queues);
}

void DataPath::read_routes(std::uint64_t lanes, const InputQueues& queues) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    const std::uint32_t address = Formats::destination(queues.head(lane)) & address_mask_;
    const std::uint16_t route = address < dests_ ? routes_[address] : std::uint16_t{0};
    if (route == 0) {
      draining_ |= bit(lane);
    } else {
      active_ |= bit(lane);
      output_[lane] = static_cast<std::uint8_t>(lowest(route));
    }
  });
}

std::uint64_t DataPath::drain(std::uint64_t lanes, InputQueues& queues) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    if (queues.head(lane).tail()) {
      draining_ &= ~bit(lane);
      unroutable_ = std::min(unroutable_ + 1, kMaxUnroutable);
    }
    queues.pop(lane);
  });
  return lanes;
}

std::uint64_t DataPath::allocate(std::uint64_t waiting, InputQueues& queues,
                                 OutputChannels& channels, const BarrierShare& barriers) {
  std::uint64_t eligible = 0;
  for_each_bit(waiting, [&](std::uint32_t lane) {
    const std::uint32_t out = output_[lane], channel = lane_of(out, vc_of(lane));
    const std::uint8_t owner = channels.owner(channel);
    const bool beside_barrier = has(barriers.goes, out) && vc_of(lane) == barriers.barrier_vc;
    // A packet under way owns its channel, so a lane that finds it free is at its first flit.
    if ((owner == OutputChannels::kFree || owner == port_of(lane)) &&
        channels.credits(channel) > (beside_barrier ? 1u : 0u) && !has(barriers.held, out)) {
      eligible |= bit(lane);
    }
  });

  // Each input picks one of its lanes, then each output one of the inputs that picked it.
  std::array<std::uint8_t, kMaxPorts> pick;
  std::array<std::uint16_t, kMaxPorts> askers;
  std::uint16_t asked = 0;
  while (eligible != 0) {
    const std::uint32_t input = port_of(lowest(eligible));
    const std::uint64_t vcs = (eligible >> lane_of(input, 0)) & 0xf;
    const std::uint32_t lane = lane_of(input, round_robin(vcs, input_pointer_[input]));
    const std::uint32_t out = output_[lane];
    pick[input] = static_cast<std::uint8_t>(lane);
    if (!has(asked, out)) askers[out] = 0;
    askers[out] |= static_cast<std::uint16_t>(bit(input));
    asked |= static_cast<std::uint16_t>(bit(out));
    eligible &= ~(std::uint64_t{0xf} << lane_of(input, 0));
  }

  std::uint64_t taken = 0;
  for_each_bit(asked, [&](std::uint32_t out) {
    const std::uint32_t input = round_robin(askers[out], output_pointer_[out]);
    const std::uint32_t lane = pick[input], vc = vc_of(lane), channel = lane_of(out, vc);
    const Flit& flit = crossbar_[out] = queues.head(lane);
    queues.pop(lane);
    taken |= bit(lane);
    channels.spend(channel);
    channels.set_owner(channel, flit.tail() ? OutputChannels::kFree : input);
    if (flit.tail()) active_ &= ~bit(lane);
    input_pointer_[input] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
    output_pointer_[out] = static_cast<std::uint8_t>(input + 1 == ports_ ? 0 : input + 1);
  });
  busy_ = asked;
  return taken;
}

}  // namespace muster::golden
