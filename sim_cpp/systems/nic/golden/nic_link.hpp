// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "systems/nic/blocks/nic_message.hpp"

namespace muster::golden {

/// The receiving end of a NIC: flits to messages.
class NicReceive {
 public:
  /// `seq_w` bits of a sequence number are looked at, `addr_w` of an address.
  NicReceive(std::uint32_t seq_w, std::uint32_t addr_w)
      : mask_(static_cast<std::uint8_t>((1u << seq_w) - 1)),
        flit_mask_(0xffff | fabric::address_bits((1u << addr_w) - 1)) {}

  /// A flit on the wires. True if it ends a packet of the engine that is not a message.
  bool take(const core::Flit& flit, std::uint8_t channel, std::uint32_t address) {
    message_.reset();
    if (flit.sync() || flit.vc != channel) return false;
    if (flit.head()) flits_.clear();
    if (!flit.head() && flits_.empty()) return false;  // it follows no head
    if (flits_.size() <= nic::kNicFlits) {
      flits_.push_back(flit);
      flits_.back().lo &= flit_mask_;
    }
    if (!flit.tail()) return false;
    if (fabric::Formats::opcode(flits_.front()) != fabric::kOpcodeDevice) {
      flits_.clear();
      return false;
    }
    if (!flit.cut()) message_ = nic::nic_message(flits_);
    flits_.clear();
    if (message_ && message_->destination != address) message_.reset();
    if (message_) {
      message_->barrier &= mask_;
      message_->packet &= mask_;
    }
    return !message_;
  }
  void idle() { message_.reset(); }
  /// The message register.
  const std::optional<nic::NicMessage>& message() const { return message_; }

 private:
  std::vector<core::Flit> flits_;  ///< of the packet that comes, one more than a message at most
  std::optional<nic::NicMessage> message_;
  std::uint8_t mask_;
  std::uint64_t flit_mask_;
};

/// The sending end: a message to flits, as credits allow.
class NicTransmit {
 public:
  explicit NicTransmit(std::uint32_t depth) : credits_(depth) {}

  bool busy() const { return next_ < nic::kNicFlits; }
  /// A message may be granted in this cycle.
  bool open() const { return !busy() || (next_ + 1 == nic::kNicFlits && credits_ != 0); }
  /// The flit that goes in this cycle; a credit of its channel may come.
  std::optional<core::Flit> clock(bool credit) {
    std::optional<core::Flit> flit;
    if (busy() && credits_ != 0) {
      flit = flits_[next_++];
      --credits_;
    }
    credits_ += credit;
    return flit;
  }
  /// After clock() of a cycle in which it was open.
  void load(const nic::NicMessage& message, std::uint8_t channel) {
    flits_ = nic::nic_flits(message, channel);
    next_ = 0;
  }
  std::uint32_t credits() const { return credits_; }

 private:
  std::array<core::Flit, nic::kNicFlits> flits_{};
  std::uint32_t next_ = nic::kNicFlits;
  std::uint32_t credits_;
};

}  // namespace muster::golden
