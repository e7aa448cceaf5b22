// SPDX-License-Identifier: Apache-2.0
#include "network/engine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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
  lane.awake.resize((blocks + 7) / 8 * 8, 0);
  lane.bank = std::move(bank);
  lanes_.push_back(std::move(lane));
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

Engine::Wire Engine::wire_to(Terminal end, ChannelId channel, std::uint32_t latency) {
  Lane& lane = lanes_[end.bank];
  Wire wire;
  wire.wires = &lane.bank->wires(end.block);
  wire.rx = &lane.bank->rx(end.block, end.port);
  wire.awake = &lane.awake[end.block];
  wire.channel = channel;
  wire.port = static_cast<std::uint8_t>(end.port);
  wire.latency = static_cast<std::uint8_t>(latency);
  wire.path = latency == 1 ? Path::kDirect : Path::kDelayed;
  return wire;
}

void Engine::connect(ChannelId channel, Terminal from, Terminal to, std::uint32_t latency) {
  Lane& out = lanes_.at(from.bank);
  Lane& in = lanes_.at(to.bank);
  Wire& forward = out.forward.at(std::size_t{from.block} * out.ports + from.port);
  Wire& backward = in.backward.at(std::size_t{to.block} * in.ports + to.port);
  if (forward.path != Path::kOpen || backward.path != Path::kOpen || latency == 0 || latency >= kWheel) {
    throw InternalError(fmt::format("channel {}: end in use or latency {} outside 1..{}", channel,
                                    latency, kWheel - 1));
  }
  forward = wire_to(to, channel, latency);
  backward = wire_to(from, channel, latency);
  flit_events_.emplace_back();
  credit_events_.emplace_back();
}

void Engine::set_skip(bool skip) {
  skip_ = skip;
  if (skip) return;
  for (Lane& lane : lanes_) {
    std::fill_n(lane.awake.begin(), lane.bank->blocks(), std::uint8_t{1});
  }
}

void Engine::stop_channel(ChannelId channel, bool flits, bool credits) {
  for (Lane& lane : lanes_) {
    for (Wire& w : lane.forward) {
      if (flits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
    }
    for (Wire& w : lane.backward) {
      if (credits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
    }
  }
}

inline void Engine::put_flit(const Wire& wire, const Flit& flit) {
  *wire.rx = flit;
  wire.wires->rx_valid |= 1u << wire.port;
  *wire.awake = 1;
}

inline void Engine::put_back(const Wire& wire, std::uint8_t back) {
  wire.wires->tx_back |= std::uint64_t{back} << (4 * wire.port);
  *wire.awake = 1;
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

void Engine::delay_flit(const Wire& wire, const Flit& flit) {
  if (wire.path != Path::kDelayed) return;
  delayed_flits_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, flit});
  ++in_delay_;
}

void Engine::delay_back(const Wire& wire, std::uint8_t back) {
  if (wire.path != Path::kDelayed) return;
  delayed_backs_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, back});
  ++in_delay_;
}

template <bool kObserved>
inline void Engine::carry_flits(Lane& lane, std::uint32_t block) {
  const std::size_t first = std::size_t{block} * lane.ports;
  for (std::uint32_t valid = lane.wires[block].tx_valid; valid != 0; valid &= valid - 1) {
    const auto port = static_cast<unsigned>(std::countr_zero(valid));
    const Wire& wire = lane.forward[first + port];
    const Flit& flit = lane.tx[first + port];
    if constexpr (kObserved) {
      if (wire.path != Path::kOpen) flit_events_[flit_count_++] = {wire.channel, flit};
    }
    if (wire.path == Path::kDirect) [[likely]] {
      put_flit(wire, flit);
    } else {
      delay_flit(wire, flit);
    }
  }
}

template <bool kObserved>
inline void Engine::carry_back(Lane& lane, std::uint32_t block) {
  const Wire* const backward = &lane.backward[std::size_t{block} * lane.ports];
  for (std::uint64_t left = lane.wires[block].rx_back; left != 0;) {
    const unsigned port = static_cast<unsigned>(std::countr_zero(left)) / 4;
    const auto back = static_cast<std::uint8_t>((left >> (4 * port)) & 15u);
    left &= ~(std::uint64_t{15} << (4 * port));
    const Wire& wire = backward[port];
    if constexpr (kObserved) {
      if (wire.path != Path::kOpen) credit_events_[credit_count_++] = {wire.channel, back};
    }
    if (wire.path == Path::kDirect) [[likely]] {
      put_back(wire, back);
    } else {
      delay_back(wire, back);
    }
  }
}

/// Calls f(block) for every flag that is set, in ascending order. Flags may be set meanwhile: what
/// is added then drives nothing in this cycle, so it does not matter if it is met.
template <class F>
inline void for_each_awake(const std::vector<std::uint8_t>& awake, F&& f) {
  for (std::size_t first = 0; first < awake.size(); first += 8) {
    std::uint64_t flags;
    std::memcpy(&flags, &awake[first], 8);
    if constexpr (std::endian::native == std::endian::big) flags = __builtin_bswap64(flags);
    for (; flags != 0; flags &= flags - 1) {
      f(static_cast<std::uint32_t>(first) +
        static_cast<std::uint32_t>(std::countr_zero(flags)) / 8);
    }
  }
}

template <bool kObserved>
void Engine::carry(Lane& lane) {
  const bool settles = lane.settles;
  for_each_awake(lane.awake, [&](std::uint32_t block) {
    carry_flits<kObserved>(lane, block);
    if (!settles) carry_back<kObserved>(lane, block);
  });
}

void Engine::list_awake(Lane& lane) {
  lane.list.clear();
  for_each_awake(lane.awake, [&](std::uint32_t block) { lane.list.push_back(block); });
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
    lane.awake[block] = !lane.bank->quiescent(block);
  }
  for (const std::uint32_t block : lane.bank->woken()) lane.awake[block] = 1;
}

void Engine::step() {
  if (observers_.empty()) {
    carry_all<false>();
  } else {
    flit_count_ = credit_count_ = 0;
    carry_all<true>();
    for (Observer* observer : observers_) {
      observer->observe(cycle_, {flit_events_.data(), flit_count_},
                        {credit_events_.data(), credit_count_});
    }
  }
  for (Lane& lane : lanes_) clock(lane);
  ++cycle_;
}

bool Engine::idle() const {
  if (in_delay_ != 0) return false;
  for (const Lane& lane : lanes_) {
    for (std::uint32_t b = 0; b < lane.bank->blocks(); ++b) {
      if (lane.awake[b] && !lane.bank->quiescent(b)) return false;
    }
  }
  return true;
}

void Engine::finish(bool drained) {
  for (Observer* observer : observers_) observer->finish(cycle_, drained);
}

}  // namespace muster::network
