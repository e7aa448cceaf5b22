// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/core/error.hpp"
#include "muster/core/flit.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden {

/// The lanes whose queue is not empty, by what stands at the head.
struct Heads {
  std::uint64_t data = 0;  ///< a flit that is not sync
  std::uint64_t sync = 0;
  std::uint64_t all() const { return data | sync; }
};

/// The queues of one switch, one of `depth` flits for each port and virtual channel, as rings in
/// storage that all switches of a bank share.
class InputQueues {
 public:
  /// Flits of storage that a switch needs.
  static std::size_t storage(const fabric::SwitchConfig& config) {
    return std::size_t{config.ports} * config.vcs * config.depth;
  }

  InputQueues(const fabric::SwitchConfig& config, core::Flit* flits)
      : flits_(flits), vcs_(config.vcs), depth_(config.depth) {
    for (std::uint32_t lane = 0; lane < 4 * config.ports; ++lane) {
      rings_[lane].first =
          static_cast<std::uint16_t>((port_of(lane) * vcs_ + vc_of(lane)) * depth_);
    }
  }

  Heads heads() const { return heads_; }
  const core::Flit& head(std::uint32_t lane) const { return flits_[place(lane)]; }
  std::uint32_t size(std::uint32_t lane) const { return rings_[lane].count; }
  /// Where the head of a lane stands, or will; less than storage(config).
  std::uint32_t place(std::uint32_t lane) const { return rings_[lane].first + rings_[lane].head; }
  /// The flit taken last, until the next push.
  const core::Flit& popped(std::uint32_t lane) const {
    const Ring& at = rings_[lane];
    return flits_[at.first + (at.head == 0 ? depth_ : std::uint32_t{at.head}) - 1];
  }

  /// Returns the place of the flit. Throws InternalError if the sender had no credit.
  std::uint32_t push(std::uint32_t port, const core::Flit& flit) {
    if (flit.vc >= vcs_) throw InternalError("a flit on a virtual channel that does not exist");
    const std::uint32_t lane = lane_of(port, flit.vc);
    Ring& at = rings_[lane];
    if (at.count == depth_) throw InternalError("a flit for a queue that is full");
    std::uint32_t slot = std::uint32_t{at.head} + at.count;
    if (slot >= depth_) slot -= depth_;
    flits_[at.first + slot] = flit;
    show(lane, flit, at.count++ == 0);
    full_ |= std::uint64_t{at.count == depth_} << lane;
    return at.first + slot;
  }

  /// Lanes whose queue has no place.
  std::uint64_t full() const { return full_; }

  /// The newest flit of a queue that is not empty becomes a tail.
  void end(std::uint32_t lane) {
    const Ring& at = rings_[lane];
    const std::uint32_t slot = (std::uint32_t{at.head} + at.count - 1) % depth_;
    flits_[at.first + slot].kind |= core::Flit::kTail;
  }

  /// Takes the head of a queue that is not empty.
  void pop(std::uint32_t lane) {
    Ring& at = rings_[lane];
    if (++at.head == depth_) at.head = 0;
    full_ &= ~bit(lane);
    heads_.data &= ~bit(lane);
    heads_.sync &= ~bit(lane);
    show(lane, head(lane), --at.count != 0);
  }

 private:
  struct Ring {
    std::uint16_t first = 0;  // index in flits_
    std::uint8_t head = 0, count = 0;
  };
  /// `flit` is the head of the lane from now on if `present`. Without a branch: how the queues of
  /// a switch fill and empty cannot be predicted.
  void show(std::uint32_t lane, const core::Flit& flit, bool present) {
    heads_.data |= std::uint64_t(present & !flit.sync()) << lane;
    heads_.sync |= std::uint64_t(present & flit.sync()) << lane;
  }

  Heads heads_;
  std::uint64_t full_ = 0;
  core::Flit* flits_;
  std::uint32_t vcs_, depth_;
  std::array<Ring, kMaxLanes> rings_{};
};

}  // namespace muster::golden
