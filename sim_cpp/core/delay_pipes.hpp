// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>

#include "muster/core/bank.hpp"

namespace muster::core {

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
/// Harness, no hardware: the same bank on every engine.
class DelayPipes : public Bank {
 public:
  /// `depth`: credits of each virtual channel, both into the pipe and out of it. `delay` >= 1.
  DelayPipes(std::uint32_t pipes, std::uint32_t vcs, std::uint32_t depth, std::uint32_t delay);

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  /// Pipes have no registers: writes are ignored, reads give 0.
  void write_register(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  std::uint32_t read_register(std::uint32_t, std::uint32_t) override { return 0; }
  std::string describe(std::uint32_t block) const override;

 private:
  static constexpr unsigned kVcs = 4;
  struct Held {
    std::uint64_t due;  ///< cycle from which on it may be on the wires
    Flit flit;
  };
  struct Pipe {
    std::array<std::deque<Held>, kVcs> queue;
    std::array<std::uint32_t, kVcs> owed{};  ///< flits whose credit has not been returned
    std::array<std::uint32_t, kVcs> credits{};
  };
  void send(std::uint64_t cycle, std::uint32_t block);
  bool empty(const Pipe& pipe) const;

  std::uint32_t vcs_, delay_;
  std::vector<Pipe> pipes_;
};

}  // namespace muster::core
