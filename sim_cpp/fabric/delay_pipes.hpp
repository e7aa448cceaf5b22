// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>

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
  DelayPipes(std::uint32_t pipes, const PipeConfig& config);
  /// From one header to the next this pipe lets `cycles` pass at least. REQUIRES: before the first
  /// cycle.
  void occupy(std::uint32_t block, std::uint32_t cycles) { pipes_[block].occupancy = cycles; }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  std::string describe(std::uint32_t block) const override;

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
    bool owes_buffer = false;           ///< the sender has not got its credit `vcs` back
    bool room = true;                   ///< in the receiver's pocket or barrier buffer
    std::uint32_t occupancy = 0;        ///< cycles from a header to the next
    std::uint64_t next_header = 0;      ///< the first cycle on whose wires one may be
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
  std::uint32_t queue_of(const core::Flit& flit) const;
  bool may_leave(const Pipe& pipe, std::uint32_t queue, const core::Flit& flit) const;
  void send(std::uint64_t cycle, std::uint32_t block);
  bool empty(const Pipe& pipe) const;

  PipeConfig config_;
  std::uint32_t
      queues_;  ///< one a virtual channel, and one of sync flits unless they take its credits
  std::uint32_t message_flits_;  ///< of the longest
  std::vector<Pipe> pipes_;
};

}  // namespace muster::fabric
