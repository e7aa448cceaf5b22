// SPDX-License-Identifier: Apache-2.0
#include "fabric/delay_pipes.hpp"

#include <fmt/format.h>

#include "muster/core/bits.hpp"

namespace muster::fabric {

using core::Flit;

DelayPipes::DelayPipes(std::uint32_t pipes, const PipeConfig& config)
    : Bank(pipes, 1),
      config_(config),
      queues_(config.vcs + (config.sync_credits != SyncCredits::kBoth)),
      message_flits_(has_barrier_buffer(config.sync_credits) ? kBarrierBufferFlits : 1),
      pipes_(pipes) {
  for (Pipe& pipe : pipes_) pipe.credits.fill(config.depth);
}

void DelayPipes::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  const std::uint64_t buffer = buffered() ? std::uint64_t{1} << config_.vcs : 0;
  for (const std::uint32_t block : awake) {
    core::BlockWires& w = wires_[block];
    Pipe& pipe = pipes_[block];
    pipe.room |= (w.tx_back & buffer) != 0;
    core::for_each_bit(w.tx_back & ~buffer, [&](std::uint32_t v) { ++pipe.credits[v]; });
    if (w.rx_valid != 0) {
      const Flit& flit = rx(block, 0);
      const std::uint32_t queue = queue_of(flit);
      pipe.queue[queue].push_back({cycle + config_.delay, flit});
      if (queue < config_.vcs) ++pipe.owed[queue];
      if (begins(flit)) {
        pipe.last_message = static_cast<std::uint8_t>(queue);
        pipe.messages.push_back(pipe.last_message);
        pipe.owes_buffer = true;
      }
    }
    w = {};
    send(cycle, block);
    if (pipe.owes_buffer && pipe.queue[pipe.last_message].size() < config_.delay + message_flits_) {
      pipe.owes_buffer = false;
      w.rx_back |= buffer;
    }
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      if (pipe.owed[v] == 0 || pipe.queue[v].size() >= config_.delay + pipe.owed[v]) continue;
      --pipe.owed[v];
      w.rx_back |= std::uint64_t{1} << v;
    }
    quiescent_[block] = w.tx_valid == 0 && w.rx_back == 0 && empty(pipe);
  }
}

/// That of its virtual channel, or that of sync flits which pass data.
std::uint32_t DelayPipes::queue_of(const Flit& flit) const {
  if (!flit.sync() || config_.sync_credits == SyncCredits::kBoth) return flit.vc;
  return config_.sync_credits == SyncCredits::kBuffer && flit.kind == Flit::kPad ? flit.vc
                                                                                 : config_.vcs;
}

/// It has the credits that it needs.
bool DelayPipes::may_leave(const Pipe& pipe, std::uint32_t queue, const Flit& flit) const {
  const bool message = begins(flit);
  if (message && (!pipe.room || pipe.messages.front() != queue)) return false;
  return queue == config_.vcs || pipe.credits[queue] >= (message ? message_flits_ : 1);
}

/// A barrier message of one flit or the next flit of one that has begun to leave, else the one that
/// has waited longest among those that are due and have a credit.
void DelayPipes::send(std::uint64_t cycle, std::uint32_t block) {
  Pipe& pipe = pipes_[block];
  std::uint32_t oldest = queues_;
  for (std::uint32_t v = 0; v < queues_; ++v) {
    const std::deque<Held>& queue = pipe.queue[v];
    if (queue.empty() || queue.front().due > cycle + 1) continue;
    if (!may_leave(pipe, v, queue.front().flit)) continue;
    if (cycle + 1 < pipe.next_header && header(queue.front().flit)) continue;
    const bool first = queue.front().flit.kind == Flit::kSync;
    if (first || oldest == queues_ || queue.front().due < pipe.queue[oldest].front().due)
      oldest = v;
    if (first) break;
  }
  if (oldest == queues_) return;
  const Flit flit = pipe.queue[oldest].front().flit;
  if (begins(flit)) {
    pipe.messages.pop_front();
    pipe.room = false;
  }
  if (header(flit)) pipe.next_header = cycle + 1 + pipe.occupancy;
  tx(block, 0) = flit;
  pipe.queue[oldest].pop_front();
  if (oldest < config_.vcs) --pipe.credits[oldest];
  wires_[block].tx_valid = 1;
}

bool DelayPipes::empty(const Pipe& pipe) const {
  for (std::uint32_t v = 0; v < queues_; ++v)
    if (!pipe.queue[v].empty() || pipe.owed[v] != 0) return false;
  return !pipe.owes_buffer;
}

std::string DelayPipes::describe(std::uint32_t block) const {
  const Pipe& pipe = pipes_[block];
  std::string text = fmt::format("pipe {} of {} cycles: flits, credits", block, config_.delay);
  for (std::uint32_t v = 0; v < config_.vcs; ++v)
    text += fmt::format(" {},{}", pipe.queue[v].size(), pipe.credits[v]);
  return text;
}

}  // namespace muster::fabric
