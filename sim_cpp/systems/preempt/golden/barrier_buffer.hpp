// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "muster/core/flit.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::golden {

/// A message on its way through a preempting switch: the barrier buffer of an input port, and the
/// one of the origin (docs/systems/preempting-switches.md, Barrier buffers).
class BarrierBuffer {
 public:
  enum class State : std::uint8_t {
    kFilling,   ///< 0 flits or more are there, the last is not
    kComplete,  ///< all are; the unit has not taken it
    kRouting,   ///< of the origin: filled, and its route read, in the cycle before
    kGoing      ///< waits for an output, or is served by one
  };
  /// What a cycle of the link has done, at its edge.
  struct Framing {
    bool malformed = false;  ///< a message, or a part of one, is lost
    bool freed = false;      ///< the credit returns
  };

  State state() const { return state_; }
  bool empty() const { return state_ == State::kFilling && count_ == 0 && !broken_; }
  /// Legal outputs of the message. From the second flit on.
  std::uint16_t mask() const { return mask_; }
  std::uint32_t left() const { return count_ - gone_; }  ///< flits that have not gone
  const core::Flit& next() const { return flits_[gone_]; }
  // REQUIRES of both: all of the message is there.
  preempt::BsrMessage message() const { return preempt::bsr_message(flits_); }
  bool first_message() const { return preempt::bsr_type(flits_[0]) == preempt::BsrType::kFirst; }

  /// A flit of a message comes from the link. `route`: legal outputs to the destination that it
  /// names, if it is the flit that names one.
  Framing receive(const core::Flit& flit, std::uint16_t route);
  /// None comes.
  Framing silence();
  /// The message that goes on, or that the origin sends.
  void load(const preempt::BsrMessage& message, std::uint16_t mask, State state);
  void go() { state_ = State::kGoing; }
  /// A flit has left by an output. True if the buffer is free again.
  bool sent();
  void clear() { *this = BarrierBuffer{}; }

 private:
  static constexpr std::uint32_t kTimeout = 4;  // cycles without a flit that end a message

  State state_ = State::kFilling;
  bool broken_ = false;  // filling: flits have come whose first has not
  std::uint8_t count_ = 0, gone_ = 0, silent_ = 0;
  std::uint16_t mask_ = 0;
  std::array<core::Flit, preempt::kBsrFlits> flits_{};
};

}  // namespace muster::golden
