// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "systems/btin/groups/group_message.hpp"

namespace muster::btin {

/// One node's messages to other nodes where packets can be lost (docs/systems/lost-messages.md).
/// To each other node one message is under way at a time; it carries the number of the message in
/// its last word, and is repeated until the other node acknowledges the number. What comes twice is
/// acknowledged twice and taken once. Packets of two nodes stay in order, so messages do.
class PeerChannels {
 public:
  using Send = std::function<void(std::vector<core::Flit>)>;

  explicit PeerChannels(Send send) : send_(std::move(send)) {}

  /// To another node.
  void send(GroupMessage message);
  /// From another node: true if it is new, and `message` is as it was sent. Acknowledgements and
  /// what has come before end here.
  bool receive(GroupMessage& message);
  /// Once a cycle: sends what is new, repeats what is not acknowledged.
  void clock(std::uint64_t cycle);
  /// Nothing waits to be sent for the first time.
  bool idle() const;
  /// Everything has been acknowledged.
  bool done() const;
  std::uint64_t repetitions() const { return repetitions_; }

 private:
  friend struct NodeState;  // in tests

  struct Peer {
    std::deque<GroupMessage> pending;  ///< the first is under way if sent
    bool sent = false;
    std::uint32_t number = 0, expected = 0;  ///< of the first pending, of the next to come
    std::uint64_t retry_after = 0, due = 0;
  };

  std::map<std::uint32_t, Peer> peers_;  ///< by node
  Send send_;
  std::uint64_t repetitions_ = 0;
};

}  // namespace muster::btin
