// SPDX-License-Identifier: Apache-2.0
#include "muster/core/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/awake_flags.hpp"
#include "core/ranked_cycle.hpp"
#include "core/thread_pool.hpp"
#include "muster/core/error.hpp"

// What an engine is made of, and its faults. A cycle: engine_cycle.cpp.
namespace muster::core {

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
  wiring.ports = bank->ports();
  wiring.blocks = blocks;
  wiring.list = BitList(blocks);
  wiring.forward.resize(std::size_t{blocks} * wiring.ports);
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
  wire.to = &wirings_[end.bank].bank->wires(end.block);
  wire.rx = &wirings_[end.bank].bank->rx(end.block, end.port);
  wire.channel = channel;
  wire.block = wirings_[end.bank].first_block + end.block;
  wire.bit = static_cast<std::uint16_t>(1u << end.port);
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
  if (ranked_) ranked_->tell_others(Order::kStop, channel, flits, credits);
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
/// are: a frame on a disturbed one is put there and counted, whether a receiver hears it or not.
void Engine::kill(std::uint32_t bank, std::uint32_t block) {
  if (ranked_) ranked_->tell_others(Order::kKill, bank, block);
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
