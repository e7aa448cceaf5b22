// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/golden/bsr_table.hpp"
#include "systems/preempt/switch_kinds.hpp"

namespace muster::golden {

/// A message on its way through a preempting switch.
struct BsrBuffer {
  enum class State : std::uint8_t {
    kFilling,   ///< 0 flits or more are there, the last is not
    kComplete,  ///< all are; the unit has not taken it
    kRouting,   ///< of the origin: filled, and its route read, in the cycle before
    kGoing      ///< waits for an output, or is served by one
  };
  State state = State::kFilling;
  std::uint32_t count = 0;  ///< flits that are there
  std::uint32_t gone = 0;   ///< flits that have left
  std::uint16_t mask = 0;   ///< legal outputs
  bool by_port = false;     ///< for a node of this switch: `mask` is its port
  std::array<core::Flit, preempt::kBsrFlits> flits{};

  bool empty() const { return state == State::kFilling && count == 0; }
  std::uint32_t length() const { return bsr_length(preempt::bsr_type(flits[0])); }
  bool first_message() const {
    return preempt::bsr_type(flits[0]) == preempt::BsrType::kFirst && !by_port;
  }
  preempt::BsrMessage message() const { return preempt::bsr_message(flits); }
};

/// The message buffers of a preempting switch, one for each input port and the last for the
/// messages of the switch itself, with the unit that applies them to the status table
/// (docs/systems/preempting-switches.md, The barrier unit).
class BsrBuffers {
 public:
  using Route = std::function<std::uint16_t(std::uint32_t destination)>;

  BsrBuffers(std::uint32_t ports, std::uint32_t entries)
      : ports_(ports), table_(entries), buffers_(ports + 1) {}

  BsrTable& table() { return table_; }
  const BsrTable& table() const { return table_; }
  std::uint32_t origin() const { return ports_; }
  std::uint32_t size() const { return ports_ + 1; }
  const BsrBuffer& at(std::uint32_t buffer) const { return buffers_[buffer]; }

  /// True if the next flit for this buffer begins a message or is a link control.
  bool begins(std::uint32_t port) const {
    return buffers_[port].state != BsrBuffer::State::kFilling || buffers_[port].count == 0;
  }
  /// True if a flit of a message has room there.
  bool room(std::uint32_t port) const { return buffers_[port].state == BsrBuffer::State::kFilling; }

  /// What a cycle decides on the state at its beginning.
  struct Choice {
    std::uint32_t able = 0;                ///< buffers that the unit could take
    std::optional<std::uint32_t> applied;  ///< the one that it takes
    std::optional<std::uint32_t> sends;    ///< an entry from which the origin is filled
    bool routing = false;                  ///< the origin has its route
  };
  /// `served`: buffers that an output serves.
  Choice choose(std::uint32_t served) const;
  struct Result {
    std::optional<BsrDrop> dropped;  ///< why the unit's message has changed nothing
    std::uint32_t unroutable = 0;    ///< messages that had no way, the unit's or the origin's
  };
  /// The edge.
  Result edge(const Choice& choice, const Route& route);
  /// A flit of a message comes to a buffer with room, at the edge; if it is the first, `mask` are
  /// the legal outputs of the message.
  void push(std::uint32_t port, const core::Flit& flit, std::uint16_t mask);
  /// A flit has left by an output, at the edge.
  void gone(std::uint32_t buffer);

  bool idle() const;
  std::string describe() const;

 private:
  bool eligible(std::uint32_t port, std::uint32_t served) const;
  static void rewrite(BsrBuffer& buffer, const preempt::BsrMessage& message);

  std::uint32_t ports_;
  BsrTable table_;
  std::vector<BsrBuffer> buffers_;
  std::uint32_t round_ = 0;  // ports still to be served in this round of the unit
};

}  // namespace muster::golden
