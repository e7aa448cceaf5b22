// SPDX-License-Identifier: Apache-2.0
#include "muster/core/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "core/ranked_cycle.hpp"
#include "muster/core/error.hpp"

namespace muster::core {

void Bank::request(const RegisterRequest& request) {
  throw InternalError("block " + std::to_string(request.block) +
                      " of a bank without register ports in cycles is asked for a register");
}

void Bank::reset(std::uint32_t block) {
  throw InternalError("block " + std::to_string(block) + " of a bank without reset is reset");
}

// What an engine is made of, and its faults.

/// There is room for one event more than channels, what is written and not observed.
Engine::Engine() : flit_events_(1), credit_events_(1) {}
Engine::~Engine() = default;

void Engine::use_threads(unsigned threads) {
  threads_ = threads > 1 ? std::make_unique<ThreadPool>(threads) : nullptr;
}

std::uint32_t Engine::add_bank(std::unique_ptr<Bank> bank) {
  Wiring wiring;
  const std::uint32_t blocks = bank->blocks();
  wiring.wires = blocks ? &bank->wires(0) : nullptr;
  wiring.tx = blocks ? &bank->tx(0, 0) : nullptr;
  wiring.rows = bank->rows();
  wiring.ports = std::min(bank->ports(), kRowPorts);
  wiring.blocks = blocks;
  wiring.list = BitList(blocks);
  wiring.forward.resize(wiring.place(blocks, 0));
  wiring.backward.resize(wiring.forward.size());
  wiring.first_block = static_cast<std::uint32_t>(awake_.size());
  awake_.resize(awake_.size() + (blocks + kFlags - 1) / kFlags * kFlags, 0);
  dead_.resize(awake_.size(), 0);
  wiring.bank = std::move(bank);
  wirings_.push_back(std::move(wiring));
  return static_cast<std::uint32_t>(wirings_.size() - 1);
}

Engine::Wire Engine::wire_to(Terminal end, ChannelId channel, std::uint32_t latency) const {
  Wire wire;
  const std::uint32_t port = end.port % kRowPorts;
  wire.to = &wirings_[end.bank].bank->wires(end.block, end.port / kRowPorts);
  wire.rx = &wirings_[end.bank].bank->rx(end.block, end.port);
  wire.channel = channel;
  wire.block = wirings_[end.bank].first_block + end.block;
  wire.bit = static_cast<std::uint16_t>(1u << port);
  wire.port = static_cast<std::uint8_t>(port);
  wire.latency = static_cast<std::uint8_t>(latency);
  wire.path = latency == 1 ? Path::kDirect : Path::kDelayed;
  return wire;
}

void Engine::connect(ChannelId channel, Terminal from, Terminal to, std::uint32_t latency) {
  Wiring& out = wirings_.at(from.bank);
  Wiring& in = wirings_.at(to.bank);
  Wire& forward = out.forward.at(out.place(from.block, from.port));
  Wire& backward = in.backward.at(in.place(to.block, to.port));
  if (forward.path != Path::kOpen || backward.path != Path::kOpen || latency == 0 ||
      latency >= kWheel) {
    throw InternalError("channel {}: end in use or latency {} outside 1..{}", channel, latency,
                        kWheel - 1);
  }
  forward = wire_to(to, channel, latency);
  backward = wire_to(from, channel, latency);
  flit_events_.emplace_back();
  credit_events_.emplace_back();
}

void Engine::set_skip(bool skip) {
  skip_ = skip;
  if (skip) return;
  for (Wiring& wiring : wirings_)
    std::fill_n(awake_.begin() + wiring.first_block, wiring.blocks, std::uint8_t{1});
}

void Engine::stop_channel(ChannelId channel, bool flits, bool credits) {
  if (ranked_) ranked_->tell_others(Order::kStop, channel, flits, credits);
  for (Wiring& wiring : wirings_) {
    for (Wire& w : wiring.forward)
      if (flits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
    for (Wire& w : wiring.backward)
      if (credits && w.path != Path::kOpen && w.channel == channel) w.path = Path::kStopped;
  }
}

void Engine::disturb(Terminal from, std::uint32_t wire, Disturbance& by) {
  Wiring& wiring = wirings_.at(from.bank);
  Wire& w = wiring.forward.at(wiring.place(from.block, from.port));
  if (w.path == Path::kOpen) throw InternalError("wire {} is disturbed and not connected", wire);
  w.path = Path::kDisturbed;
  disturbed_[&w] = {wire, &by};
}

/// Wires that are asked at the far end, in deliver_delayed() and deliver_after(), stay as they
/// are: a frame on a disturbed one is put there and counted, whether a receiver hears it or not.
void Engine::kill(std::uint32_t bank, std::uint32_t block) {
  if (ranked_) ranked_->tell_others(Order::kKill, bank, block);
  const std::uint32_t place = wirings_[bank].first_block + block;
  dead_[place] = 1;
  awake_[place] = 0;
  wirings_[bank].silence(block);
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

bool Engine::idle() const {
  if (in_delay_ != 0) return false;
  for (const Wiring& wiring : wirings_) {
    for (std::uint32_t b = 0; b < wiring.blocks; ++b)
      if (awake_[wiring.first_block + b] && !wiring.bank->quiescent(b)) return false;
  }
  return true;
}

void Engine::share(std::shared_ptr<Ranks> ranks) {
  if (ranks->rank() != 0) observers_.clear();
  ranked_ = std::make_unique<RankedCycle>(*this, std::move(ranks));
}
void Engine::serve(const std::function<bool()>& interrupted) { ranked_->serve(interrupted); }
bool Engine::interrupted_elsewhere() const { return ranked_ && ranked_->interrupted(); }
void Engine::run_ahead(bool may) {
  if (ranked_) ranked_->run_ahead(may);
}
void Engine::wake_elsewhere(std::uint32_t bank, std::uint32_t block) const {
  ranked_->wake(bank, block);
}

void Engine::finish(bool drained) {
  for (Observer* observer : observers_) observer->finish(cycle_, drained);
}

// A cycle: what is on the wires is carried, and all is clocked.
namespace {

inline void put_back(BlockWires& to, unsigned port, std::uint8_t back) {
  to.tx_back |= std::uint64_t{back} << (4 * port);
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
  if (wire.path == Path::kDelayed) return deliver_after(wire, flit, wire.latency - 1u);
  if (wire.path != Path::kDisturbed) return;
  const Disturbed& disturbed = disturbed_.at(&wire);
  const Arriving arriving = disturbed.by->pass(disturbed.wire, cycle_, flit);
  for (std::uint32_t i = 0; i < arriving.count; ++i)
    deliver_after(wire, arriving.flits[i], wire.latency - 1u + i);
}

/// REQUIRES: `cycles` below kWheel.
void Engine::deliver_after(const Wire& wire, const Flit& flit, std::uint32_t cycles) {
  if (cycles != 0) {
    delayed_flits_[(cycle_ + cycles) % kWheel].push_back({&wire, flit});
    ++in_delay_;
  } else if (!dead_[wire.block]) {
    receive(wire, flit);
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

/// What drives a wire is awake. Here a block is a row of ports. The ports of some are a word, so
/// that the loops are long: where one ends cannot be predicted, and that is most of its time. In
/// `sending` the ports of a block lie together, in `returning` they lie apart, which is less work.
///
/// What the loops need is in local variables: a store to a flag, a byte, may alias any member.
template <bool kObserved, unsigned kWidth>
void Engine::carry(Wiring& wiring) {
  using Ports = PortWords<kWidth>;
  const std::span<const std::uint32_t> driving =
      wiring.rows == 1 ? wiring.awake() : std::span<const std::uint32_t>(wiring.driving);
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
  if (wiring.rows == 1) return;
  wiring.driving.clear();
  for (const std::uint32_t block : wiring.awake())
    for (std::uint32_t row = 0; row < wiring.rows; ++row)
      wiring.driving.push_back(block * wiring.rows + row);
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
  threaded_ = threads_ != nullptr && threads_->worthwhile();
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

// The edge of a cycle, by one thread or several (docs/reference/performance.md, Threads).

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

/// In pieces of neighbours, the same in each cycle, so that a thread finds what it has left; and
/// whatever threads there are, so that of several failures it is always the same that is reported.
void Engine::in_pieces(std::span<const std::uint32_t> blocks, const Piece& clock,
                       const std::function<void()>& meanwhile) {
  constexpr std::uint32_t kPiece = 16;
  piece_starts_.clear();
  for (std::uint32_t i = 0; i < blocks.size(); ++i)
    while (piece_starts_.size() <= blocks[i] / kPiece) piece_starts_.push_back(i);
  const auto pieces = static_cast<std::uint32_t>(piece_starts_.size());
  piece_starts_.push_back(static_cast<std::uint32_t>(blocks.size()));
  const auto piece = [&](std::size_t i) {
    const std::uint32_t first = piece_starts_[i], end = piece_starts_[i + 1];
    if (first != end) clock(blocks.subspan(first, end - first));
  };
  if (threaded_ && pieces > 1) return threads_->run(pieces, piece, meanwhile);
  meanwhile();
  std::exception_ptr failure;
  for (std::uint32_t i = 0; i < pieces; ++i) {
    try {
      piece(i);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void Engine::clock(Wiring& wiring, const std::function<void()>& meanwhile) {
  if (Divisible* const bank = wiring.bank->divisible(); bank != nullptr) {
    bank->begin_clock(cycle_, wiring.awake());
    in_pieces(
        wiring.awake(),
        [&](std::span<const std::uint32_t> some) { bank->clock_some(cycle_, some); }, meanwhile);
    bank->end_clock(cycle_);
  } else {
    meanwhile();
    wiring.bank->clock(cycle_, wiring.awake());
  }
}

void Engine::after_clock(Wiring& wiring) {
  wiring.clocked += wiring.awake().size();
  for (const std::uint32_t block : wiring.dead) wiring.silence(block);
  if (!skip_) return;
  std::uint8_t* const awake = awake_.data() + wiring.first_block;
  const std::uint8_t* const quiescent = wiring.bank->quiescent().data();
  for (const std::uint32_t block : wiring.awake()) awake[block] = quiescent[block] == 0;
  for (const std::uint32_t block : wiring.bank->woken())
    awake[block] = !dead_[wiring.first_block + block];
}

}  // namespace muster::core
