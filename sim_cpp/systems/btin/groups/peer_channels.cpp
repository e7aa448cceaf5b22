// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/peer_channels.hpp"

#include <algorithm>

#include "systems/btin/groups/register_client.hpp"

namespace muster::btin {

namespace {
constexpr std::uint32_t kNumbers = 1u << 16;  ///< a word; two would do
}  // namespace

void PeerChannels::send(GroupMessage message) {
  peers_[message.destination].pending.push_back(std::move(message));
}

bool PeerChannels::receive(GroupMessage& message) {
  Peer& peer = peers_[message.source];
  const std::uint32_t number = message.words.back();
  message.words.pop_back();
  if (message.kind == Kind::kAcknowledge) {
    if (!peer.sent || number != peer.number) return false;
    peer.pending.pop_front();
    peer.number = (peer.number + 1) % kNumbers;
    peer.sent = false;
    return false;
  }
  send_(encode({Kind::kAcknowledge, message.gid, message.destination, message.source, {number}},
               RegisterClient::kVc));
  if (number != peer.expected) return false;
  peer.expected = (peer.expected + 1) % kNumbers;
  return true;
}

void PeerChannels::clock(std::uint64_t cycle) {
  for (auto& [node, peer] : peers_) {
    if (peer.pending.empty() || (peer.sent && cycle < peer.due)) continue;
    repetitions_ += peer.sent;
    peer.retry_after = peer.sent ? std::min(2 * peer.retry_after, RegisterClient::kLongestRetry)
                                 : RegisterClient::kFirstRetry;
    peer.sent = true;
    peer.due = cycle + peer.retry_after;
    GroupMessage message = peer.pending.front();
    message.words.push_back(peer.number);
    send_(encode(message, RegisterClient::kVc));
  }
}

bool PeerChannels::idle() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const auto& entry) {
    return entry.second.sent || entry.second.pending.empty();
  });
}

bool PeerChannels::done() const {
  return std::all_of(peers_.begin(), peers_.end(),
                     [](const auto& entry) { return entry.second.pending.empty(); });
}

}  // namespace muster::btin
