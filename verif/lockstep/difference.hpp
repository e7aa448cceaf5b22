// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::verif {

/// One word of the state or the outputs of a block, `drops port 3 (0x013)`; the value is empty
/// where there is nothing to tell, a register that is 0 for instance.
struct StateWord {
  std::string name, value;
};

/// All that is known where golden and RTL differ.
struct Difference {
  std::uint64_t cycle = 0;
  bool settled = false;  ///< in the cycle, before its edge; else after its edge
  std::string instance;
  std::string output;       ///< `tx_valid`, `port 3`
  std::string golden, rtl;  ///< values of the output
  /// Outputs and state of both: the same names in the same order.
  std::vector<StateWord> golden_state, rtl_state;
  std::string golden_text, rtl_text;  ///< describe()
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

}  // namespace muster::verif
