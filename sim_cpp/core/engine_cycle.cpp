// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/blocks_together.hpp"
#include "muster/core/engine.hpp"

// A cycle: what is on the wires is carried, and all is clocked (engine_clock.cpp).
namespace muster::core {
namespace {

inline void put_flit(const Engine::Inputs& to, unsigned port, const Flit& flit) {
  to.rx[port] = flit;
  to.wires->rx_valid |= 1u << port;
}

inline void put_back(const Engine::Inputs& to, unsigned port, std::uint8_t back) {
  to.wires->tx_back |= std::uint64_t{back} << (4 * port);
}

/// Bit 4p: nibble p of a `back` word, which has the credits of port p, is not 0.
inline std::uint64_t returning_ports(std::uint64_t back) {
  back |= back >> 2;
  return (back | back >> 1) & 0x1111111111111111u;
}
}  // namespace

void Engine::deliver_delayed() {
  if (in_delay_ == 0) return;
  auto& flits = delayed_flits_[cycle_ % kWheel];
  auto& backs = delayed_backs_[cycle_ % kWheel];
  for (const DelayedFlit& d : flits) {
    if (dead_[d.wire->block]) continue;
    put_flit(inputs_[d.wire->block], d.wire->port, d.flit);
    awake_[d.wire->block] = 1;
  }
  for (const DelayedBack& d : backs) {
    if (dead_[d.wire->block]) continue;
    put_back(inputs_[d.wire->block], d.wire->port, d.back);
    awake_[d.wire->block] = 1;
  }
  in_delay_ -= flits.size() + backs.size();
  flits.clear();
  backs.clear();
}

void Engine::delay_flit(const Wire& wire, const Flit& flit) {
  if (wire.path == Path::kDisturbed) return deliver_disturbed(wire, flit);
  if (wire.path == Path::kDelayed) deliver_after(wire, flit, wire.latency - 1u);
}

/// REQUIRES: `cycles` at least 1, below kWheel.
void Engine::deliver_after(const Wire& wire, const Flit& flit, std::uint32_t cycles) {
  delayed_flits_[(cycle_ + cycles) % kWheel].push_back({&wire, flit});
  ++in_delay_;
}

void Engine::deliver_disturbed(const Wire& wire, const Flit& flit) {
  const Disturbed& disturbed = disturbed_.at(&wire);
  const Arriving arriving = disturbed.by->pass(disturbed.wire, cycle_, flit);
  for (std::uint32_t i = 0; i < arriving.count; ++i) {
    const std::uint32_t cycles = wire.latency - 1u + i;
    if (cycles != 0) {
      deliver_after(wire, arriving.flits[i], cycles);
      continue;
    }
    if (dead_[wire.block]) continue;
    put_flit(inputs_[wire.block], wire.port, arriving.flits[i]);
    awake_[wire.block] = 1;
  }
}

void Engine::delay_back(const Wire& wire, std::uint8_t back) {
  if (wire.path != Path::kDelayed) return;
  delayed_backs_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, back});
  ++in_delay_;
}

/// The ports of four blocks are a word: in `sending_` those of a block lie together, in
/// `returning_` the same ports of the blocks, which is less work. Blocks that sleep drive nothing,
/// so they need not be told apart.
void Engine::collect(const Wiring& wiring) {
  sending_.clear();
  returning_.clear();
  for (std::uint32_t first = 0; first < wiring.blocks; first += kTogether) {
    std::uint32_t flags;
    std::memcpy(&flags, &awake_[wiring.first_block + first], kTogether);
    if (flags == 0) continue;
    const BlockWires* const wires = wiring.wires + first;
    std::uint64_t sending = 0, returning = 0;
    const std::uint32_t together = std::min(wiring.blocks - first, kTogether);
    for (std::uint32_t b = 0; b < together; ++b) {
      sending |= std::uint64_t{wires[b].tx_valid} << (kMaxPorts * b);
      returning |= returning_ports(wires[b].rx_back) << b;
    }
    sending_.add(sending, first);
    returning_.add(returning, first);
  }
}

/// What the loops need is in local variables: a store to a flag, a byte, may alias any member.
template <bool kObserved>
void Engine::carry(Wiring& wiring) {
  collect(wiring);
  const Inputs* const inputs = inputs_.data();
  std::uint8_t* const awake = awake_.data();
  const std::size_t ports = wiring.ports;
  const BlockWires* const wires = wiring.wires;
  const Wire* const forward = wiring.forward.data();
  const Wire* const backward = wiring.backward.data();
  const Flit* const tx = wiring.tx;
  FlitEvent* flit_event = flit_events_.data() + flit_count_;
  CreditEvent* credit_event = credit_events_.data() + credit_count_;
  sending_.for_each([&](std::uint32_t first, std::uint32_t bit) {
    const std::size_t at = (first + bit / kMaxPorts) * ports + bit % kMaxPorts;
    const Wire& wire = forward[at];
    if constexpr (kObserved) {
      if (wire.channel != kUnobserved) *flit_event++ = {wire.channel, tx[at]};
    }
    if (wire.path == Path::kDirect) [[likely]] {
      put_flit(inputs[wire.block], wire.port, tx[at]);
      awake[wire.block] = 1;
    } else {
      delay_flit(wire, tx[at]);
    }
  });
  returning_.for_each([&](std::uint32_t first, std::uint32_t bit) {
    const std::uint32_t block = first + bit % kTogether, port = bit / kTogether;
    const Wire& wire = backward[block * ports + port];
    const auto back = static_cast<std::uint8_t>((wires[block].rx_back >> (4 * port)) & 15u);
    if constexpr (kObserved) {
      if (wire.channel != kUnobserved) *credit_event++ = {wire.channel, back};
    }
    if (wire.path == Path::kDirect) [[likely]] {
      put_back(inputs[wire.block], wire.port, back);
      awake[wire.block] = 1;
    } else {
      delay_back(wire, back);
    }
  });
  flit_count_ = static_cast<std::size_t>(flit_event - flit_events_.data());
  credit_count_ = static_cast<std::size_t>(credit_event - credit_events_.data());
}

/// The awake blocks in ascending order.
void Engine::list_awake(Wiring& wiring) {
  const std::uint8_t* const awake = &awake_[wiring.first_block];
  const std::uint32_t blocks = wiring.blocks;
  std::uint32_t* next = wiring.list.data();
  for (std::uint32_t first = 0; first < blocks; first += kTogether) {
    std::uint32_t flags;
    std::memcpy(&flags, awake + first, kTogether);
    if (flags == 0) continue;
    for (std::uint32_t b = first; b < first + kTogether; ++b) {
      *next = b;
      next += awake[b];
    }
  }
  wiring.awake_count = static_cast<std::size_t>(next - wiring.list.data());
}

template <bool kObserved>
void Engine::carry_all() {
  deliver_delayed();
  for (Wiring& wiring : wirings_) carry<kObserved>(wiring);
  for (Wiring& wiring : wirings_) list_awake(wiring);
}
void Engine::step() {
  flit_count_ = credit_count_ = 0;
  observers_.empty() ? carry_all<false>() : carry_all<true>();
  bool observed = false;
  for (Wiring& wiring : wirings_) {
    const auto meanwhile = [&] {
      if (!std::exchange(observed, true)) observe();
    };
    try {
      clock(wiring, meanwhile);
    } catch (...) {
      if (!breach_) throw;
    }
    if (breach_) std::rethrow_exception(std::exchange(breach_, nullptr));
  }
  ++cycle_;
}
}  // namespace muster::core
