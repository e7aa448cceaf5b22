// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fabric/link_bank.hpp"

namespace muster::golden {

/// CRC-16 of a frame, of all bits above its CRC, highest first: polynomial 0x3D65, from all ones.
inline std::uint16_t link_crc(const fabric::LinkFormat& format, const core::Flit& frame) {
  constexpr std::uint32_t kPolynomial = 0x3D65, kTop = 0x8000;
  std::uint32_t crc = 0xffff;
  const auto wires = format.wires(frame);
  for (unsigned at = format.width(); at-- > fabric::LinkFormat::kCrcW;) {
    const bool feedback = ((crc & kTop) != 0) != ((wires >> at & 1) != 0);
    crc = (crc << 1 & 0xffff) ^ (feedback ? kPolynomial : 0);
  }
  return static_cast<std::uint16_t>(crc);
}

/// Flits and credits of a session as a link end counts them, by class, each modulo 2^bits.
class LinkCredits {
 public:
  static constexpr std::uint32_t kClasses = 4;
  using Counts = std::array<std::uint32_t, kClasses>;

  explicit LinkCredits(const fabric::LinkConfig& config)
      : classes_(config.backs()), depth_(config.depth), mask_((1u << config.count_w()) - 1) {}

  /// A class that there is not counts nothing.
  void take(std::uint32_t c) { rise(taken_, c); }
  void deliver(std::uint32_t c) { rise(delivered_, c); }
  /// `credits`: a bit for each class.
  void add(unsigned credits) { count_ = count_with(credits); }

  /// A credit of some class.
  bool any(unsigned credits) const { return (credits & ((1u << classes_) - 1)) != 0; }
  /// `count` with the credits of this cycle.
  Counts count_with(unsigned credits) const {
    Counts now = count_;
    for (std::uint32_t c = 0; c < classes_; ++c) now[c] = (now[c] + (credits >> c & 1)) & mask_;
    return now;
  }
  void see(const Counts& count) { seen_ = count; }

  /// Gives a credit of each class of which the other end has given back more, or in a link that is
  /// down, of which the block has spent more. The bits of the classes.
  unsigned give_seen() { return give(seen_); }
  unsigned give_taken() { return give(taken_); }

  bool all_seen_given() const { return given_ == seen_; }
  bool all_taken_given() const { return given_ == taken_; }
  bool all_delivered_back() const { return delivered_ == count_; }
  /// The block has a place for a flit of this class.
  bool room(std::uint32_t c) const { return ((delivered_[c] - count_[c]) & mask_) < depth_; }

  const Counts& taken() const { return taken_; }
  const Counts& given() const { return given_; }
  const Counts& seen() const { return seen_; }
  const Counts& delivered() const { return delivered_; }
  const Counts& count() const { return count_; }

 private:
  void rise(Counts& counts, std::uint32_t c) const {
    if (c < classes_) counts[c] = (counts[c] + 1) & mask_;
  }
  unsigned give(const Counts& limit) {
    unsigned credits = 0;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (given_[c] == limit[c]) continue;
      rise(given_, c);
      credits |= 1u << c;
    }
    return credits;
  }

  std::uint32_t classes_, depth_, mask_;
  Counts taken_{}, given_{}, seen_{}, delivered_{}, count_{};
};

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

/// One end of a link that retries, as docs/systems/retry-link.md describes it.
class LinkEnd {
 public:
  using State = fabric::link_registers::LinkState;
  using Reason = fabric::link_registers::LinkReason;

  struct Inputs {
    std::optional<core::Flit> flit{};  ///< from the block
    unsigned credits = 0;              ///< from the block, a bit for each class
    std::optional<core::Flit> frame{};
    std::optional<core::RegisterRequest> request{};
  };
  /// Registered: seen from the next cycle on.
  struct Outputs {
    std::optional<core::Flit> flit, frame;
    unsigned credits = 0;
  };

  explicit LinkEnd(const fabric::LinkConfig& config);

  Outputs clock(const Inputs& in);
  /// Clocking it with idle inputs would change nothing, except for the outputs that it drives.
  bool quiet() const;
  bool irq() const { return state_ == State::kDown && !restart_; }
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  /// What a cycle sets, whatever else it clears.
  struct Events {
    bool greets = false, owes = false;
    bool again = false;  ///< all from the oldest
    std::uint32_t confirmed = 0;
    Reason down = Reason::kNone;  ///< the first that applies

    void go_down(Reason reason) {
      if (reason > down) down = reason;  // the greater comes first
    }
  };
  /// What is put on the wires, and what follows from it.
  struct Sending {
    std::optional<fabric::LinkFrame> frame;
    bool greeting = false;  ///< of the handshake
    bool flit = false;      ///< `next` is sent, from the buffer or as it comes
    bool flipped = false;   ///< `news`
  };

  std::uint32_t class_of(const core::Flit& flit) const;
  std::optional<fabric::LinkFrame> good(const Inputs& in) const;
  /// With `lossy`: a barrier message would leave too few places for data.
  bool loses(const core::Flit& flit) const;
  bool drained() const;
  /// The packet that is open in a virtual channel can get its tail.
  bool ends(std::uint32_t vc) const { return (open_ >> vc & 1) != 0 && credits_.room(vc); }
  bool due() const { return timer_ + 1 == config_.timeout; }
  fabric::LinkFrame session_frame(unsigned credits) const;
  Sending choose(const Inputs& in, bool stored) const;
  void in_wait(Events& e);
  void in_start(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out);
  void in_up(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out);
  void accept(const fabric::LinkFrame& frame, Outputs& out);
  bool hear(const fabric::LinkFrame& frame, Events& e);
  void in_down(Events& e, Outputs& out);
  void settle(const Sending& sending, const Events& e, bool credit);
  void begin_again();
  static void count(std::uint8_t& counter) { counter = counter == 255 ? 255 : counter + 1; }

  fabric::LinkConfig config_;
  fabric::LinkFormat format_;
  LinkReplay replay_;
  LinkCredits credits_;
  std::optional<fabric::LinkFrame> before_;  ///< the good frame of the cycle before, to be heard
  State state_ = State::kWait;
  Reason reason_ = Reason::kNone;
  bool restart_ = false;
  std::uint32_t timer_ = 0, tries_ = 0;
  bool heard_ = false, greets_ = false, owes_ = false;
  std::uint32_t expected_ = 0;
  bool news_ = false, echo_ = false, changed_ = false, peer_news_ = false;
  bool missing_ = false, told_ = false;  ///< a flit has been passed; the other end was told so
  unsigned open_ = 0;                    ///< a bit for each virtual channel
  std::uint8_t replays_ = 0, rejected_ = 0, lost_ = 0;
};

}  // namespace muster::golden
