// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/retry_message.hpp"
#include "systems/btin/golden/group_data.hpp"

namespace muster::golden {

/// A barrier register that repeats (docs/systems/retry-registers.md). Masks have one bit a port.
class RetryRegister {
 public:
  /// What comes and goes in a cycle.
  struct Cycle {
    std::uint16_t arriving = 0;  ///< ports with a message of this group, not refused
    const fabric::RetryMessage* by_port = nullptr;  ///< of these
    std::uint16_t departed = 0;                     ///< outputs through which its message has left
    bool repeat = false;                            ///< a repeat tick
    bool age = false;                               ///< an age tick
  };

  explicit RetryRegister(std::uint8_t data_width = 2) { data_.width = data_width; }

  bool valid() const { return valid_; }
  std::uint32_t gid() const { return gid_; }
  /// Rules 1 to 4 apply to the message; else it is refused.
  bool accepts(const fabric::RetryMessage& message, std::uint32_t port) const;
  /// A barrier is under way: ticks count.
  bool under_way() const { return valid_ && (up_ || failed_ || arrived_ != 0); }
  bool suspect() const { return valid_ && age_ == kOldest; }
  /// Something changes at the edge, ticks apart, whatever comes.
  bool busy() const { return fresh_ || data_.folding != 0 || full(); }

  /// Outputs at which its message stands, of a switch of so many ports; and that message.
  std::uint16_t requests(std::uint32_t ports) const;
  fabric::RetryMessage message() const;

  /// The clock edge.
  void edge(const Cycle& cycle, std::uint32_t ports);

  /// The host's words 0 to 3, after edge() of the same cycle.
  void write(std::uint32_t word, std::uint32_t value, std::uint32_t ports, std::uint32_t gid_width);
  std::uint32_t read(std::uint32_t word) const;

 private:
  static constexpr std::uint8_t kOldest = 15;
  bool has_parent(std::uint32_t ports) const { return !turn_ && parent_ < ports; }
  bool all_here() const { return children_ != 0 && (children_ & ~arrived_) == 0; }
  bool full() const { return valid_ && !failed_ && !up_ && all_here() && data_.folding == 0; }
  void release(const fabric::Payload& data);
  void fail(bool parent);
  void abort(std::uint32_t ports);
  void begin(std::uint32_t control, std::uint32_t gid_width);

  // Written by the host.
  bool valid_ = false, turn_ = false, claimed_ = false;
  std::uint8_t parent_ = 0, epoch_ = 0;
  std::uint16_t gid_ = 0, children_ = 0;

  bool phase_ = false, failed_ = false, up_ = false, ask_ = false, sent_ = false;
  std::uint16_t arrived_ = 0;  // of a failed register: children that notice is still to be given to
  std::uint16_t serve_ = 0;
  std::uint8_t age_ = 0;
  bool fresh_ = false;     // data have come or a message has become due, at the last edge
  bool released_ = false;  // at the last edge
  GroupData data_;         // of those that have arrived
  fabric::Payload kept_;   // of the last release, or while up_ of the UP
};

}  // namespace muster::golden
