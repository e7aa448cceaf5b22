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

  /// Throws InternalError if the sender had no credit.
  void push(std::uint32_t port, const core::Flit& flit) {
    rings_.push(port, flit);
    look(lane_of(port, flit.vc));
  }
  /// Takes the head of a queue that is not empty.
  void pop(std::uint32_t lane) {
    rings_.pop(lane);
    look(lane);
  }

 private:
  /// Without a branch: how the queues of a switch fill and empty cannot be predicted.
  void look(std::uint32_t lane) {
    sync_ = (sync_ & ~bit(lane)) | std::uint64_t{rings_.head(lane).sync()} << lane;
  }

  FlitRings rings_;
  std::uint64_t sync_ = 0;  // lanes, of those whose queue is not empty
};

}  // namespace muster::golden
