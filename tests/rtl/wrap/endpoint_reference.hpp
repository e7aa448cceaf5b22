// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl/wrap/endpoint_registers_reference.hpp"

namespace muster::test::endpoint {

constexpr unsigned kTail = 1, kHead = 2, kSync = 4;

struct Flit {
  unsigned vc, kind;
  std::uint64_t payload;
};

/// A cut mark, which is no head.
inline bool is_cut(const Flit& flit) {
  return flit.kind == (kHead | kTail) && (flit.payload >> 11 & 31) == 31;
}

/// A beat of one of the streams: channel, address and opcode count with the first to send.
struct Beat {
  unsigned vc = 0, dest = 0, opcode = 0;
  std::uint64_t data = 0;
  bool last = false;
  bool operator==(const Beat&) const = default;
};

/// What comes in a cycle.
struct In {
  std::optional<Beat> beat;  // to send
  bool takes = false;        // a beat received
  unsigned credits = 0;
  std::optional<Flit> flit;
  Access access;
};

/// An endpoint as docs/systems/wrappers.md and the headers of its parts have it: its outputs in
/// every cycle. What depends on no input is there before the inputs are.
class Reference {
 public:
  explicit Reference(const Sizes& sizes)
      : sizes_(sizes),
        registers_(sizes),
        credits_(sizes.channels, sizes.depth),
        queues_(sizes.channels) {}

  const Registers& registers() const { return registers_; }
  const std::optional<Flit>& on_wires() const { return wires_; }
  unsigned credits() const { return returns_; }
  /// A beat that is offered is taken: it is discarded, or the packet has begun, there is a credit,
  /// and no message has waited for the flit of the cycle before.
  bool ready() const { return out_ == Out::kDiscard || (out_ == Out::kBody && can_go()); }
  std::optional<Beat> received() const {
    if (state_ != State::kBody || queues_[from_].empty()) return std::nullopt;
    const Flit& flit = queues_[from_].front();
    return Beat{from_, dest_, is_cut(flit) ? 31 : opcode_, flit.payload, (flit.kind & kTail) != 0};
  }
  bool quiescent() const {
    for (const auto& queue : queues_)
      if (!queue.empty()) return false;
    const bool timed = out_ == Out::kEnds || (out_ == Out::kBody && sizes_.timeout > 0);
    return !registers_.waiting_message() && !staged_ && !wires_ && returns_ == 0 && !timed;
  }

  void edge(const In& in) {
    Drops drops;
    const bool goes = message_can_go() && !staged_;
    std::optional<std::uint64_t> sent = registers_.waiting_message();
    const unsigned popped = receive(in.takes, drops);
    const std::optional<Flit> decided = decide(in.beat, drops);

    if (goes)
      wires_ = Flit{0, kSync, *sent};
    else
      wires_ = staged_;
    staged_ = decided;
    for (unsigned v = 0; v < sizes_.channels; ++v) credits_[v] += in.credits >> v & 1;
    const bool pocket_back = in.credits >> sizes_.channels & 1;
    pocket_ = pocket_back || (pocket_ && !goes);

    std::optional<std::uint64_t> message;
    if (in.flit && (in.flit->kind & kSync) != 0) message = in.flit->payload;
    returns_ = popped | unsigned{sizes_.pocket && message} << sizes_.channels;
    if (in.flit && !message) queues_[in.flit->vc].push_back(*in.flit);
    registers_.edge(in.access, goes, message, drops);
  }

 private:
  enum class State { kIdle, kBody, kSkip };
  enum class Out { kIdle, kBody, kEnds, kDiscard };

  bool message_can_go() const {
    return registers_.waiting_message() && (pocket_ || !sizes_.pocket);
  }
  /// A message goes next, so that no flit of a packet is decided on.
  bool message_next() const { return message_can_go() && staged_; }

  /// A flit of the packet that has begun could go.
  bool can_go() const { return !message_next() && credits_[vc_] > 0; }

  /// The flit of a packet that goes to the wires in the cycle after the next.
  std::optional<Flit> decide(const std::optional<Beat>& beat, Drops& drops) {
    switch (out_) {
      case Out::kIdle:
        return beat ? begin(*beat, drops) : std::nullopt;
      case Out::kBody:
        if (!beat) {
          if (sizes_.timeout > 0 && ++idle_ == sizes_.timeout) out_ = Out::kEnds;
          return std::nullopt;
        }
        idle_ = 0;
        if (!can_go()) return std::nullopt;
        --credits_[vc_];
        if (beat->last) out_ = Out::kIdle;
        return Flit{vc_, beat->last ? kTail : 0, beat->data};
      case Out::kEnds:
        if (!can_go()) return std::nullopt;
        --credits_[vc_];
        out_ = Out::kDiscard;
        drops.aborted = true;
        return Flit{vc_, kHead | kTail, 31 << 11};
      case Out::kDiscard:
        if (beat && beat->last) out_ = Out::kIdle;
        return std::nullopt;
    }
    return std::nullopt;
  }
  /// The first beat of a packet waits.
  std::optional<Flit> begin(const Beat& beat, Drops& drops) {
    if (beat.dest >= sizes_.dests || beat.vc >= sizes_.channels || beat.opcode == 31) {
      drops.illegal = true;
      out_ = Out::kDiscard;
      return std::nullopt;
    }
    if (message_next() || credits_[beat.vc] == 0) return std::nullopt;
    vc_ = beat.vc;
    --credits_[vc_];
    out_ = Out::kBody;
    idle_ = 0;
    const std::uint64_t head =
        (beat.dest & 0x7FF) | beat.opcode << 11 | std::uint64_t{beat.dest >> 11} << 16;
    return Flit{vc_, kHead, head & mask()};
  }

  /// Takes the flit that is looked at, if any; its channel as a bit.
  unsigned receive(bool takes, Drops& drops) {
    if (state_ == State::kIdle && !choose()) return 0;
    std::deque<Flit>& queue = queues_[from_];
    if (queue.empty() || (state_ == State::kBody && !takes)) return 0;
    const Flit flit = queue.front();
    queue.pop_front();
    const bool tail = (flit.kind & kTail) != 0;
    if (state_ != State::kIdle) {
      drops.cut = state_ == State::kBody && is_cut(flit);
      if (tail) state_ = State::kIdle;
      return 1u << from_;
    }
    dest_ = (flit.payload & 0x7FF) | (flit.payload >> 16 & 0x1F) << 11;
    opcode_ = flit.payload >> 11 & 0x1F;
    const bool foreign = registers_.checks_address() && dest_ != registers_.address();
    drops.flit = (flit.kind & kHead) == 0 || is_cut(flit);
    drops.packet = !drops.flit && (tail || foreign);
    if (!drops.flit && !tail) state_ = foreign ? State::kSkip : State::kBody;
    return 1u << from_;
  }
  /// Between packets: the first channel that has a flit, from the one after the last on.
  bool choose() {
    for (unsigned i = 0; i < sizes_.channels; ++i) {
      const unsigned v = (turn_ + i) % sizes_.channels;
      if (queues_[v].empty()) continue;
      from_ = v;
      turn_ = (v + 1) % sizes_.channels;
      return true;
    }
    return false;
  }

  std::uint64_t mask() const { return (std::uint64_t{1} << sizes_.flit_w) - 1; }

  Sizes sizes_;
  Registers registers_;
  std::vector<unsigned> credits_;
  bool pocket_ = true;
  Out out_ = Out::kIdle;  // the packet to send
  unsigned vc_ = 0;
  unsigned idle_ = 0;  // cycles without a beat
  std::optional<Flit> staged_, wires_;
  std::vector<std::deque<Flit>> queues_;
  State state_ = State::kIdle;
  unsigned from_ = 0, turn_ = 0, dest_ = 0, opcode_ = 0, returns_ = 0;
};

}  // namespace muster::test::endpoint
