// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fabric/checkers/checker.hpp"

namespace muster::checkers {

/// The events that a checker needs. A run shows it these; it ignores others that it is shown.
struct Sees {
  enum class Channels : std::uint8_t { kAll, kOfNodes };
  /// Virtual channels by what they carry, see Subject::worm_channel.
  enum class Lanes : std::uint8_t { kOrdinary, kWorms, kBoth };

  bool sync = false;    ///< barrier messages
  bool heads = false;   ///< of packets
  bool bodies = false;  ///< the other flits of packets
  Channels channels = Channels::kAll;
  Lanes lanes = Lanes::kOrdinary;
  bool credits = false;
  bool behind_pipe = false;  ///< flits and credits behind the delay pipes
  bool cycles = false;       ///< the end of each cycle
};

/// A checker that is shown the events of every cycle: all flits, then all credits, then the end of
/// the cycle. The order of the flits of one cycle means nothing.
class LinkChecker : public Checker {
 public:
  using Checker::Checker;
  virtual ~LinkChecker() = default;
  /// Constant from construction on.
  virtual Sees sees() const = 0;

  virtual void flit(std::uint64_t /*cycle*/, const core::FlitEvent& /*event*/) {}
  virtual void credit(std::uint64_t /*cycle*/, const core::CreditEvent& /*event*/) {}
  /// The same behind the delay pipe of a channel, with the number of the channel; all flits. Only
  /// with Subject::pipe.
  virtual void flit_behind_pipe(std::uint64_t /*cycle*/, const core::FlitEvent& /*event*/) {}
  virtual void credit_behind_pipe(std::uint64_t /*cycle*/, const core::CreditEvent& /*event*/) {}
  virtual void end_cycle(std::uint64_t /*cycle*/) {}
  /// The run is over: the network is empty (`drained`) or was stopped.
  virtual void finish(std::uint64_t /*cycle*/, bool /*drained*/) {}

  /// How much later the last release of a barrier of a group could have come, in cycles, where this
  /// checker bounds it.
  virtual std::optional<std::uint64_t> slack(std::uint32_t /*group*/,
                                             std::uint32_t /*barrier*/) const {
    return std::nullopt;
  }
};

}  // namespace muster::checkers
