// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "core/awake_flags.hpp"
#include "core/port_words.hpp"
#include "core/ranked_cycle.hpp"
#include "muster/core/engine.hpp"

// A cycle: what is on the wires is carried, and all is clocked (engine_clock.cpp).
namespace muster::core {
namespace {

inline void put_back(BlockWires& to, unsigned port, std::uint8_t back) {
  to.tx_back |= std::uint64_t{back} << (4 * port);
}

template <typename F>
void for_each_bit(std::uint64_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// Bit 4p: nibble p of a `back` word, which has the credits of port p, is not 0.
inline std::uint64_t returning_ports(std::uint64_t back) {
  back |= back >> 2;
  return (back | back >> 1) & 0x1111111111111111u;
}
}  // namespace

inline void Engine::receive(const Wire& wire, const Flit& flit) {
  *wire.rx = flit;
  wire.to->rx_valid |= wire.bit;
  awake_[wire.block] = 1;
}

void Engine::deliver_delayed() {
  if (in_delay_ == 0) return;
  auto& flits = delayed_flits_[cycle_ % kWheel];
  auto& backs = delayed_backs_[cycle_ % kWheel];
  for (const DelayedFlit& d : flits) {
    if (dead_[d.wire->block]) continue;
    receive(*d.wire, d.flit);
  }
  for (const DelayedBack& d : backs) {
    if (dead_[d.wire->block]) continue;
    put_back(*d.wire->to, d.wire->port, d.back);
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
    receive(wire, arriving.flits[i]);
  }
}

void Engine::delay_back(const Wire& wire, std::uint8_t back) {
  if (wire.path != Path::kDelayed) return;
  delayed_backs_[(cycle_ + wire.latency - 1) % kWheel].push_back({&wire, back});
  ++in_delay_;
}

/// What another rank has put on a wire.
void Engine::arrive(const Wire& wire, const Flit& flit) {
  wire.path == Path::kDirect ? receive(wire, flit) : delay_flit(wire, flit);
}
void Engine::arrive(const Wire& wire, std::uint8_t back) {
  if (wire.path != Path::kDirect) return delay_back(wire, back);
  put_back(*wire.to, wire.port, back);
  awake_[wire.block] = 1;
}

/// What drives a wire is awake. The ports of some blocks are a word, so that the loops are long:
/// where one ends cannot be predicted, and that is most of its time. In `sending` the ports of a
/// block lie together, in `returning` they lie apart, which is less work.
///
/// What the loops need is in local variables: a store to a flag, a byte, may alias any member.
template <bool kObserved, unsigned kWidth>
void Engine::carry(Wiring& wiring) {
  using Ports = PortWords<kWidth>;
  const std::span<const std::uint32_t> driving = wiring.awake();
  std::uint8_t* const awake = awake_.data();
  const std::size_t stride = wiring.ports;
  const BlockWires* const wires = wiring.wires;
  const Wire* const forward = wiring.forward.data();
  const Wire* const backward = wiring.backward.data();
  const Flit* const tx = wiring.tx;
  FlitEvent* flit_event = flit_events_.data() + flit_count_;
  CreditEvent* credit_event = credit_events_.data() + credit_count_;
  for (std::size_t first = 0; first < driving.size(); first += Ports::kBlocks) {
    const std::uint32_t* const blocks = &driving[first];
    const auto together =
        static_cast<std::uint32_t>(std::min<std::size_t>(driving.size() - first, Ports::kBlocks));
    std::uint64_t sending = 0, returning = 0;
    for (std::uint32_t i = 0; i < together; ++i) {
      sending |= std::uint64_t{wires[blocks[i]].tx_valid} << Ports::together(i);
      returning |= returning_ports(wires[blocks[i]].rx_back) << Ports::apart(i);
    }
    for_each_bit(sending, [&](std::uint32_t bit) {
      const std::size_t at =
          blocks[Ports::together_block(bit)] * stride + Ports::together_port(bit);
      const Wire& wire = forward[at];
      if constexpr (kObserved) {
        *flit_event = {wire.channel, tx[at]};
        flit_event += wire.channel != kUnobserved;
      }
      if (wire.path == Path::kDirect) [[likely]] {
        *wire.rx = tx[at];
        wire.to->rx_valid |= wire.bit;
        awake[wire.block] = 1;
      } else {
        delay_flit(wire, tx[at]);
      }
    });
    for_each_bit(returning, [&](std::uint32_t bit) {
      const std::uint32_t block = blocks[Ports::apart_block(bit)];
      const std::uint32_t port = Ports::apart_port(bit);
      const Wire& wire = backward[block * stride + port];
      const auto back = static_cast<std::uint8_t>((wires[block].rx_back >> (4 * port)) & 15u);
      if constexpr (kObserved) {
        *credit_event = {wire.channel, back};
        credit_event += wire.channel != kUnobserved;
      }
      if (wire.path == Path::kDirect) [[likely]] {
        put_back(*wire.to, wire.port, back);
        awake[wire.block] = 1;
      } else {
        delay_back(wire, back);
      }
    });
  }
  flit_count_ = static_cast<std::size_t>(flit_event - flit_events_.data());
  credit_count_ = static_cast<std::size_t>(credit_event - credit_events_.data());
}

/// The awake blocks in ascending order.
void Engine::list_awake(Wiring& wiring) {
  wiring.list.clear();
  for (std::uint32_t first = 0; first < wiring.blocks; first += kFlags) {
    const std::uint64_t flags = set_flags(&awake_[wiring.first_block + first]);
    if (flags != 0) wiring.list.add(flags, first);
  }
}

template <bool kObserved>
void Engine::carry_all() {
  for (Wiring& wiring : wirings_) list_awake(wiring);
  deliver_delayed();
  if (ranked_) ranked_->receive_wires();
  for (Wiring& wiring : wirings_)
    with_port_width(wiring.ports, [&](auto width) { carry<kObserved, width>(wiring); });
  for (Wiring& wiring : wirings_) list_awake(wiring);
}
void Engine::carry_cycle() {
  flit_count_ = credit_count_ = 0;
  observers_.empty() ? carry_all<false>() : carry_all<true>();
}

void Engine::step() {
  if (ranked_) return ranked_->step();
  carry_cycle();
  bool observed = false;
  std::exception_ptr failure;
  for (Wiring& wiring : wirings_) {
    const auto meanwhile = [&] {
      if (!std::exchange(observed, true)) observe();
    };
    try {
      clock(wiring, meanwhile);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    after_clock(wiring);
  }
  if (breach_) std::rethrow_exception(std::exchange(breach_, nullptr));
  if (failure) std::rethrow_exception(failure);
  ++cycle_;
}
}  // namespace muster::core
