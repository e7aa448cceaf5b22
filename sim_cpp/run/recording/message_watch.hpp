// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/system.hpp"
#include "run/recording/recording.hpp"

namespace muster::run {

/// Puts the barrier messages of all channels together, flit by flit, and asks the system what they
/// are. With delay pipes or link ends a channel has two parts; a message is in it from its first
/// flit on the first to its last on the second.
class MessageWatch {
 public:
  /// The system and the network outlive it.
  MessageWatch(const System& system, fabric::Network& network, fabric::Formats formats);

  /// All flits of a cycle; adds what begins there to `rows`.
  void add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
           std::vector<MessageRow>& rows);

 private:
  static constexpr std::uint32_t kStreams = 5;  ///< of a channel: the virtual ones, and sync flits
  static constexpr std::size_t kLongest = 80;   ///< flits; more than any message has
  struct Stream {
    std::uint64_t first = 0;  ///< cycle of the first flit
    bool open = false;        ///< flits are collected
    std::vector<core::Flit> flits;
  };
  void collect(std::uint64_t cycle, core::ChannelId channel, const core::Flit& flit,
               std::vector<MessageRow>& rows);
  void arrives(std::uint64_t cycle, core::ChannelId channel, const SeenMessage& message,
               std::vector<MessageRow>& rows);

  const System& system_;
  const fabric::Network& network_;
  fabric::Formats formats_;
  std::vector<Stream> streams_;                        ///< by channel of the engine
  std::vector<std::deque<std::size_t>> on_their_way_;  ///< by channel: rows that have not arrived
};

}  // namespace muster::run
