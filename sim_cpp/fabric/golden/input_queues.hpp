// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/golden/flit_rings.hpp"

namespace muster::golden {

/// The lanes whose queue is not empty, by what stands at the head.
struct Heads {
  std::uint64_t data = 0;  ///< a flit that is not sync
  std::uint64_t sync = 0;
  std::uint64_t all() const { return data | sync; }
};

/// The queues of a switch whose packets go the way of DataPath: they hold sync flits too.
class InputQueues {
 public:
  /// `flits`: FlitRings::storage(config).
  InputQueues(const fabric::SwitchConfig& config, core::Flit* flits) : rings_(config, flits) {}

  Heads heads() const { return {rings_.filled() & ~sync_, rings_.filled() & sync_}; }
  const core::Flit& head(std::uint32_t lane) const { return rings_.head(lane); }
  std::uint32_t size(std::uint32_t lane) const { return rings_.size(lane); }

  /// Of a flit that is headless, beside kTail: it leaves as a cut mark, the tail of the packet that
  /// was open, or goes nowhere.
  static constexpr std::uint8_t kHeadless = 8;
  /// Lanes at whose head such a flit stands.
  std::uint64_t headless() const { return headless_; }

  /// Throws InternalError if the sender had no credit.
  void push(std::uint32_t port, const core::Flit& flit) {
    const std::uint32_t place = rings_.push(port, flit), lane = lane_of(port, flit.vc);
    if (!flit.sync() || flit.kind == core::Flit::kPad) admit(lane, place, flit);
    look(lane);
  }
  /// Takes the head of a queue that is not empty.
  void pop(std::uint32_t lane) {
    rings_.pop(lane);
    look(lane);
  }

 private:
  void admit(std::uint32_t lane, std::uint32_t place, const core::Flit& flit) {
    const bool head = flit.head() && !flit.sync(), open = has(open_, lane), headless = head == open;
    if (headless) {
      core::Flit kept;
      kept.vc = flit.vc;
      kept.kind = core::Flit::kTail | kHeadless;
      rings_.replace(place, kept);
    }
    open_ = (open_ & ~bit(lane)) | std::uint64_t{!flit.tail() && !headless} << lane;
  }
  /// Without a branch: how the queues of a switch fill and empty cannot be predicted.
  void look(std::uint32_t lane) {
    const core::Flit& head = rings_.head(lane);
    sync_ = (sync_ & ~bit(lane)) | std::uint64_t{head.sync()} << lane;
    headless_ = (headless_ & ~bit(lane)) | std::uint64_t{(head.kind & kHeadless) != 0} << lane;
  }

  FlitRings rings_;
  std::uint64_t sync_ = 0, headless_ = 0;  // lanes, of those whose queue is not empty
  std::uint64_t open_ = 0;                 // lanes: a packet has begun to come and not ended
};

}  // namespace muster::golden
