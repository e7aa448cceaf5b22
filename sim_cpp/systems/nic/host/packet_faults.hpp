// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"
#include "muster/systems/nic.hpp"

namespace muster::nic {

/// Throws InputError, naming the option, if a rate is not in 0..1.
const FaultRates& validate(const FaultRates& rates);

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
