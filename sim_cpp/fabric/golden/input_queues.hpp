// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The queues of one switch, one of `depth` flits for each port and virtual channel, as rings in
/// storage that all switches of a bank share. A flit that is taken at a clock edge stands at its
/// place until the next edge at least: the flit that replaces it needs the credit that is returned
/// for it.
class FlitRings {
 public:
  /// Flits of storage that a switch needs.
  static std::size_t storage(const fabric::SwitchConfig& config) {
    return std::size_t{config.ports} * config.vcs * config.depth;
  }

  FlitRings(const fabric::SwitchConfig& config, core::Flit* flits)
      : flits_(flits), vcs_(config.vcs), depth_(config.depth) {
    for (std::uint32_t lane = 0; lane < 4 * config.ports; ++lane)
      rings_[lane].first =
          static_cast<std::uint16_t>((port_of(lane) * vcs_ + vc_of(lane)) * depth_);
  }

  /// Lanes whose queue is not empty.
  Lanes filled() const { return filled_; }
  const core::Flit& head(std::uint32_t lane) const { return flits_[place(lane)]; }
  std::uint32_t size(std::uint32_t lane) const { return rings_[lane].count; }
  /// Flit i behind the head. REQUIRES: i < size(lane).
  const core::Flit& behind(std::uint32_t lane, std::uint32_t i) const {
    return flits_[rings_[lane].first + wrapped(rings_[lane].head + i)];
  }
  /// Where the head of a lane stands, or will; less than storage(config).
  std::uint32_t place(std::uint32_t lane) const {
    const Ring& ring = rings_[lane];
    return std::uint32_t{ring.first} + ring.head;
  }
  const core::Flit& at(std::uint32_t place) const { return flits_[place]; }
  /// The flit taken last, until the next push.
  const core::Flit& popped(std::uint32_t lane) const {
    const Ring& ring = rings_[lane];
    return flits_[ring.first + (ring.head == 0 ? depth_ : std::uint32_t{ring.head}) - 1];
  }

  /// Returns the place of the flit. `taken`: lanes popped at this edge, before. Throws
  /// InternalError if the sender had no credit.
  std::uint32_t push(std::uint32_t port, const core::Flit& flit, const Lanes& taken = 0) {
    if (flit.vc >= vcs_) throw InternalError("a flit on a virtual channel that does not exist");
    const std::uint32_t lane = lane_of(port, flit.vc);
    Ring& ring = rings_[lane];
    if (full(lane, taken)) throw InternalError("a flit for a queue that is full");
    const std::uint32_t place = ring.first + wrapped(std::uint32_t{ring.head} + ring.count);
    flits_[place] = flit;
    ++ring.count;
    filled_ |= lane_bit(lane);
    return place;
  }

  /// The place of the flit that is taken; the queue is empty now.
  struct Popped {
    std::uint32_t place;
    bool last;
  };
  /// Takes the head of a queue that is not empty.
  Popped pop(std::uint32_t lane) {
    Ring& ring = rings_[lane];
    const std::uint32_t place = ring.first + ring.head;
    ring.head = static_cast<std::uint8_t>(wrapped(ring.head + 1u));
    const bool last = --ring.count == 0;
    filled_ ^= lane_bit(lane, last);
    return {place, last};
  }

  /// The flit at this place becomes another.
  void replace(std::uint32_t place, const core::Flit& flit) { flits_[place] = flit; }

  /// At the beginning of the cycle no place was left. `taken` as in push().
  bool full(std::uint32_t lane, const Lanes& taken) const {
    return rings_[lane].count + std::uint32_t{has(taken, lane)} == depth_;
  }

  /// The newest flit of a queue that is not empty becomes a cut mark.
  void end(std::uint32_t lane) {
    const Ring& ring = rings_[lane];
    core::Flit& newest = flits_[ring.first + wrapped(std::uint32_t{ring.head} + ring.count - 1)];
    newest = core::Flit::cut_mark(newest.vc);
  }

 private:
  struct Ring {
    std::uint16_t first = 0;  // index in flits_
    std::uint8_t head = 0, count = 0;
  };
  /// Of a slot below 2 * depth_.
  std::uint32_t wrapped(std::uint32_t slot) const { return slot >= depth_ ? slot - depth_ : slot; }

  Lanes filled_ = 0;
  core::Flit* flits_;
  std::uint32_t vcs_, depth_;
  std::array<Ring, kMaxLanes> rings_{};  // by lane
};

/// The lanes whose queue is not empty, by what stands at the head.
struct Heads {
  Lanes data = 0;  ///< a flit that is not sync
  Lanes sync = 0;
  Lanes all() const { return data | sync; }
};

/// The queues of a switch whose packets go the way of DataPath: they hold sync flits too.
class InputQueues : public FlitRings {
 public:
  using FlitRings::FlitRings;

  Heads heads() const { return {filled() & ~sync_, filled() & sync_}; }

  /// Of a flit that is headless, beside kTail: it leaves as a cut mark, the tail of the packet that
  /// was open, or goes nowhere.
  static constexpr std::uint8_t kHeadless = 8;
  /// Lanes at whose head such a flit stands.
  Lanes headless() const { return headless_; }

  /// Throws InternalError if the sender had no credit.
  void push(std::uint32_t port, const core::Flit& flit) {
    const std::uint32_t place = FlitRings::push(port, flit), lane = lane_of(port, flit.vc);
    if (!flit.sync() || flit.kind == core::Flit::kPad) admit(lane, place, flit);
    look(lane);
  }
  /// Takes the head of a queue that is not empty.
  void pop(std::uint32_t lane) {
    FlitRings::pop(lane);
    look(lane);
  }

 private:
  void admit(std::uint32_t lane, std::uint32_t place, const core::Flit& flit) {
    const bool begins = flit.head() && !flit.sync(), open = has(open_, lane);
    const bool headless = begins == open;
    if (headless) {
      core::Flit kept;
      kept.vc = flit.vc;
      kept.kind = core::Flit::kTail | kHeadless;
      replace(place, kept);
    }
    open_ = (open_ & ~lane_bit(lane)) | lane_bit(lane, !flit.tail() && !headless);
  }
  /// Without a branch: how the queues of a switch fill and empty cannot be predicted.
  void look(std::uint32_t lane) {
    const core::Flit& first = head(lane);
    sync_ = (sync_ & ~lane_bit(lane)) | lane_bit(lane, first.sync());
    headless_ = (headless_ & ~lane_bit(lane)) | lane_bit(lane, (first.kind & kHeadless) != 0);
  }

  Lanes sync_ = 0, headless_ = 0;  // lanes, of those whose queue is not empty
  Lanes open_ = 0;                 // lanes: a packet has begun to come and not ended
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
