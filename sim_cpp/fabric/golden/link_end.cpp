// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/link_end.hpp"

#include <fmt/format.h>

#include "fabric/golden/link_bank.hpp"
#include "fabric/register_map.hpp"

namespace muster::golden {

using core::Flit;
using fabric::LinkFrame;
namespace link_regs = fabric::link_registers;

LinkEnd::LinkEnd(const fabric::LinkConfig& config)
    : config_(config), format_(config), replay_(config.slots), credits_(config) {}

/// Of no class: a sync flit without a pocket, which has taken no credit.
std::uint32_t LinkEnd::class_of(const Flit& flit) const {
  if (flit.sync()) return config_.pocket != 0 ? config_.vcs : LinkCredits::kClasses;
  return flit.vc < config_.vcs ? flit.vc : LinkCredits::kClasses;
}

std::optional<LinkFrame> LinkEnd::good(const Inputs& in) const {
  if (!in.frame || link_crc(format_, *in.frame) != in.frame->hi) return std::nullopt;
  return format_.unpack(*in.frame);
}

bool LinkEnd::loses(const Flit& flit) const {
  return config_.lossy != 0 && flit.sync() && replay_.kept() >= config_.scarce();
}

bool LinkEnd::drained() const {
  return state_ == State::kDown && credits_.all_taken_given() && credits_.all_delivered_back() &&
         open_ == 0;
}

/// What every frame says.
LinkFrame LinkEnd::session_frame(unsigned credits) const {
  LinkFrame frame;
  frame.news = news_;
  frame.echo = peer_news_;
  frame.ack = expected_;
  frame.count = credits_.count_with(credits);
  return frame;
}

/// `stored`: the flit that comes from the block goes into the buffer.
LinkEnd::Sending LinkEnd::choose(const Inputs& in, bool stored) const {
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
  const Flit* flit = nullptr;
  if (replay_.ready())
    flit = &replay_.flit();
  else if (replay_.all_sent() && stored)
    flit = &*in.flit;
  if (flit == nullptr && !owes_ && !credit && !(changed_ && quiet_news)) return s;

  s.flipped = (changed_ || credit) && quiet_news;
  s.flit = flit != nullptr;
  LinkFrame frame = session_frame(in.credits);
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

void LinkEnd::in_wait(Events& e) {
  if (!due()) {
    ++timer_;
    return;
  }
  timer_ = 0;
  state_ = State::kStart;
  e.greets = true;
}

void LinkEnd::in_start(const std::optional<LinkFrame>& frame, Events& e, Outputs& out) {
  const bool init = before_ && before_->init;
  if (init && (before_->ask || before_->echo)) heard_ = true;
  if (init && before_->ask) e.greets = true;
  if (due()) e.greets = true;
  timer_ = due() ? 0 : timer_ + 1;
  if (init && before_->echo) {
    state_ = State::kUp;
    timer_ = 0;
    if (frame && !frame->init) accept(*frame, out);
  }
}

/// The flit of a frame of the session.
void LinkEnd::accept(const LinkFrame& frame, Outputs& out) {
  if (!frame.flit) return;
  if (frame.seq != expected_) {
    const std::uint32_t ahead = (frame.seq - expected_) % (2 * config_.slots);
    if (ahead < config_.slots && !told_) told_ = missing_ = true;
    return;
  }
  told_ = missing_ = false;
  const Flit flit{.lo = frame.payload, .vc = frame.vc, .kind = frame.kind};
  out.flit = flit;
  expected_ = (expected_ + 1) % (2 * config_.slots);
  credits_.deliver(class_of(flit));
  const unsigned channel = 1u << flit.vc;
  if (!flit.sync() && flit.vc < config_.vcs)
    open_ = flit.tail() ? open_ & ~channel : open_ | channel;
}

/// The rest of it, a cycle later; true if it brings progress.
bool LinkEnd::hear(const LinkFrame& frame, Events& e) {
  e.confirmed = replay_.confirms(frame.ack);
  const bool heard_of = frame.echo == news_ && echo_ != news_;
  credits_.see(frame.count);
  echo_ = frame.echo;
  peer_news_ = frame.news;
  if (frame.ask) e.owes = true;
  e.again = frame.nack;
  return e.confirmed != 0 || heard_of;
}

void LinkEnd::in_up(const std::optional<LinkFrame>& frame, Events& e, Outputs& out) {
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
  out.credits = credits_.give_seen();

  if (progress) tries_ = 0;
  if (!waits || progress || e.again) {
    timer_ = 0;
  } else if (!due()) {
    ++timer_;
  } else {
    timer_ = 0;
    if (tries_ == config_.retries) {
      e.go_down(Reason::kSilent);
      return;
    }
    ++tries_;
    e.owes = true;
    e.again = true;
  }
  e.again = e.again && !replay_.empty();
  if (e.again) count(replays_);
}

void LinkEnd::in_down(Events& e, Outputs& out) {
  if (before_ && !before_->init && before_->ask) e.greets = true;
  out.credits = credits_.give_taken();
  for (std::uint8_t vc = 0; vc < config_.vcs; ++vc) {
    if (!ends(vc)) continue;
    out.flit = Flit::cut_mark(vc);
    open_ &= ~(1u << vc);
    credits_.deliver(vc);
    break;
  }
}

/// What the frame on the wires and the events of the cycle leave.
void LinkEnd::settle(const Sending& sending, const Events& e, bool credit) {
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

LinkEnd::Outputs LinkEnd::clock(const Inputs& in) {
  const std::optional<LinkFrame> frame = good(in);
  const bool down = state_ == State::kDown, waiting = state_ == State::kWait;
  const bool begins = restart_ && drained() && !in.flit;
  const bool lost = in.flit && !down && loses(*in.flit);
  const bool stored = in.flit && !down && !lost && !replay_.full();
  const bool writes = in.request && in.request->write && in.request->address == link_regs::kStatus;
  const std::uint32_t written = writes ? in.request->value : 0;
  const Sending sending = choose(in, stored);

  Events e;
  Outputs out;
  if (in.flit && !down && !lost && !stored) e.go_down(Reason::kOverflow);
  if ((written & link_regs::kCommandKill.mask()) && !down) e.go_down(Reason::kKilled);
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
  if ((written & link_regs::kCommandRestart.mask()) && down) restart_ = true;
  if (written & link_regs::kCommandClear.mask()) replays_ = rejected_ = lost_ = 0;
  before_ = waiting ? std::nullopt : frame;
  if (begins) begin_again();
  return out;
}

void LinkEnd::begin_again() {
  LinkEnd fresh(config_);
  fresh.replays_ = replays_;
  fresh.rejected_ = rejected_;
  fresh.lost_ = lost_;
  *this = fresh;
}

bool LinkEnd::quiet() const {
  if (greets_ || before_) return false;
  if (state_ == State::kUp)
    return replay_.empty() && news_ == echo_ && !owes_ && !changed_ && credits_.all_seen_given();
  if (state_ != State::kDown) return false;
  for (std::uint32_t vc = 0; vc < config_.vcs; ++vc)
    if (ends(vc)) return false;
  return credits_.all_taken_given() && !(restart_ && drained());
}

std::uint32_t LinkEnd::read_register(std::uint32_t address) const {
  switch (address) {
    case fabric::registers::kIdentity:
      return fabric::registers::identity_word(link_regs::kKind);
    case link_regs::kStatus:
      return std::uint32_t{lost_} << 24 | std::uint32_t{rejected_} << 16 |
             std::uint32_t{replays_} << 8 | std::uint32_t{restart_} << 6 |
             std::uint32_t{drained()} << 5 | static_cast<std::uint32_t>(reason_) << 2 |
             static_cast<std::uint32_t>(state_);
    case link_regs::kWidths:
      return config_.retries << 28 | config_.timeout << 20 | config_.slots << 12 |
             config_.pocket << 11 | config_.depth << 6 | config_.vcs << 3 | config_.lossy << 2;
    default:
      return 0;
  }
}

std::string LinkEnd::describe() const {
  static constexpr const char* kStates[] = {"wait", "start", "up", "down"};
  std::string text = fmt::format(
      "link {}, reason {}, timer {}, tries {}{}{}{}{}; {} flits kept, next {}{}, expected {}; news "
      "{} echo {} of the other end {}{}; open {:#x}",
      kStates[static_cast<std::size_t>(state_)], static_cast<unsigned>(reason_), timer_, tries_,
      restart_ ? ", restart" : "", heard_ ? ", heard" : "", greets_ ? ", greets" : "",
      owes_ ? ", owes" : "", replay_.kept(), replay_.next(), replay_.ready() ? " ready" : "",
      expected_, news_, echo_, peer_news_, changed_ ? ", changed" : "", open_);
  for (std::uint32_t c = 0; c < config_.backs(); ++c)
    text += fmt::format("; class {}: taken {} given {} seen {} delivered {} count {}", c,
                        credits_.taken()[c], credits_.given()[c], credits_.seen()[c],
                        credits_.delivered()[c], credits_.count()[c]);
  return text;
}

namespace {

class GoldenLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig&) const override { return true; }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions&) const override {
    return std::make_unique<GoldenLinkBank>(config, ends);
  }
};

}  // namespace

std::shared_ptr<const fabric::LinkFactory> make_golden_links() {
  return std::make_shared<GoldenLinks>();
}

}  // namespace muster::golden
