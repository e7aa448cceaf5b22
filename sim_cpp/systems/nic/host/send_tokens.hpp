// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace muster::nic {

/// The host's send tokens of one NIC (docs/systems/nic-link.md): two of each connection. A message
/// without one waits at the host.
class SendTokens {
 public:
  static constexpr std::uint32_t kTokens = 2;

  /// True if the message may go now; else it is kept.
  bool take(std::uint32_t connection, std::uint32_t word) {
    if (connection >= lines_.size()) lines_.resize(connection + 1);
    Line& line = lines_[connection];
    if (line.out < kTokens) {
      ++line.out;
      return true;
    }
    line.waiting.push_back(word);
    return false;
  }
  /// A token is back: the message that goes with it, if one has waited.
  std::optional<std::uint32_t> give_back(std::uint32_t connection) {
    Line& line = lines_.at(connection);
    if (line.waiting.empty()) {
      --line.out;
      return std::nullopt;
    }
    const std::uint32_t word = line.waiting.front();
    line.waiting.pop_front();
    return word;
  }

 private:
  struct Line {
    std::uint32_t out = 0;
    std::deque<std::uint32_t> waiting;
  };
  std::vector<Line> lines_;  ///< by connection
};

}  // namespace muster::nic
