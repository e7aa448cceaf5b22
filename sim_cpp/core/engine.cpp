// SPDX-License-Identifier: Apache-2.0
#include "muster/core/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/thread_pool.hpp"
#include "muster/core/divisible.hpp"
#include "muster/core/error.hpp"

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

/// Ports of a block: a `back` word of BlockWires has a nibble for each.
constexpr unsigned kMaxPorts = 16;
constexpr std::uint32_t kTogether = 4;  ///< blocks whose ports fit in one word
static_assert(kTogether * kMaxPorts == 64);

}  // namespace

Engine::Engine() = default;
Engine::~Engine() = default;

void Engine::use_threads(unsigned threads) {
  threads_ = threads > 1 ? std::make_unique<ThreadPool>(threads) : nullptr;
}

std::uint32_t Engine::add_bank(std::unique_ptr<Bank> bank) {
  Wiring wiring;
  const std::uint32_t blocks = bank->blocks();
  wiring.wires = blocks ? &bank->wires(0) : nullptr;
  wiring.tx = blocks ? &bank->tx(0, 0) : nullptr;
  wiring.ports = bank->ports();
  wiring.blocks = blocks;
  wiring.list.resize(blocks + kTogether);  // list_awake writes some more and does not count them
  wiring.forward.resize(std::size_t{blocks} * wiring.ports);
  wiring.backward.resize(wiring.forward.size());
  wiring.first_block = static_cast<std::uint32_t>(inputs_.size());
  for (std::uint32_t b = 0; b < blocks; ++b) {
    inputs_.push_back({&bank->wires(b), &bank->rx(b, 0)});
  }
  inputs_.resize((inputs_.size() + 7) / 8 * 8);
  awake_.resize(inputs_.size(), 0);
  dead_.resize(inputs_.size(), 0);
  if (const std::size_t words = (blocks + kTogether - 1) / kTogether; words > sending_.room())
    sending_ = returning_ = BitWords(words);
  wiring.bank = std::move(bank);
  wirings_.push_back(std::move(wiring));
  return static_cast<std::uint32_t>(wirings_.size() - 1);
}

Engine::Wire Engine::wire_to(Terminal end, ChannelId channel, std::uint32_t latency) const {
  Wire wire;
  wire.channel = channel;
  wire.block = wirings_[end.bank].first_block + end.block;
  wire.port = static_cast<std::uint8_t>(end.port);
  wire.latency = static_cast<std::uint8_t>(latency);
  wire.path = latency == 1 ? Path::kDirect : Path::kDelayed;
  return wire;
}

void Engine::connect(ChannelId channel, Terminal from, Terminal to, std::uint32_t latency) {
  Wiring& out = wirings_.at(from.bank);
  Wiring& in = wirings_.at(to.bank);
  Wire& forward = out.forward.at(std::size_t{from.block} * out.ports + from.port);
  Wire& backward = in.backward.at(std::size_t{to.block} * in.ports + to.port);
  if (forward.path != Path::kOpen || backward.path != Path::kOpen || latency == 0 ||
      latency >= kWheel) {
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
  for (Wiring& wiring : wirings_) {
    std::fill_n(awake_.begin() + wiring.first_block, wiring.blocks, std::uint8_t{1});
  }
}

void Engine::stop_channel(ChannelId channel, bool flits, bool credits) {
  for (Wiring& wiring : wirings_) {
    for (Wire& w : wiring.forward) {
      if (flits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
    }
    for (Wire& w : wiring.backward) {
      if (credits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
    }
  }
}

void Engine::disturb(Terminal from, std::uint32_t wire, Disturbance& by) {
  Wiring& wiring = wirings_.at(from.bank);
  Wire& w = wiring.forward.at(std::size_t{from.block} * wiring.ports + from.port);
  if (w.path == Path::kOpen)
    throw InternalError(fmt::format("wire {} is disturbed and not connected", wire));
  w.path = Path::kDisturbed;
  disturbed_[&w] = {wire, &by};
}

/// Wires that are asked at the far end, in deliver_delayed() and deliver_disturbed(), stay as they
/// are: a frame on a disturbed one is put there and counted, whether somebody hears it or not.
void Engine::kill(std::uint32_t bank, std::uint32_t block) {
  const std::uint32_t place = wirings_[bank].first_block + block;
  dead_[place] = 1;
  awake_[place] = 0;
  wirings_[bank].wires[block] = {};
  wirings_[bank].dead.push_back(block);
  const auto stop = [place](std::vector<Wire>& wires) {
    for (Wire& wire : wires)
      if (wire.path == Path::kDirect && wire.block == place) wire.path = Path::kStopped;
  };
  for (Wiring& wiring : wirings_) {
    stop(wiring.forward);
    stop(wiring.backward);
  }
}

void Engine::reset(std::uint32_t bank, std::uint32_t block) {
  wirings_[bank].bank->reset(block);
  wake(bank, block);
}

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

/// Breaches wait until the first bank is clocked, which other threads may have begun.
void Engine::observe() {
  try {
    for (Observer* observer : observers_)
      observer->observe(cycle_, {flit_events_.data(), flit_count_},
                        {credit_events_.data(), credit_count_});
  } catch (...) {
    breach_ = std::current_exception();
  }
}

/// In pieces of so many blocks, whatever threads there are, so that of several failures it is
/// always the same that is reported.
void Engine::clock_divided(Divisible& bank, std::span<const std::uint32_t> awake,
                           const std::function<void()>& meanwhile) {
  constexpr std::size_t kPiece = 16;
  const std::size_t pieces = (awake.size() + kPiece - 1) / kPiece;
  const auto piece = [&](std::size_t i) {
    const std::size_t first = i * kPiece;
    bank.clock_some(cycle_, awake.subspan(first, std::min(kPiece, awake.size() - first)));
  };
  bank.begin_clock(cycle_);
  if (threads_ != nullptr && pieces > 1) {
    threads_->run(pieces, piece, meanwhile);
  } else {
    meanwhile();
    std::exception_ptr failure;
    for (std::size_t i = 0; i < pieces; ++i) {
      try {
        piece(i);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }
  bank.end_clock(cycle_);
}

void Engine::clock(Wiring& wiring, const std::function<void()>& meanwhile) {
  if (Divisible* const bank = wiring.bank->divisible(); bank != nullptr) {
    clock_divided(*bank, wiring.awake(), meanwhile);
  } else {
    meanwhile();
    wiring.bank->clock(cycle_, wiring.awake());
  }
  wiring.clocked += wiring.awake_count;
  for (const std::uint32_t block : wiring.dead) wiring.wires[block] = {};
  if (skip_) look_who_is_awake(wiring);
}

void Engine::look_who_is_awake(Wiring& wiring) {
  std::uint8_t* const awake = awake_.data() + wiring.first_block;
  const std::uint8_t* const quiescent = wiring.bank->quiescent().data();
  for (const std::uint32_t block : wiring.awake()) awake[block] = quiescent[block] == 0;
  for (const std::uint32_t block : wiring.bank->woken())
    awake_[wiring.first_block + block] = !dead_[wiring.first_block + block];
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

bool Engine::idle() const {
  if (in_delay_ != 0) return false;
  for (const Wiring& wiring : wirings_) {
    for (std::uint32_t b = 0; b < wiring.blocks; ++b) {
      if (awake_[wiring.first_block + b] && !wiring.bank->quiescent(b)) return false;
    }
  }
  return true;
}

void Engine::finish(bool drained) {
  for (Observer* observer : observers_) observer->finish(cycle_, drained);
}

}  // namespace muster::core
