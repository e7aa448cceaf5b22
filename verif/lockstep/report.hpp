// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::verif {

/// One word of the state or the outputs of a block, `children 3 (0x132)`; the value is empty
/// where there is nothing to tell, a register that is 0 for instance.
struct StateWord {
  std::string name, value;
};

/// All that is known where golden and RTL differ.
struct Difference {
  std::uint64_t cycle = 0;
  bool settled = false;  ///< in the cycle, before its edge; else after its edge
  std::string instance;
  std::string output;  ///< `tx_valid`, `port 3`
  struct Side {
    std::string value;             ///< of the output
    std::vector<StateWord> state;  ///< outputs and state: of both the same names in the same order
    std::string text;              ///< describe()
  } golden, rtl;
  std::vector<std::string> messages;  ///< the last ones, the oldest first
};

/// First line: where, and both values. Then the states side by side, what differs marked; both
/// descriptions; the messages.
std::string report(const Difference& difference);

/// The last messages of a block.
template <class Message, std::uint32_t kRemembered>
class LastMessages {
 public:
  void add(const Message& message) { ring_[count_++ % kRemembered] = message; }
  /// The oldest first.
  std::vector<Message> all() const {
    std::vector<Message> messages;
    for (std::uint64_t i = count_ - std::min<std::uint64_t>(count_, kRemembered); i < count_; ++i)
      messages.push_back(ring_[i % kRemembered]);
    return messages;
  }

 private:
  std::array<Message, kRemembered> ring_{};
  std::uint64_t count_ = 0;
};

/// A flit on a link of a block.
struct LinkMessage {
  core::Flit flit;
  std::uint64_t cycle = 0;
  std::uint32_t port = 0;
  bool out = false;
};

/// "head vc 1 payload 0x8005".
std::string show(const core::Flit& flit);

/// The meaning of the flits of a block's links, told one after the other. A flit whose head was not
/// told has no meaning but its bits.
class FlitText {
 public:
  using SyncText = decltype(fabric::SwitchKind::sync_text);
  /// `sync`: how sync flits are read.
  FlitText(const fabric::Formats& formats, SyncText sync) : formats_(formats), sync_(sync) {}

  /// "cycle 7 in port 3: head vc 0 payload 0x4005: arrival to 5".
  std::string line(const LinkMessage& message);

 private:
  std::string meaning(const LinkMessage& message);
  std::string packet(const std::vector<core::Flit>& flits) const;

  /// Direction, port, virtual channel, sync.
  using Stream = std::tuple<bool, std::uint32_t, std::uint8_t, bool>;

  fabric::Formats formats_;
  SyncText sync_;
  std::map<Stream, std::vector<core::Flit>> begun_;  ///< flits of a message so far
};

}  // namespace muster::verif
