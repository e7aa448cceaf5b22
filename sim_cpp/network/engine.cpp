// SPDX-License-Identifier: Apache-2.0
#include "network/engine.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "common/error.hpp"

namespace muster::network {

std::uint32_t Engine::add_bank(std::unique_ptr<Bank> bank) {
  Lane lane;
  const std::uint32_t blocks = bank->blocks();
  lane.wires = blocks ? &bank->wires(0) : nullptr;
  lane.tx = blocks ? &bank->tx(0, 0) : nullptr;
  lane.ports = bank->ports();
  lane.settles = bank->settles();
  lane.forward.resize(std::size_t{blocks} * lane.ports);
  lane.backward.resize(lane.forward.size());
  lane.awake.resize((blocks + 63) / 64, 0);
  lane.bank = std::move(bank);
  lanes_.push_back(std::move(lane));
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

Engine::Wire Engine::wire_to(Terminal end, ChannelId channel, std::uint32_t latency) {
  Lane& lane = lanes_[end.bank];
  Wire wire;
  wire.wires = &lane.bank->wires(end.block);
  wire.rx = &lane.bank->rx(end.block, end.port);
  wire.awake = &lane.awake[end.block / 64];
  wire.awake_bit = std::uint64_t{1} << (end.block % 64);
  wire.channel = channel;
  wire.port = static_cast<std::uint8_t>(end.port);
  wire.latency = static_cast<std::uint8_t>(latency);
  return wire;
}

void Engine::connect(ChannelId channel, Terminal from, Terminal to, std::uint32_t latency) {
  Lane& out = lanes_.at(from.bank);
  Lane& in = lanes_.at(to.bank);
  Wire& forward = out.forward.at(std::size_t{from.block} * out.ports + from.port);
  Wire& backward = in.backward.at(std::size_t{to.block} * in.ports + to.port);
  if (forward.latency != 0 || backward.latency != 0 || latency == 0 || latency >= kWheel) {
    throw InternalError(fmt::format("channel {}: end in use or latency {} outside 1..{}", channel,
                                    latency, kWheel - 1));
  }
  forward = wire_to(to, channel, latency);
  backward = wire_to(from, channel, latency);
}

void Engine::set_skip(bool skip) {
  skip_ = skip;
  if (skip) return;
  for (Lane& lane : lanes_) {
    for (std::uint32_t b = 0; b < lane.bank->blocks(); ++b) {
      lane.awake[b / 64] |= std::uint64_t{1} << (b % 64);
    }
  }
}

void Engine::stop_channel(ChannelId channel, bool flits, bool credits) {
  for (Lane& lane : lanes_) {
    for (Wire& w : lane.forward) {
      if (flits && w.latency != 0 && w.channel == channel) w.carries = false;
    }
    for (Wire& w : lane.backward) {
      if (credits && w.latency != 0 && w.channel == channel) w.carries = false;
    }
  }
}

inline void Engine::put_flit(const Wire& wire, const Flit& flit) {
  *wire.rx = flit;
  wire.wires->rx_valid |= 1u << wire.port;
  *wire.awake |= wire.awake_bit;
}

inline void Engine::put_back(const Wire& wire, std::uint8_t back) {
  wire.wires->tx_back |= std::uint64_t{back} << (4 * wire.port);
  *wire.awake |= wire.awake_bit;
}

void Engine::deliver_delayed() {
  if (in_delay_ == 0) return;
  auto& flits = delayed_flits_[cycle_ % kWheel];
  auto& backs = delayed_backs_[cycle_ % kWheel];
  for (const DelayedFlit& d : flits) put_flit(*d.wire, d.flit);
  for (const DelayedBack& d : backs) put_back(*d.wire, d.back);
  in_delay_ -= flits.size() + backs.size();
  flits.clear();
  backs.clear();
}

template <bool kObserved>
inline void Engine::carry_back(Lane& lane, std::uint32_t block) {
  const Wire* const backward = &lane.backward[std::size_t{block} * lane.ports];
  for (std::uint64_t left = lane.wires[block].rx_back; left != 0;) {
    const unsigned port = static_cast<unsigned>(std::countr_zero(left)) / 4;
    const auto back = static_cast<std::uint8_t>((left >> (4 * port)) & 15u);
    left &= ~(std::uint64_t{15} << (4 * port));
    const Wire& wire = backward[port];
    if (wire.latency == 0) continue;
    if constexpr (kObserved) credit_events_.push_back({wire.channel, back});
    if (!wire.carries) continue;
    if (wire.latency == 1) {
      put_back(wire, back);
    } else {
      delayed_backs_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, back});
      ++in_delay_;
    }
  }
}

/// Walks the awake set while put_* may add to it: what is added drives nothing in this cycle.
template <bool kObserved>
void Engine::carry(Lane& lane) {
  for (std::size_t word = 0; word < lane.awake.size(); ++word) {
    for (std::uint64_t set = lane.awake[word]; set != 0; set &= set - 1) {
      const auto block = static_cast<std::uint32_t>(64 * word) +
                         static_cast<std::uint32_t>(std::countr_zero(set));
      const std::size_t first = std::size_t{block} * lane.ports;
      for (std::uint32_t valid = lane.wires[block].tx_valid; valid != 0; valid &= valid - 1) {
        const auto port = static_cast<unsigned>(std::countr_zero(valid));
        const Wire& wire = lane.forward[first + port];
        if (wire.latency == 0) continue;
        const Flit& flit = lane.tx[first + port];
        if constexpr (kObserved) flit_events_.push_back({wire.channel, flit});
        if (!wire.carries) continue;
        if (wire.latency == 1) {
          put_flit(wire, flit);
        } else {
          delayed_flits_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, flit});
          ++in_delay_;
        }
      }
      if (!lane.settles) carry_back<kObserved>(lane, block);
    }
  }
}

void Engine::list_awake(Lane& lane) {
  lane.list.clear();
  for (std::size_t word = 0; word < lane.awake.size(); ++word) {
    for (std::uint64_t set = lane.awake[word]; set != 0; set &= set - 1) {
      lane.list.push_back(static_cast<std::uint32_t>(64 * word) +
                          static_cast<std::uint32_t>(std::countr_zero(set)));
    }
  }
}

template <bool kObserved>
void Engine::carry_all() {
  deliver_delayed();
  for (Lane& lane : lanes_) carry<kObserved>(lane);
  for (Lane& lane : lanes_) {
    if (!lane.settles) continue;
    list_awake(lane);
    lane.bank->settle(lane.list);
    for (const std::uint32_t block : lane.list) carry_back<kObserved>(lane, block);
  }
  for (Lane& lane : lanes_) list_awake(lane);
}

void Engine::clock(Lane& lane) {
  lane.bank->clock(cycle_, lane.list);
  lane.clocked += lane.list.size();
  if (!skip_) return;
  for (const std::uint32_t block : lane.list) {
    if (lane.bank->quiescent(block)) lane.awake[block / 64] &= ~(std::uint64_t{1} << (block % 64));
  }
  for (const std::uint32_t block : lane.bank->woken()) {
    lane.awake[block / 64] |= std::uint64_t{1} << (block % 64);
  }
}

void Engine::step() {
  if (observers_.empty()) {
    carry_all<false>();
  } else {
    flit_events_.clear();
    credit_events_.clear();
    carry_all<true>();
    for (Observer* observer : observers_) {
      observer->observe(cycle_, flit_events_, credit_events_);
    }
  }
  for (Lane& lane : lanes_) clock(lane);
  ++cycle_;
}

bool Engine::idle() const {
  if (in_delay_ != 0) return false;
  for (const Lane& lane : lanes_) {
    for (std::uint32_t b = 0; b < lane.bank->blocks(); ++b) {
      if ((lane.awake[b / 64] >> (b % 64) & 1) && !lane.bank->quiescent(b)) return false;
    }
  }
  return true;
}

void Engine::finish(bool drained) {
  for (Observer* observer : observers_) observer->finish(cycle_, drained);
}

}  // namespace muster::network
