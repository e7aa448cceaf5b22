// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "muster/core/flit.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/preempt/golden/bsr_table.hpp"

namespace muster::golden {

/// A message on its way through a preempting switch: the barrier buffer of an input port, and the
/// one of the origin (docs/systems/preempting-switches.md, Barrier buffers).
class BarrierBuffer {
 public:
  enum class State : std::uint8_t {
    kFilling,   ///< 0 flits or more are there, the last is not
    kComplete,  ///< all are; the unit has not taken it
    kRouting,   ///< of the origin: filled, and its route read, in the cycle before
    kGoing      ///< waits for an output, or is served by one
  };
  /// What a cycle of the link has done, at its edge.
  struct Framing {
    bool malformed = false;  ///< a message, or a part of one, is lost
    bool freed = false;      ///< the credit returns
  };

  State state() const { return state_; }
  bool empty() const { return state_ == State::kFilling && count_ == 0 && !broken_; }
  /// Legal outputs of the message. From the second flit on.
  std::uint16_t mask() const { return mask_; }
  std::uint32_t left() const { return count_ - gone_; }  ///< flits that have not gone
  const core::Flit& next() const { return flits_[gone_]; }
  // REQUIRES of both: all of the message is there.
  preempt::BsrMessage message() const { return preempt::bsr_message(flits_); }
  bool first_message() const { return preempt::bsr_type(flits_[0]) == preempt::BsrType::kFirst; }

  /// A flit of a message comes from the link. `route`: legal outputs to the destination that it
  /// names, if it is the flit that names one.
  Framing receive(const core::Flit& flit, std::uint16_t route) {
    if (state_ != State::kFilling) return {.malformed = true};
    silent_ = 0;
    if (preempt::begins_bsr_message(flit)) {
      const bool loses = !empty();
      clear();
      flits_[count_++] = flit;
      return {.malformed = loses};
    }
    if (count_ == 0 ||
        flit.kind == core::Flit::kFirst) {  // counted when the broken message has ended
      clear();
      broken_ = true;
      return {};
    }
    if (count_ == 1) mask_ = route;
    flits_[count_++] = flit;
    if (count_ == bsr_length(preempt::bsr_type(flits_[0]))) state_ = State::kComplete;
    return {};
  }
  /// None comes.
  Framing silence() {
    if (state_ != State::kFilling || empty() || ++silent_ < kTimeout) return {};
    clear();
    return {.malformed = true, .freed = true};
  }
  /// The message that goes on, or that the origin sends.
  void load(const preempt::BsrMessage& message, std::uint16_t mask, State state) {
    clear();
    flits_ = bsr_flits(message, 0);
    count_ = static_cast<std::uint8_t>(bsr_length(message.type));
    mask_ = mask;
    state_ = state;
  }
  void go() { state_ = State::kGoing; }
  /// A flit has left by an output. True if the buffer is free again.
  bool sent() {
    const bool last = ++gone_ == count_;
    if (last) clear();
    return last;
  }
  void clear() { *this = BarrierBuffer{}; }

 private:
  static constexpr std::uint32_t kTimeout = 4;  // cycles without a flit that end a message

  State state_ = State::kFilling;
  bool broken_ = false;  // filling: flits have come whose first has not
  std::uint8_t count_ = 0, gone_ = 0, silent_ = 0;
  std::uint16_t mask_ = 0;
  std::array<core::Flit, preempt::kBsrFlits> flits_{};
};

/// The barrier buffers of a preempting switch, one for each input port and the last for the
/// messages of the switch itself, with the unit that applies them to the status table
/// (docs/systems/preempting-switches.md, The barrier unit).
class BsrBuffers {
  using State = BarrierBuffer::State;

 public:
  using Route = std::function<std::uint16_t(std::uint32_t destination)>;

  BsrBuffers(std::uint32_t ports, std::uint32_t entries)
      : ports_(ports), table_(entries), buffers_(ports + 1) {}

  BsrTable& table() { return table_; }
  const BsrTable& table() const { return table_; }
  std::uint32_t origin() const { return ports_; }
  std::uint32_t size() const { return ports_ + 1; }
  const BarrierBuffer& at(std::uint32_t buffer) const { return buffers_[buffer]; }

  /// Outputs by which the host lets no message go.
  void set_closed(std::uint16_t ports) { closed_ = ports; }
  std::uint16_t closed() const { return closed_; }
  /// Outputs by which the message may go.
  std::uint16_t ways(std::uint32_t buffer) const {
    return static_cast<std::uint16_t>(buffers_[buffer].mask() & ~closed_);
  }
  /// Buffers whose message waits for an output. `served`: buffers that an output serves.
  std::uint32_t waiting(std::uint32_t served) const {
    std::uint32_t waiting = 0;
    for (std::uint32_t b = 0; b < size(); ++b)
      waiting |= std::uint32_t{buffers_[b].state() == State::kGoing} << b;
    return waiting & ~served;
  }

  /// What a cycle decides on the state at its beginning.
  struct Choice {
    std::optional<std::uint32_t> applied;  ///< the buffer that the unit takes
    std::uint32_t before = 0;              ///< ports whose first message goes before others
    std::optional<std::uint32_t> sends;    ///< an entry from which the origin is filled
    bool routing = false;                  ///< the origin has its route
    std::uint32_t stranded = 0;            ///< buffers whose message is going and has no way left
  };
  Choice choose(std::uint32_t served) const {
    Choice choice;
    choice.applied = chosen_;
    std::uint32_t before = waiting(served) & ~static_cast<std::uint32_t>(bit(origin()));
    if (chosen_) before |= static_cast<std::uint32_t>(bit(*chosen_));
    for_each_bit(before, [&](std::uint32_t b) {
      choice.before |= std::uint32_t{buffers_[b].first_message()} << b;
    });
    const BarrierBuffer& own = buffers_[origin()];
    if (own.empty()) choice.sends = table_.next();
    choice.routing = own.state() == State::kRouting;
    for_each_bit(waiting(served),
                 [&](std::uint32_t b) { choice.stranded |= std::uint32_t{ways(b) == 0} << b; });
    return choice;
  }
  struct Result {
    std::optional<BsrDrop> dropped;  ///< why the unit's message has changed nothing
    std::uint32_t unroutable = 0;    ///< messages that had no way
    std::uint32_t freed = 0;         ///< buffers
  };
  // The edge, in this order. First what comes from the link, once for each port; then what the
  // cycle has chosen; then a flit that has left by an output: true if the buffer is free again.
  BarrierBuffer::Framing receive(std::uint32_t port, const core::Flit& flit, std::uint16_t route) {
    return buffers_[port].receive(flit, route);
  }
  BarrierBuffer::Framing silence(std::uint32_t port) { return buffers_[port].silence(); }
  Result edge(const Choice& choice, const Route& route) {
    Result result;
    std::uint32_t able = 0;  // what has come counts, what is applied now does not
    for (std::uint32_t port = 0; port < ports_; ++port)
      able |= std::uint32_t{port != choice.applied && eligible(port, choice.before)} << port;
    chosen_.reset();
    if (able != 0) {
      if ((able & round_) == 0) round_ = able;
      chosen_ = lowest(able & round_);
      round_ &= ~static_cast<std::uint32_t>(bit(*chosen_));
    }
    if (choice.applied) apply(*choice.applied, result);
    originate(choice, route, result);
    for_each_bit(choice.stranded, [&](std::uint32_t b) {
      buffers_[b].clear();
      ++result.unroutable;
    });
    result.freed |= choice.stranded;
    return result;
  }
  bool sent(std::uint32_t buffer) { return buffers_[buffer].sent(); }

  bool idle() const {
    return !table_.next() && std::all_of(buffers_.begin(), buffers_.end(),
                                         [](const BarrierBuffer& b) { return b.empty(); });
  }
  std::string describe() const {
    constexpr const char* kStates[] = {"filling", "complete", "routing", "going"};
    std::string text;
    for (std::uint32_t b = 0; b < size(); ++b) {
      const BarrierBuffer& buffer = buffers_[b];
      if (buffer.empty()) continue;
      text += fmt::format("; buffer {} {}, {} flits, to {:#x}", b,
                          kStates[static_cast<int>(buffer.state())], buffer.left(), ways(b));
    }
    for (std::uint32_t e = 0; e < table_.size(); ++e)
      if (table_.at(e).valid)
        text += fmt::format("; entry {}: {}", e, golden::describe(table_.at(e)));
    return text;
  }

 private:
  /// The unit may take the buffer in the next cycle. `before`: of Choice.
  bool eligible(std::uint32_t port, std::uint32_t before) const {
    const BarrierBuffer& buffer = buffers_[port];
    if (buffer.state() != State::kComplete) return false;
    if (!buffer.first_message() || ways(port) == 0) return true;
    if (buffer.message().destination == table_.address()) return true;
    bool behind = false;
    for_each_bit(before,
                 [&](std::uint32_t other) { behind |= lowest(ways(other)) == lowest(ways(port)); });
    return !behind;
  }
  void apply(std::uint32_t port, Result& result) {
    BarrierBuffer& buffer = buffers_[port];
    const preempt::BsrMessage message = buffer.message();
    std::optional<preempt::BsrMessage> on = message;
    if (message.destination == table_.address() || (buffer.first_message() && ways(port) != 0)) {
      on = table_.take(port, message);
      result.dropped = table_.dropped();
    } else if (ways(port) == 0) {
      on.reset();
      ++result.unroutable;
    }
    if (on) {
      buffer.load(*on, buffer.mask(), State::kGoing);
    } else {
      buffer.clear();
      result.freed |= static_cast<std::uint32_t>(bit(port));
    }
  }
  void originate(const Choice& choice, const Route& route, Result& result) {
    BarrierBuffer& own = buffers_[origin()];
    if (choice.sends) {
      const BsrOrigin sent = table_.send(*choice.sends);
      const auto mask =
          sent.port ? static_cast<std::uint16_t>(bit(*sent.port)) : route(sent.message.destination);
      own.load(sent.message, mask, State::kRouting);
    } else if (choice.routing) {
      if (ways(origin()) != 0) {
        own.go();
      } else {
        own.clear();
        ++result.unroutable;
      }
    }
  }

  std::uint32_t ports_;
  BsrTable table_;
  std::vector<BarrierBuffer> buffers_;
  std::optional<std::uint32_t> chosen_;  // the port that the unit takes in the coming cycle
  std::uint32_t round_ = 0;              // ports still to be served in this round of the unit
  std::uint16_t closed_ = 0;             // ports
};

}  // namespace muster::golden
