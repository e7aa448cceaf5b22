// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/core/flit.hpp"

namespace muster::golden {

/// The replay buffer of a link end: flits from `base`, the oldest that the other end has not
/// confirmed, to before `end`; `next` is the one to send.
class LinkReplay {
 public:
  /// `slots`: a power of two. Sequence numbers have one bit more than its addresses.
  explicit LinkReplay(std::uint32_t slots) : slots_(slots) {}

  bool empty() const { return base_ == end_; }
  bool full() const { return kept() == slots_.size(); }
  /// All that is kept has been sent.
  bool all_sent() const { return next_ == end_; }
  /// The flit `next` has been read.
  bool ready() const { return ready_; }
  std::uint32_t next() const { return next_; }
  std::uint32_t kept() const { return number(end_ - base_); }
  const core::Flit& flit() const { return slots_[next_ % slots_.size()]; }
  /// How many flits an acknowledgement confirms.
  std::uint32_t confirms(std::uint32_t ack) const {
    const std::uint32_t flits = number(ack - base_);
    return flits <= kept() ? flits : 0;
  }

  /// What happens in a cycle.
  struct Events {
    std::optional<core::Flit> stored;
    bool sent = false;  ///< `next`
    std::uint32_t confirmed = 0;
    bool again = false;  ///< all from the oldest
  };
  void clock(const Events& events) {
    const std::uint32_t end = end_;
    if (events.stored) {
      slots_[end_ % slots_.size()] = *events.stored;
      end_ = number(end_ + 1);
    }
    const std::uint32_t next = number(next_ - base_) + events.sent;  // from `base` on
    const std::uint32_t base = base_;
    base_ = number(base + events.confirmed);
    next_ = next < events.confirmed ? base_ : number(base + next);
    if (events.again) next_ = base_;
    ready_ = next_ != end && next_ != end_;
  }

 private:
  std::uint32_t number(std::uint32_t n) const {
    return n % (2 * static_cast<std::uint32_t>(slots_.size()));
  }

  std::vector<core::Flit> slots_;
  std::uint32_t base_ = 0, next_ = 0, end_ = 0;
  bool ready_ = false;
};

}  // namespace muster::golden
