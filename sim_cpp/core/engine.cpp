// SPDX-License-Identifier: Apache-2.0
#include "muster/core/engine.hpp"

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

Engine::Engine() = default;
Engine::~Engine() = default;

void Engine::use_threads(unsigned threads) {
  threads_ = threads > 1 ? std::make_unique<ThreadPool>(threads) : nullptr;
  divided_ = false;
}

std::uint32_t Engine::add_bank(std::unique_ptr<Bank> bank) {
  Wiring wiring;
  const std::uint32_t blocks = bank->blocks();
  wiring.wires = blocks ? &bank->wires(0) : nullptr;
  wiring.tx = blocks ? &bank->tx(0, 0) : nullptr;
  wiring.rows = bank->rows();
  wiring.ports = std::min(bank->ports(), kRowPorts);
  wiring.blocks = blocks;
  wiring.forward.resize(wiring.place(blocks, 0));
  wiring.backward.resize(wiring.forward.size());
  wiring.first_block = static_cast<std::uint32_t>(awake_.size());
  awake_.resize(awake_.size() + (blocks + kFlags - 1) / kFlags * kFlags, 0);
  dead_.resize(awake_.size(), 0);
  wiring.bank = std::move(bank);
  divided_ = false;
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
  divided_ = false;
}

/// As many partitions as threads, one if ranks have divided the blocks already. What cannot be
/// divided goes to the last ones if the caller's thread has observers as well, else to the first:
/// that thread begins before the others.
void Engine::divide() {
  divided_ = true;
  std::size_t count = 1;
  if (threads_ != nullptr && !ranked_) {
    for (const Wiring& wiring : wirings_)
      count = std::max<std::size_t>(count, (wiring.blocks + kFlags - 1) / kFlags);
    count = std::min<std::size_t>(count, threads_->threads());
  }
  const std::size_t pieces = count == 1 ? 1 : count * kPieces;  // of a bank, at most
  const std::size_t more = observers_.empty() ? count - 1 : 0;
  const std::vector<Partition> before = std::exchange(partitions_, std::vector<Partition>(count));
  std::vector<std::uint8_t> partition_of;  // each kFlags blocks
  for (Wiring& wiring : wirings_) {
    wiring.piece_size = kFlags;
    while (wiring.blocks > pieces * wiring.piece_size) wiring.piece_size *= 2;
    wiring.pieces.resize((wiring.blocks + wiring.piece_size - 1) / wiring.piece_size);
    wiring.awake.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
      Awake& here = wiring.awake[p];
      const auto first_of = [&](std::size_t partition) {
        return static_cast<std::uint32_t>((partition * wiring.pieces.size() + more) / count);
      };
      here.first = first_of(p);
      here.end = first_of(p + 1);
      const std::uint32_t begin = std::min(here.first * wiring.piece_size, wiring.blocks);
      const std::uint32_t end = std::min(here.end * wiring.piece_size, wiring.blocks);
      here.list = FlagList(end - begin);
      partition_of.resize((wiring.first_block + end + kFlags - 1) / kFlags,
                          static_cast<std::uint8_t>(p));
    }
  }
  for (std::size_t p = 0; p < count; ++p) {
    partitions_[p].number = static_cast<std::uint8_t>(p);
    partitions_[p].flits.crossing.resize(count);
    partitions_[p].backs.crossing.resize(count);
    partitions_[p].leaving.resize(count);
  }
  std::vector<std::size_t> flits(count, 1), credits(count, 1);  // and one not observed
  const auto lead = [&](Wire& wire, std::uint8_t from, std::vector<std::size_t>& events) {
    if (wire.path == Path::kOpen) return;
    ++events[from];
    wire.partition = partition_of[wire.block / kFlags];
    if (wire.path == Path::kDirect || wire.path == Path::kCrossing)
      wire.path = wire.partition == from ? Path::kDirect : Path::kCrossing;
  };
  for (Wiring& wiring : wirings_) {
    for (std::size_t at = 0; at < wiring.forward.size(); ++at) {
      const std::size_t block = wiring.first_block + at / wiring.place(1, 0);
      lead(wiring.forward[at], partition_of[block / kFlags], flits);
      lead(wiring.backward[at], partition_of[block / kFlags], credits);
    }
  }
  for (Partition& partition : partitions_) {
    partition.flit_events.resize(flits[partition.number]);
    partition.credit_events.resize(credits[partition.number]);
  }
  divide_observers();
  const auto append = [](auto& to, const auto& further) {
    to.insert(to.end(), further.begin(), further.end());
  };
  for (const Partition& old : before) {
    partitions_[0].in_delay += old.in_delay;
    for (unsigned cycle = 0; cycle < kWheel; ++cycle) {
      append(partitions_[0].flits.delayed[cycle], old.flits.delayed[cycle]);
      append(partitions_[0].backs.delayed[cycle], old.backs.delayed[cycle]);
    }
  }
}

/// The sender of flits is at the far end of the wire of their credits.
void Engine::divide_observers() {
  const bool before = !divided_observers_.empty();
  divided_observers_.clear();
  std::vector<EndPartitions> ends;
  const auto note = [&](const std::vector<Wire>& wires, std::uint8_t EndPartitions::*end) {
    for (const Wire& wire : wires) {
      if (wire.channel == kUnobserved) continue;
      if (wire.channel >= ends.size()) ends.resize(wire.channel + 1);
      ends[wire.channel].*end = wire.partition;
    }
  };
  for (const Wiring& wiring : wirings_) {
    note(wiring.forward, &EndPartitions::receiver);
    note(wiring.backward, &EndPartitions::sender);
  }
  for (Observer* observer : observers_) {
    DividedObserver* const divided = observer->divided();
    if (divided != nullptr && partitions_.size() > 1 && divided->divide(partitions_.size(), ends))
      divided_observers_.push_back(divided);
  }
  if (cycle_ != 0 && (before || !divided_observers_.empty()))
    throw InternalError("cycle {}: observers are divided after the first cycle", cycle_);
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
      if ((wire.path == Path::kDirect || wire.path == Path::kCrossing) && wire.block == place)
        wire.path = Path::kStopped;
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
  for (const Partition& partition : partitions_)
    if (partition.in_delay != 0) return false;
  for (const Wiring& wiring : wirings_) {
    for (std::uint32_t b = 0; b < wiring.blocks; ++b)
      if (awake_[wiring.first_block + b] && !wiring.bank->quiescent(b)) return false;
  }
  return true;
}

void Engine::share(std::shared_ptr<Ranks> ranks) {
  if (ranks->rank() != 0) observers_.clear();
  divided_ = false;
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

}  // namespace muster::core
