// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

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

  Counts taken{}, given{}, delivered{}, count{};
  Counts seen{};  ///< the other end's `count`, as it came last

  /// A class that there is not counts nothing.
  void take(std::uint32_t c) { rise(taken, c); }
  void deliver(std::uint32_t c) { rise(delivered, c); }
  /// `credits`: a bit for each class.
  void add(unsigned credits) { count = count_with(credits); }

  /// A credit of some class.
  bool any(unsigned credits) const { return (credits & ((1u << classes_) - 1)) != 0; }
  /// `count` with the credits of this cycle.
  Counts count_with(unsigned credits) const {
    Counts now = count;
    for (std::uint32_t c = 0; c < classes_; ++c) now[c] = (now[c] + (credits >> c & 1)) & mask_;
    return now;
  }
  /// Gives a credit of each class of which `limit` is above `given`: it is `seen`, or in a link
  /// that is down `taken`. The bits of the classes.
  unsigned give(const Counts& limit) {
    unsigned credits = 0;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (given[c] == limit[c]) continue;
      rise(given, c);
      credits |= 1u << c;
    }
    return credits;
  }

  /// The block has a place for a flit of this class.
  bool room(std::uint32_t c) const { return ((delivered[c] - count[c]) & mask_) < depth_; }

 private:
  void rise(Counts& counts, std::uint32_t c) const {
    if (c < classes_) counts[c] = (counts[c] + 1) & mask_;
  }
  std::uint32_t classes_, depth_, mask_;
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

  explicit LinkEnd(const fabric::LinkConfig& config)
      : config_(config), format_(config), replay_(config.slots), credits_(config) {}

  Outputs clock(const Inputs& in) {
    const std::optional<fabric::LinkFrame> frame = good(in);
    const bool down = state_ == State::kDown, waiting = state_ == State::kWait;
    const bool begins = restart_ && drained() && !in.flit;
    const bool lost = in.flit && !down && loses(*in.flit);
    const bool stored = in.flit && !down && !lost && !replay_.full();
    const bool writes =
        in.request && in.request->write && in.request->address == fabric::link_registers::kStatus;
    const std::uint32_t written = writes ? in.request->value : 0;
    const Sending sending = choose(in, stored);

    Events e;
    Outputs out;
    if (in.flit && !down && !lost && !stored) e.go_down(Reason::kOverflow);
    if ((written & fabric::link_registers::kCommandKill.mask()) && !down)
      e.go_down(Reason::kKilled);
    if (in.frame && !frame && !waiting) count(rejected_);
    if (lost) count(lost_);
    switch (state_) {
      case State::kWait:
        in_wait(e);
        break;
      case State::kStart:
        in_start(frame, e, out);
        break;
      case State::kUp:
        in_up(frame, e, out);
        break;
      case State::kDown:
        in_down(e, out);
    }
    if (sending.frame) {
      out.frame = format_.pack(*sending.frame);
      out.frame->hi = link_crc(format_, *out.frame);
    }

    if (in.flit) credits_.take(class_of(*in.flit));
    credits_.add(in.credits);
    replay_.clock({.stored = stored ? in.flit : std::nullopt,
                   .sent = sending.flit,
                   .confirmed = e.confirmed,
                   .again = e.again});
    settle(sending, e, credits_.any(in.credits));
    if ((written & fabric::link_registers::kCommandRestart.mask()) && down) restart_ = true;
    if (written & fabric::link_registers::kCommandClear.mask()) replays_ = rejected_ = lost_ = 0;
    before_ = waiting ? std::nullopt : frame;
    if (begins) begin_again();
    return out;
  }
  /// Clocking it with idle inputs would change nothing, except for the outputs that it drives.
  bool quiet() const {
    if (greets_ || before_) return false;
    if (state_ == State::kUp)
      return replay_.empty() && news_ == echo_ && !owes_ && !changed_ &&
             credits_.given == credits_.seen;
    if (state_ != State::kDown) return false;
    for (std::uint32_t vc = 0; vc < config_.vcs; ++vc)
      if (ends(vc)) return false;
    return credits_.given == credits_.taken && !(restart_ && drained());
  }
  bool irq() const { return state_ == State::kDown && !restart_; }
  std::uint32_t read_register(std::uint32_t address) const {
    switch (address) {
      case fabric::registers::kIdentity:
        return fabric::registers::identity_word(fabric::link_registers::kKind);
      case fabric::link_registers::kStatus:
        return std::uint32_t{lost_} << 24 | std::uint32_t{rejected_} << 16 |
               std::uint32_t{replays_} << 8 | std::uint32_t{restart_} << 6 |
               std::uint32_t{drained()} << 5 | static_cast<std::uint32_t>(reason_) << 2 |
               static_cast<std::uint32_t>(state_);
      case fabric::link_registers::kWidths:
        return config_.retries << 28 | config_.timeout << 20 | config_.slots << 12 |
               config_.pocket << 11 | config_.depth << 6 | config_.vcs << 3 | config_.lossy << 2;
      default:
        return 0;
    }
  }
  std::string describe() const {
    static constexpr const char* kStates[] = {"wait", "start", "up", "down"};
    std::string text = fmt::format(
        "link {}, reason {}, timer {}, tries {}{}{}{}{}; {} flits kept, next {}{}, expected {}; "
        "news {} echo {} of the other end {}{}; open {:#x}",
        kStates[static_cast<std::size_t>(state_)], static_cast<unsigned>(reason_), timer_, tries_,
        restart_ ? ", restart" : "", heard_ ? ", heard" : "", greets_ ? ", greets" : "",
        owes_ ? ", owes" : "", replay_.kept(), replay_.next(), replay_.ready() ? " ready" : "",
        expected_, news_, echo_, peer_news_, changed_ ? ", changed" : "", open_);
    for (std::uint32_t c = 0; c < config_.backs(); ++c)
      text += fmt::format("; class {}: taken {} given {} seen {} delivered {} count {}", c,
                          credits_.taken[c], credits_.given[c], credits_.seen[c],
                          credits_.delivered[c], credits_.count[c]);
    return text;
  }

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

  /// Of no class: a sync flit without a pocket, which has taken no credit.
  std::uint32_t class_of(const core::Flit& flit) const {
    if (flit.sync()) return config_.pocket != 0 ? config_.vcs : LinkCredits::kClasses;
    return flit.vc < config_.vcs ? flit.vc : LinkCredits::kClasses;
  }
  std::optional<fabric::LinkFrame> good(const Inputs& in) const {
    if (!in.frame || link_crc(format_, *in.frame) != in.frame->hi) return std::nullopt;
    return format_.unpack(*in.frame);
  }
  /// With `lossy`: a barrier message would leave too few places for data.
  bool loses(const core::Flit& flit) const {
    return config_.lossy != 0 && flit.sync() && replay_.kept() >= config_.scarce();
  }
  bool drained() const {
    return state_ == State::kDown && credits_.given == credits_.taken &&
           credits_.delivered == credits_.count && open_ == 0;
  }
  /// The packet that is open in a virtual channel can get its tail.
  bool ends(std::uint32_t vc) const { return (open_ >> vc & 1) != 0 && credits_.room(vc); }
  /// A cycle of the timer; true in its last one, after which it begins again.
  bool tick() {
    timer_ = timer_ + 1 == config_.timeout ? 0 : timer_ + 1;
    return timer_ == 0;
  }
  /// What every frame says.
  fabric::LinkFrame session_frame(unsigned credits) const {
    fabric::LinkFrame frame;
    frame.news = news_;
    frame.echo = peer_news_;
    frame.ack = expected_;
    frame.count = credits_.count_with(credits);
    return frame;
  }
  /// `stored`: the flit that comes from the block goes into the buffer.
  Sending choose(const Inputs& in, bool stored) const {
    Sending s;
    if (greets_ && state_ != State::kWait) {
      s.greeting = true;
      s.frame = session_frame(in.credits);
      s.frame->init = true;
      s.frame->ask = state_ == State::kStart;
      s.frame->echo = heard_ && state_ != State::kDown;
      return s;
    }
    if (state_ != State::kUp) return s;
    const bool credit = credits_.any(in.credits);
    const bool quiet_news = news_ == echo_;
    const core::Flit* flit = nullptr;
    if (replay_.ready())
      flit = &replay_.flit();
    else if (replay_.all_sent() && stored)
      flit = &*in.flit;
    if (flit == nullptr && !owes_ && !credit && !(changed_ && quiet_news)) return s;

    s.flipped = (changed_ || credit) && quiet_news;
    s.flit = flit != nullptr;
    fabric::LinkFrame frame = session_frame(in.credits);
    frame.flit = s.flit;
    frame.news = news_ != s.flipped;
    frame.ask = s.flit || frame.news != echo_;
    frame.nack = missing_;
    if (s.flit) {
      frame.seq = replay_.next();
      frame.vc = flit->vc;
      frame.kind = flit->kind;
      frame.payload = flit->lo;
    }
    s.frame = frame;
    return s;
  }
  void in_wait(Events& e) {
    if (!tick()) return;
    state_ = State::kStart;
    e.greets = true;
  }
  void in_start(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out) {
    const bool init = before_ && before_->init;
    if (init && (before_->ask || before_->echo)) heard_ = true;
    if (init && before_->ask) e.greets = true;
    if (tick()) e.greets = true;
    if (init && before_->echo) {
      state_ = State::kUp;
      timer_ = 0;
      if (frame && !frame->init) accept(*frame, out);
    }
  }
  void in_up(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out) {
    const bool waits = !replay_.empty() || news_ != echo_;
    bool progress = false;
    if (frame && !frame->init) accept(*frame, out);
    if (before_ && !before_->init) {
      progress = hear(*before_, e);
    } else if (before_ && before_->echo) {
      if (before_->ask) e.greets = true;
    } else if (before_) {
      e.go_down(Reason::kOther);
    }
    out.credits = credits_.give(credits_.seen);

    if (progress) tries_ = 0;
    if (!waits || progress || e.again) {
      timer_ = 0;
    } else if (tick()) {
      if (tries_ == config_.retries) return e.go_down(Reason::kSilent);
      ++tries_;
      e.owes = e.again = true;
    }
    e.again = e.again && !replay_.empty();
    if (e.again) count(replays_);
  }
  /// The flit of a frame of the session.
  void accept(const fabric::LinkFrame& frame, Outputs& out) {
    if (!frame.flit) return;
    if (frame.seq != expected_) {
      const std::uint32_t ahead = (frame.seq - expected_) % (2 * config_.slots);
      if (ahead < config_.slots && !told_) told_ = missing_ = true;
      return;
    }
    told_ = missing_ = false;
    const core::Flit flit{.lo = frame.payload, .vc = frame.vc, .kind = frame.kind};
    out.flit = flit;
    expected_ = (expected_ + 1) % (2 * config_.slots);
    credits_.deliver(class_of(flit));
    const unsigned channel = 1u << flit.vc;
    if (!flit.sync() && flit.vc < config_.vcs)
      open_ = flit.tail() ? open_ & ~channel : open_ | channel;
  }
  /// The rest of it, a cycle later; true if it brings progress.
  bool hear(const fabric::LinkFrame& frame, Events& e) {
    e.confirmed = replay_.confirms(frame.ack);
    const bool heard_of = frame.echo == news_ && echo_ != news_;
    credits_.seen = frame.count;
    echo_ = frame.echo;
    peer_news_ = frame.news;
    if (frame.ask) e.owes = true;
    e.again = frame.nack;
    return e.confirmed != 0 || heard_of;
  }
  void in_down(Events& e, Outputs& out) {
    if (before_ && !before_->init && before_->ask) e.greets = true;
    out.credits = credits_.give(credits_.taken);
    for (std::uint8_t vc = 0; vc < config_.vcs; ++vc) {
      if (!ends(vc)) continue;
      out.flit = core::Flit::cut_mark(vc);
      open_ &= ~(1u << vc);
      credits_.deliver(vc);
      break;
    }
  }
  /// What the frame on the wires and the events of the cycle leave.
  void settle(const Sending& sending, const Events& e, bool credit) {
    const bool session_frame = sending.frame && !sending.greeting;
    greets_ = e.greets || (greets_ && !sending.greeting);
    owes_ = e.owes || (owes_ && !session_frame);
    if (sending.frame && sending.frame->nack) missing_ = false;
    changed_ = !sending.flipped && (changed_ || credit);
    news_ = news_ != sending.flipped;
    if (e.down == Reason::kNone) return;
    state_ = State::kDown;
    reason_ = e.down;
    greets_ = true;
  }
  void begin_again() {
    LinkEnd fresh(config_);
    fresh.replays_ = replays_;
    fresh.rejected_ = rejected_;
    fresh.lost_ = lost_;
    *this = fresh;
  }
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
