// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "muster/fabric/retry_message.hpp"

namespace muster::btin {

/// A member of a group whose registers repeat (docs/systems/retry-registers.md, A member).
class RetryMember {
 public:
  /// In an epoch, at its first barrier.
  RetryMember(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool waiting() const { return waiting_; }
  bool failed() const { return failed_; }

  /// REQUIRES: it is neither waiting nor failed.
  void arrive(const fabric::Payload& data) {
    waiting_ = true;
    data_ = data;
  }
  /// What it sends when it arrives, and again as long as it waits; and when it has failed.
  fabric::RetryMessage message() const {
    return {fabric::MessageType::kReduction,    gid_, phase_, failed_, epoch_,
            failed_ ? fabric::Payload{} : data_};
  }
  /// A message has come: the data with which it is released by it, if it is.
  std::optional<fabric::Payload> receive(const fabric::RetryMessage& message) {
    const bool down = message.type == fabric::MessageType::kDistribution;
    if (!down || message.epoch != epoch_ || message.phase != phase_) return std::nullopt;
    if (message.fail) {
      failed_ = true;
      return std::nullopt;
    }
    if (!waiting_ || failed_) return std::nullopt;
    waiting_ = false;
    phase_ = !phase_;
    return message.data;
  }

 private:
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, waiting_ = false, failed_ = false;
  fabric::Payload data_;
};

/// A root node that answers in place of its switch: a register with one child. When that child says
/// that it has failed, no other vertex has to be told.
class RetryRoot {
 public:
  RetryRoot(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool waiting() const { return waiting_; }
  bool failed() const { return failed_; }
  /// REQUIRES: it is neither waiting nor failed.
  void arrive() { waiting_ = true; }
  /// A message has come: what it is answered with at once, if it is.
  std::optional<fabric::RetryMessage> receive(const fabric::RetryMessage& message) {
    const bool up = message.type == fabric::MessageType::kReduction;
    if (!up || message.epoch != epoch_) return std::nullopt;
    if (message.fail) {
      failed_ |= message.phase == phase_;
      return std::nullopt;
    }
    if (message.phase != phase_) return down(!phase_);
    if (failed_) return std::nullopt;
    if (!told_) data_ = message.data;
    told_ = true;
    return std::nullopt;
  }
  /// All others have arrived, and it has not failed; and what they bring.
  bool told() const { return told_ && !failed_; }
  const fabric::Payload& brought() const { return data_; }
  /// Releases all, itself too, with these data: what it sends. REQUIRES: it is waiting and told.
  fabric::RetryMessage release(const fabric::Payload& all) {
    told_ = waiting_ = false;
    released_with_ = all;
    const fabric::RetryMessage message = down(phase_);
    phase_ = !phase_;
    return message;
  }

 private:
  fabric::RetryMessage down(bool phase) const {
    return {fabric::MessageType::kDistribution, gid_, phase, false, epoch_, released_with_};
  }
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, waiting_ = false, told_ = false, failed_ = false;
  fabric::Payload data_, released_with_;
};

}  // namespace muster::btin
