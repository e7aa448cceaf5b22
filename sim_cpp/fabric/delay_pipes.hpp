// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <deque>

#include "muster/core/bits.hpp"
#include "muster/fabric/network.hpp"

namespace muster::fabric {

/// Elastic pipes, one a block, that a timing profile lays into the channels: what comes in goes out
/// `delay` cycles later, in the order of its virtual channel, or as soon after that as a credit
/// allows; of several virtual channels that could send the one whose flit has waited longest goes
/// first.
///
/// A pipe has storage of its own for the flits that `delay` cycles can bring: a sender gets the
/// credit for a flit back at once while at most `delay` flits of the virtual channel use that
/// storage, so that a pipe adds latency and takes no bandwidth. Beyond that it returns one for each
/// flit that leaves. So a pipe holds at most `delay` + `depth` flits of a virtual channel.
///
/// Sync flits that take no credit have storage without end: the groups that use a link bound them.
/// Where barrier messages have a buffer of their own at the receiver the same holds for its credit:
/// the sender gets it back at once while the message and the flits before it in its queue are no
/// more than `delay` and a message. A message begins to leave with the receiver's credit, in the
/// order in which messages came, whatever their virtual channels. Its flits stay together.
///
/// A pipe can be told that what it leads to takes a header (the first flit of a packet or of a
/// barrier message) only every so many cycles. Others wait in it, each with what is behind it in
/// its queue; flits of what has begun to leave go on.
///
/// Harness, no hardware: the same bank on every engine.
class DelayPipes : public core::Bank {
 public:
  /// `config.delay` >= 1. Of the others all but `occupancy` count. Where there are barrier buffers,
  /// pads are as data.
  DelayPipes(std::uint32_t pipes, const PipeConfig& config)
      : Bank(pipes, 1),
        config_(config),
        queues_(config.vcs + (config.sync_credits != SyncCredits::kBoth &&
                              config.sync_credits != SyncCredits::kQueued)),
        message_flits_(has_barrier_buffer(config.sync_credits) ? kBarrierBufferFlits : 1),
        pipes_(pipes) {
    for (Pipe& pipe : pipes_) {
      pipe.credits.fill(config.depth);
      pipe.room = config.buffers;
    }
  }
  /// From one header to the next this pipe lets `cycles` pass at least. REQUIRES: before the first
  /// cycle.
  void occupy(std::uint32_t block, std::uint32_t cycles) { pipes_[block].occupancy = cycles; }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    const std::uint64_t buffer = buffered() ? std::uint64_t{1} << config_.vcs : 0;
    for (const std::uint32_t block : awake) {
      core::BlockWires& w = wires_[block];
      Pipe& pipe = pipes_[block];
      pipe.room += (w.tx_back & buffer) != 0;
      core::for_each_bit(w.tx_back & ~buffer, [&](std::uint32_t v) { ++pipe.credits[v]; });
      if (w.rx_valid != 0) {
        const core::Flit& flit = rx(block, 0);
        const std::uint32_t queue = queue_of(flit);
        pipe.queue[queue].push_back({cycle + config_.delay, flit});
        if (queue < config_.vcs) ++pipe.owed[queue];
        if (begins(flit)) {
          pipe.last_message = static_cast<std::uint8_t>(queue);
          pipe.messages.push_back(pipe.last_message);
          ++pipe.owed_buffers;
        }
      }
      w = {};
      send(cycle, block);
      if (pipe.owed_buffers != 0 && pipe.queue[pipe.last_message].size() <
                                        config_.delay + message_flits_ * pipe.owed_buffers) {
        --pipe.owed_buffers;
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
  std::string describe(std::uint32_t block) const override {
    const Pipe& pipe = pipes_[block];
    std::string text = fmt::format("pipe {} of {} cycles: flits, credits", block, config_.delay);
    for (std::uint32_t v = 0; v < config_.vcs; ++v)
      text += fmt::format(" {},{}", pipe.queue[v].size(), pipe.credits[v]);
    return text;
  }

 private:
  static constexpr unsigned kQueues = 5;
  struct Held {
    std::uint64_t due;  ///< cycle from which on it may be on the wires
    core::Flit flit;
  };
  struct Pipe {
    std::array<std::deque<Held>, kQueues> queue;
    std::array<std::uint32_t, kQueues> owed{};  ///< flits whose credit has not been returned
    std::array<std::uint32_t, kQueues> credits{};
    std::deque<std::uint8_t> messages;  ///< queues of those that have not begun to leave, in order
    std::uint8_t last_message = 0;      ///< queue of the youngest
    std::uint32_t owed_buffers = 0;     ///< credits `vcs` that the sender has not got back
    std::uint32_t room = 0;         ///< pockets or barrier buffers of the receiver that are free
    std::uint32_t occupancy = 0;    ///< cycles from a header to the next
    std::uint64_t next_header = 0;  ///< the first cycle on whose wires one may be
  };
  bool buffered() const { return has_extra_credit(config_.sync_credits); }
  /// A message begins with this flit.
  bool begins(const core::Flit& flit) const {
    if (config_.sync_credits == SyncCredits::kPocket) return flit.sync();
    return buffered() && flit.kind == core::Flit::kFirst;
  }
  /// A packet or a message of any kind begins with this flit.
  bool header(const core::Flit& flit) const {
    if (!flit.sync()) return flit.head();
    return buffered() ? begins(flit) : flit.kind == core::Flit::kSync;
  }
  /// That of its virtual channel, or that of sync flits which pass data.
  std::uint32_t queue_of(const core::Flit& flit) const {
    if (!flit.sync() || config_.sync_credits == SyncCredits::kBoth ||
        config_.sync_credits == SyncCredits::kQueued)
      return flit.vc;
    return config_.sync_credits == SyncCredits::kBuffer && flit.kind == core::Flit::kPad
               ? flit.vc
               : config_.vcs;
  }
  /// It has the credits that it needs.
  bool may_leave(const Pipe& pipe, std::uint32_t queue, const core::Flit& flit) const {
    const bool message = begins(flit);
    if (message && (pipe.room == 0 || pipe.messages.front() != queue)) return false;
    return queue == config_.vcs || pipe.credits[queue] >= (message ? message_flits_ : 1);
  }
  /// A barrier message of one flit or the next flit of one that has begun to leave, else the one
  /// that has waited longest among those that are due and have a credit.
  void send(std::uint64_t cycle, std::uint32_t block) {
    Pipe& pipe = pipes_[block];
    std::uint32_t oldest = queues_;
    for (std::uint32_t v = 0; v < queues_; ++v) {
      const std::deque<Held>& queue = pipe.queue[v];
      if (queue.empty() || queue.front().due > cycle + 1) continue;
      if (!may_leave(pipe, v, queue.front().flit)) continue;
      if (cycle + 1 < pipe.next_header && header(queue.front().flit)) continue;
      const bool first = queue.front().flit.kind == core::Flit::kSync;
      if (first || oldest == queues_ || queue.front().due < pipe.queue[oldest].front().due)
        oldest = v;
      if (first) break;
    }
    if (oldest == queues_) return;
    const core::Flit flit = pipe.queue[oldest].front().flit;
    if (begins(flit)) {
      pipe.messages.pop_front();
      --pipe.room;
    }
    if (header(flit)) pipe.next_header = cycle + 1 + pipe.occupancy;
    tx(block, 0) = flit;
    pipe.queue[oldest].pop_front();
    if (oldest < config_.vcs) --pipe.credits[oldest];
    wires_[block].tx_valid = 1;
  }
  bool empty(const Pipe& pipe) const {
    for (std::uint32_t v = 0; v < queues_; ++v)
      if (!pipe.queue[v].empty() || pipe.owed[v] != 0) return false;
    return pipe.owed_buffers == 0;
  }

  PipeConfig config_;
  std::uint32_t
      queues_;  ///< one a virtual channel, and one of sync flits unless they take its credits
  std::uint32_t message_flits_;  ///< of the longest
  std::vector<Pipe> pipes_;
};

}  // namespace muster::fabric
