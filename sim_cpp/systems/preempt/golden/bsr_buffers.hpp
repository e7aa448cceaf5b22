// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "systems/preempt/golden/bsr_table.hpp"

namespace muster::golden {

/// A message on its way through a preempting switch: a barrier buffer of an input port, and the
/// one of the origin (docs/systems/preempting-switches.md, Barrier buffers).
class BarrierBuffer {
 public:
  enum class State : std::uint8_t {
    kFilling,   ///< 0 flits or more are there, the last is not
    kComplete,  ///< all are; the unit has not taken it
    kRouting,   ///< of the origin: filled, and its route read, in the cycle before
    kGoing,     ///< waits for an output, or is served by one
    kLeft       ///< the message was consumed, and one before it has not gone
  };
  /// What a cycle of the link has done, at its edge.
  struct Framing {
    bool malformed = false;  ///< a message, or a part of one, is lost
    bool freed = false;      ///< the credit returns
  };

  explicit BarrierBuffer(const preempt::BsrFormat& format) : format_(format) {}
  State state() const { return state_; }
  bool empty() const { return state_ == State::kFilling && count_ == 0 && !broken_; }
  /// Legal outputs of the message. From the flit with its destination on.
  std::uint16_t mask() const { return mask_; }
  std::uint32_t left() const { return count_ - gone_; }  ///< flits that have not gone
  const core::Flit& next() const { return flits_[gone_]; }
  // REQUIRES of both: all of the message is there.
  preempt::BsrMessage message() const { return preempt::bsr_message(flits_, format_); }
  bool first_message() const { return preempt::bsr_type(flits_[0]) == preempt::BsrType::kFirst; }

  /// A flit of a message comes from the link. `route`: legal outputs to the destination, if the
  /// flits there and this one name it.
  Framing receive(const core::Flit& flit, const auto& route) {
    if (state_ != State::kFilling) return {.malformed = true};
    silent_ = 0;
    const bool begins = preempt::begins_bsr_message(flit), loses = begins && !empty();
    if (begins) {
      clear();
    } else if (count_ == 0 || flit.kind == core::Flit::kFirst) {
      clear();  // counted when the broken message has ended
      broken_ = true;
      return {};
    }
    flits_[count_++] = flit;
    if (count_ == preempt::bsr_routed(format_))
      mask_ = route(preempt::bsr_message(flits_, format_).destination);
    if (count_ == bsr_length(preempt::bsr_type(flits_[0]), format_)) state_ = State::kComplete;
    return {.malformed = loses};
  }
  /// None comes. `oldest`: no message is before this one.
  Framing silence(bool oldest) {
    if (state_ != State::kFilling || empty()) return {};
    if (silent_ < kTimeout) ++silent_;
    if (silent_ < kTimeout || !oldest) return {};
    clear();
    return {.malformed = true, .freed = true};
  }
  /// The message that goes on, or that the origin sends.
  void load(const preempt::BsrMessage& message, std::uint16_t mask, State state) {
    clear();
    flits_ = bsr_flits(message, 0, format_);
    count_ = static_cast<std::uint8_t>(bsr_length(message.type, format_));
    mask_ = mask;
    state_ = state;
  }
  void go() { state_ = State::kGoing; }
  void leave() { state_ = State::kLeft; }
  /// A flit has left by an output. True if the buffer is free again.
  bool sent() {
    const bool last = ++gone_ == count_;
    if (last) clear();
    return last;
  }
  void clear() { *this = BarrierBuffer(format_); }

 private:
  static constexpr std::uint32_t kTimeout = 4;  // cycles without a flit that end a message

  preempt::BsrFormat format_;
  State state_ = State::kFilling;
  bool broken_ = false;  // filling: flits have come whose first has not
  std::uint8_t count_ = 0, gone_ = 0, silent_ = 0;
  std::uint16_t mask_ = 0;
  std::array<core::Flit, preempt::kBsrFlits> flits_{};
};

/// The barrier buffers of a preempting switch, one or more for each input port, in a ring, and as
/// many for messages of the switch itself, with the unit that applies them to the status table
/// (docs/systems/preempting-switches.md, The barrier unit, Several buffers).
class BsrBuffers {
  using State = BarrierBuffer::State;

 public:
  using Route = std::function<std::uint16_t(std::uint32_t destination)>;

  /// `spares`: buffers of a port beyond the first.
  BsrBuffers(std::uint32_t ports, std::uint32_t entries, std::uint32_t spares,
             const preempt::BsrFormat& format)
      : ports_(ports),
        spares_(spares),
        format_(format),
        late_(spares != 0 || bsr_routed(format) == format.flits(3)),
        table_(entries),
        rings_(ports, Ring(spares + 1, format)) {
    rings_.resize(size(), Ring(1, format));
  }

  BsrTable& table() { return table_; }
  const BsrTable& table() const { return table_; }
  /// Numbers of buffers that ask for an output: of the ports, then of the origin.
  std::uint32_t size() const { return ports_ + spares_ + 1; }
  std::uint32_t of_ports() const { return (std::uint32_t{1} << ports_) - 1; }
  /// The oldest of the port, or one of the origin.
  const BarrierBuffer& at(std::uint32_t port) const { return rings_[port].oldest(); }
  /// The one that asks for an output: the oldest, or the next where the last flit of that goes.
  const BarrierBuffer& asks(std::uint32_t port, bool ends) const {
    return rings_[port].buffers[ends ? rings_[port].after(rings_[port].first) : rings_[port].first];
  }
  bool several() const { return spares_ != 0; }

  /// Outputs by which the host lets no message go.
  void set_closed(std::uint16_t ports) { closed_ = ports; }
  std::uint16_t closed() const { return closed_; }
  /// Outputs by which the message may go.
  std::uint16_t ways(const BarrierBuffer& buffer) const {
    return static_cast<std::uint16_t>(buffer.mask() & ~closed_);
  }
  /// Ports whose oldest message waits for an output. `served`: those that an output serves.
  std::uint32_t waiting(std::uint32_t served) const {
    std::uint32_t waiting = 0;
    for (std::uint32_t b = 0; b < size(); ++b)
      waiting |= std::uint32_t{at(b).state() == State::kGoing} << b;
    return waiting & ~served;
  }

  /// What a cycle decides on the state at its beginning.
  struct Choice {
    std::optional<std::uint32_t> applied;  ///< the port of the message that the unit takes
    std::uint32_t before = 0;              ///< ports whose first message goes before others
    std::uint32_t counted = 0;             ///< ports whose message only counts at the center
    std::uint32_t left = 0;                ///< ports whose oldest message has been consumed
    std::optional<std::uint32_t> sends;    ///< an entry from which the origin is filled
    std::uint32_t into = 0;                ///< by which buffer
    std::optional<std::uint32_t> routing;  ///< a buffer of the origin that has its route
    std::uint32_t stranded = 0;            ///< ports whose message is going and has no way left
  };
  Choice choose(std::uint32_t served) const {
    Choice choice;
    choice.applied = chosen_;
    for_each_bit(waiting(served) & of_ports(),
                 [&](std::uint32_t b) { choice.before |= std::uint32_t{ordered(at(b))} << b; });
    if (chosen_ && ordered(rings_[*chosen_].buffers[taken_]))  // which is the oldest
      choice.before |= static_cast<std::uint32_t>(bit(*chosen_));
    for (std::uint32_t port = 0; several() && port < ports_; ++port) {
      const BarrierBuffer& next = rings_[port].next();
      choice.counted |= std::uint32_t{only_counts(port, next)} << port;
      choice.left |= std::uint32_t{at(port).state() == State::kLeft} << port;
    }
    for (std::uint32_t b = size(); b-- > ports_;) {  // the lowest that is empty
      if (at(b).empty()) {
        choice.sends = table_.next();
        choice.into = b;
      }
      if (at(b).state() == State::kRouting) choice.routing = b;
    }
    for_each_bit(waiting(served),
                 [&](std::uint32_t b) { choice.stranded |= std::uint32_t{ways(at(b)) == 0} << b; });
    return choice;
  }
  struct Result {
    std::optional<BsrDrop> dropped;  ///< why the unit's message has changed nothing
    std::uint32_t unroutable = 0;    ///< messages that had no way
    std::uint32_t freed = 0;         ///< ports of buffers
  };
  // The edge, in this order. First what comes from the link, once for each port; then what the
  // cycle has chosen; then a flit that has left by an output: true if the buffer is free again.
  BarrierBuffer::Framing receive(std::uint32_t port, const core::Flit& flit, const auto& route) {
    Ring& ring = rings_[port];
    BarrierBuffer& buffer = ring.buffers[ring.filling];
    const bool fills = buffer.state() == State::kFilling;
    const BarrierBuffer::Framing framing = buffer.receive(flit, route);
    if (fills && buffer.state() == State::kComplete) {
      if (ring.filling == ring.untaken) came_ |= static_cast<std::uint32_t>(bit(port));
      ring.filling = ring.after(ring.filling);
    }
    return framing;
  }
  BarrierBuffer::Framing silence(std::uint32_t port) {
    Ring& ring = rings_[port];
    return ring.buffers[ring.filling].silence(ring.filling == ring.first);
  }
  Result edge(const Choice& choice, const Route& route) {
    Result result;
    std::uint32_t able = 0;  // what has come counts, what is applied now does not
    for (std::uint32_t port = 0; port < ports_; ++port) {
      const bool taken = port == choice.applied && !several();
      able |= std::uint32_t{!taken && !has(choice.counted, port) && eligible(port, choice)} << port;
    }
    chosen_.reset();
    const std::uint32_t taken = taken_;
    if (able != 0) {
      if ((able & round_) == 0) round_ = able;
      chosen_ = lowest(able & round_);
      round_ &= ~static_cast<std::uint32_t>(bit(*chosen_));
      Ring& ring = rings_[*chosen_];
      taken_ = ring.untaken;
      ring.untaken = ring.after(ring.untaken);
    }
    for_each_bit(choice.counted, [&](std::uint32_t port) {
      Ring& ring = rings_[port];
      table_.count_aside(ring.next().message().gid);
      consume(port, ring.untaken, result);
      ring.untaken = ring.after(ring.untaken);
    });
    if (choice.applied) apply(*choice.applied, taken, result);
    for_each_bit(choice.left, [&](std::uint32_t port) { free(port, result); });
    came_ = 0;
    originate(choice, route, result);
    for_each_bit(choice.stranded, [&](std::uint32_t b) {
      free(b, result);
      ++result.unroutable;
    });
    return result;
  }
  bool sent(std::uint32_t port) {
    Ring& ring = rings_[port];
    if (!ring.buffers[ring.first].sent()) return false;
    ring.first = ring.after(ring.first);
    return true;
  }

  bool idle() const {
    return !table_.next() && std::ranges::all_of(rings_, [](const Ring& ring) {
      return std::ranges::all_of(ring.buffers, &BarrierBuffer::empty);
    });
  }
  std::string describe() const {
    constexpr const char* kStates[] = {"filling", "complete", "routing", "going", "left"};
    std::string text;
    for (std::uint32_t b = 0; b < size(); ++b)
      for (std::uint32_t i = 0, at = rings_[b].first; i < rings_[b].buffers.size();
           ++i, at = rings_[b].after(at)) {
        const BarrierBuffer& buffer = rings_[b].buffers[at];
        if (buffer.empty()) continue;
        text += fmt::format("; buffer {} {}, {} flits, to {:#x}", b,
                            kStates[static_cast<int>(buffer.state())], buffer.left(), ways(buffer));
      }
    for (std::uint32_t e = 0; e < table_.size(); ++e)
      if (table_.at(e).valid)
        text += fmt::format("; entry {}: {}", e, golden::describe(table_.at(e)));
    return text;
  }

 private:
  /// The buffers of a port, used one after the other.
  struct Ring {
    Ring(std::uint32_t size, const preempt::BsrFormat& format)
        : buffers(size, BarrierBuffer(format)) {}
    const BarrierBuffer& oldest() const { return buffers[first]; }
    const BarrierBuffer& next() const { return buffers[untaken]; }
    std::uint32_t after(std::uint32_t at) const { return at + 1 == buffers.size() ? 0 : at + 1; }

    std::vector<BarrierBuffer> buffers;
    std::uint32_t first = 0;    ///< the oldest message, if there is one
    std::uint32_t untaken = 0;  ///< the first that the unit has not chosen
    std::uint32_t filling = 0;  ///< where the next flit goes
  };

  /// It keeps its order with others of its kind: what it says of BSR nodes may be corrected by the
  /// next.
  bool ordered(const BarrierBuffer& buffer) const {
    return buffer.first_message() && (!several() || buffer.message().bnt != preempt::Bnt::kNothing);
  }
  bool only_counts(std::uint32_t port, const BarrierBuffer& buffer) const {
    if (buffer.state() != State::kComplete || !buffer.first_message()) return false;
    const preempt::BsrMessage message = buffer.message();
    return message.bnt == preempt::Bnt::kNothing && !message.refused &&
           message.destination == table_.address() && table_.counts_aside(message.gid, port);
  }
  /// The unit may take the next message of the port in the next cycle.
  bool eligible(std::uint32_t port, const Choice& choice) const {
    const Ring& ring = rings_[port];
    const BarrierBuffer& buffer = ring.next();
    if (buffer.state() != State::kComplete) return false;
    if (!buffer.first_message()) return true;
    if (late_ && has(came_, port)) return false;
    if (!ordered(buffer)) return true;
    if (ring.untaken != ring.first) return false;
    if (ways(buffer) == 0 || buffer.message().destination == table_.address()) return true;
    bool behind = false;
    for_each_bit(choice.before, [&](std::uint32_t other) {
      behind |= lowest(ways(at(other))) == lowest(ways(buffer));
    });
    return !behind;
  }
  void free(std::uint32_t port, Result& result) {
    Ring& ring = rings_[port];
    ring.buffers[ring.first].clear();
    ring.first = ring.after(ring.first);
    result.freed |= static_cast<std::uint32_t>(bit(port));
  }
  void consume(std::uint32_t port, std::uint32_t buffer, Result& result) {
    if (buffer == rings_[port].first)
      free(port, result);
    else
      rings_[port].buffers[buffer].leave();
  }
  void apply(std::uint32_t port, std::uint32_t at, Result& result) {
    BarrierBuffer& buffer = rings_[port].buffers[at];
    const preempt::BsrMessage message = buffer.message();
    std::optional<preempt::BsrMessage> on = message;
    if (message.destination == table_.address() || (buffer.first_message() && ways(buffer) != 0)) {
      on = table_.take(port, message);
      result.dropped = table_.dropped();
    } else if (ways(buffer) == 0) {
      on.reset();
      ++result.unroutable;
    }
    if (on)
      buffer.load(*on, buffer.mask(), State::kGoing);
    else
      consume(port, at, result);
  }
  void originate(const Choice& choice, const Route& route, Result& result) {
    if (choice.sends) {
      const BsrOrigin sent = table_.send(*choice.sends);
      const auto mask =
          sent.port ? static_cast<std::uint16_t>(bit(*sent.port)) : route(sent.message.destination);
      rings_[choice.into].buffers[0].load(sent.message, mask, State::kRouting);
    }
    if (choice.routing) {
      BarrierBuffer& own = rings_[*choice.routing].buffers[0];
      if (ways(own) != 0) {
        own.go();
      } else {
        own.clear();
        ++result.unroutable;
      }
    }
  }

  std::uint32_t ports_, spares_;
  preempt::BsrFormat format_;
  bool late_;  // first messages are not chosen in the cycle of their last flit
  BsrTable table_;
  std::vector<Ring> rings_;
  std::optional<std::uint32_t>
      chosen_;                // the port whose message the unit takes in the coming cycle
  std::uint32_t taken_ = 0;   // its buffer
  std::uint32_t came_ = 0;    // ports whose next message has become whole in this cycle
  std::uint32_t round_ = 0;   // ports still to be served in this round of the unit
  std::uint16_t closed_ = 0;  // ports
};

}  // namespace muster::golden
