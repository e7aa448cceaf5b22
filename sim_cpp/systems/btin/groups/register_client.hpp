// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "fabric/register_packets.hpp"

namespace muster::btin {

/// One node's way to the registers of switches: requests one after the other, each repeated with a
/// new tag until its latest repetition has been answered. Requests and answers stay in order, so
/// that then nothing of the earlier ones is left in the network.
class RegisterClient {
 public:
  /// How it went, and the word before. A write that an earlier repetition has done is kDone.
  using Done = std::function<void(fabric::AccessStatus, std::uint32_t before)>;
  using Send = std::function<void(std::vector<core::Flit>)>;

  static constexpr std::uint64_t kFirstRetry = 256, kLongestRetry = 1u << 16;  ///< cycles
  static constexpr std::uint8_t kVc = 0;

  RegisterClient(std::uint32_t node, Send send) : node_(node), send_(std::move(send)) {}

  void read(std::uint32_t destination, std::uint32_t address, Done done);
  void write(std::uint32_t destination, std::uint32_t address, std::uint32_t old,
             std::uint32_t value, Done done);

  /// Nothing waits to be sent for the first time.
  bool idle() const { return sent_ || pending_.empty(); }
  void receive(const fabric::RegisterAnswer& answer);
  /// Once a cycle: sends what waits, repeats what has not been answered.
  void clock(std::uint64_t cycle);
  std::uint64_t repetitions() const { return repetitions_; }
  /// Requests sent, repetitions too.
  std::uint64_t requests() const { return requests_; }

 private:
  friend struct NodeState;  // in tests

  struct Pending {
    fabric::RegisterAccess access;
    Done done;
  };
  void repeat(std::uint64_t cycle);

  std::uint32_t node_;
  Send send_;
  std::deque<Pending> pending_;  ///< the first is under way if sent_
  bool sent_ = false;
  std::uint32_t tag_ = 0;
  std::uint64_t retry_after_ = kFirstRetry, due_ = 0;
  std::uint64_t repetitions_ = 0, requests_ = 0;
};

}  // namespace muster::btin
