// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"

namespace muster::nic {

/// Share of packets, each by its own draw, that a link loses, doubles, holds back with all that
/// come after, lets overtake by those after, damages. Rates 0 to 1.
struct FaultRates {
  double drop = 0.0, duplicate = 0.0, delay = 0.0, reorder = 0.0, corrupt = 0.0;
  std::uint32_t longest_delay = 1000;  ///< cycles, at least 1; of delay and reorder

  bool any() const { return drop + duplicate + delay + reorder + corrupt > 0.0; }
};

/// Throws InputError, naming the option, if a rate is not in 0..1.
const FaultRates& validate(const FaultRates& rates);

struct FaultCounts {
  std::uint64_t packets = 0;  ///< that came
  std::uint64_t dropped = 0, duplicated = 0, delayed = 0, reordered = 0, corrupted = 0;

  FaultCounts& operator+=(const FaultCounts& other) {
    packets += other.packets;
    dropped += other.dropped;
    duplicated += other.duplicated;
    delayed += other.delayed;
    reordered += other.reordered;
    corrupted += other.corrupted;
    return *this;
  }
};

/// The packets on one faulty link: what is put in comes out, or not, or twice, or later, or with 1
/// to 3 bits of its payload flipped.
class PacketFaults {
 public:
  /// `stream`: number of the link, so that each has draws of its own.
  PacketFaults(const FaultRates& rates, std::uint64_t seed, std::uint64_t stream)
      : rates_(rates), rng_(seed, stream) {}

  void put(std::uint64_t cycle, std::vector<core::Flit> packet);
  /// The next packet that has come through by this cycle.
  std::optional<std::vector<core::Flit>> take(std::uint64_t cycle);
  bool empty() const { return held_.empty(); }
  const FaultCounts& counts() const { return counts_; }

 private:
  struct Held {
    std::uint64_t due;
    std::vector<core::Flit> packet;
  };
  bool draw(double rate, std::uint64_t& count);
  void damage(std::vector<core::Flit>& packet);
  void hold(std::uint64_t cycle, std::vector<core::Flit> packet);

  FaultRates rates_;
  Rng rng_;
  std::deque<Held> held_;         ///< ascending by due
  std::uint64_t not_before_ = 0;  ///< a delayed packet holds up those that come after it
  FaultCounts counts_;
};

}  // namespace muster::nic
