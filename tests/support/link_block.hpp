// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "fabric/link_config.hpp"
#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"

namespace muster::testing {

/// How a block behaves, chances in a cycle.
struct LinkTraffic {
  double send = 0.6;    ///< a flit goes, if the rules allow it
  double sync = 0.2;    ///< of flits: a barrier message
  double credit = 0.7;  ///< a place that has been taken is free again, by class
  double flood = 0;     ///< of what the rules do not allow, sent nevertheless
};

/// What a block sends in a cycle.
struct LinkSend {
  core::Flit flit;
  std::optional<std::uint32_t> group;  ///< of a barrier message that keeps the rules
};

/// The block at an end of a link: a sender that keeps the rules, and queues. Of each group one
/// barrier message is under way on the link: who has received it may send the next. Where messages
/// may be lost they are of no group, and come at any time.
class LinkBlock {
 public:
  static constexpr std::uint32_t kNoClass = 4;

  /// `first`: this side has the first message of the even groups, else of the odd.
  LinkBlock(const fabric::LinkConfig& config, bool first, std::uint64_t seed);
  /// As after reset: all credits, empty queues.
  void begin();

  /// A flit and credits for the end in this cycle, then what comes from it in the same cycle.
  std::optional<LinkSend> send(const LinkTraffic& traffic);
  unsigned give(const LinkTraffic& traffic);  ///< a bit for each class
  bool credits(unsigned classes);             ///< false if a class has one too many
  /// `group`: of a message that keeps the rules. False if there is no place.
  bool receive(const core::Flit& flit, std::optional<std::uint32_t> group);

  /// Nothing of it is on its way or in its queues.
  bool all_back() const { return credits_ == full_; }
  bool empty() const { return used_ == Counts{}; }
  bool open(std::uint32_t vc) const { return open_[vc]; }  ///< towards this block
  std::uint32_t used(std::uint32_t c) const { return used_[c]; }
  std::uint32_t class_of(const core::Flit& flit) const {
    if (flit.sync()) return config_.pocket != 0 ? config_.vcs : kNoClass;
    return flit.vc;
  }

 private:
  using Counts = std::array<std::uint32_t, 4>;
  bool chance(double p) { return p > 0 && rng_.uniform() < p; }
  std::optional<LinkSend> message(double flood);
  bool buffered() const;

  fabric::LinkConfig config_;
  bool first_;
  std::uint32_t groups_;  ///< that use the link
  Rng rng_;
  Counts full_{}, credits_{}, used_{};
  std::array<bool, 4> sending_{}, open_{};  ///< a packet has begun, by virtual channel
  std::set<std::uint32_t> turns_;           ///< groups whose next message this side sends
  std::uint64_t number_ = 0;                ///< of the next flit
};

}  // namespace muster::testing
