// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "systems/nic/golden/nic_context.hpp"
#include "systems/nic/nic_bank.hpp"

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

/// A send token: one message of a context or of the host, for one destination.
struct NicToken {
  std::uint8_t slot = 0, group = 0, barrier = 0;
  bool host = false;  ///< the host gave it, and gets it back
};

/// The point-to-point path of a NIC: connections with their token queues, send records
/// (docs/systems/nic-link.md). Questions are answered on the state at the beginning of the cycle,
/// the calls after begin() are its edge, in the order in which they stand here.
class NicDirect {
 public:
  explicit NicDirect(const nic::NicConfig& config);

  /// Room for a token to `peer`; no answer if there is no connection that could take it.
  std::optional<bool> room(std::uint32_t peer) const;
  /// What it asks the transmitter for.
  std::optional<nic::NicMessage> asks() const;
  /// The outcome of a DATA or ACK, apart from the queues of replies and events.
  struct Verdict {
    NicDrop drop = NicDrop::kNone;
    bool accept = false;  ///< DATA in order, or the ACK that is awaited
    bool reply = false;   ///< an ACK is due
    bool host = false;    ///< of an ACK: the token is the host's
    std::uint32_t connection = 0;
  };
  Verdict judge(const nic::NicMessage& message) const;
  /// Lowest connection with a notice.
  std::optional<std::uint32_t> notice() const;
  std::uint32_t event_word(std::uint32_t connection) const;
  bool quiet(const NicTimes& times) const;

  // The edge.

  /// Connections get records, timers run except for that of the connection `acked`, what was asked
  /// for has been granted.
  void clock(const NicTimes& times, bool granted, std::optional<std::uint32_t> acked);
  void accept(const nic::NicMessage& message, std::uint32_t connection);
  void push(std::uint32_t peer, const NicToken& token);
  void clear_notice(std::uint32_t connection) { connections_[connection].notice = false; }
  void write(std::uint32_t connection, std::uint32_t word);

  std::uint32_t read(std::uint32_t connection) const;
  std::string describe() const;

 private:
  struct Connection {
    bool valid = false, busy = false, dead = false, notice = false;
    std::uint16_t peer = 0;
    std::uint32_t next = 0, expected = 0;
    std::vector<NicToken> tokens;  ///< up to kTokens, oldest first
  };
  struct Record {
    bool used = false, want = false;
    std::uint8_t connection = 0, tries = 0;
    std::uint32_t timer = 0;
  };
  static constexpr std::size_t kTokens = 2;

  std::optional<std::uint32_t> find(std::uint32_t peer) const;
  static bool eligible(const Connection& c) {
    return c.valid && !c.tokens.empty() && !c.busy && !c.dead;
  }
  std::optional<std::uint32_t> next_connection() const;
  std::optional<std::uint32_t> free_record() const;
  std::optional<std::uint32_t> next_record() const;
  void count_time(const NicTimes& times, Record& record);

  std::uint32_t mask_, names_;
  std::vector<Connection> connections_;
  std::vector<Record> records_;
  std::uint32_t connection_pointer_ = 0, record_pointer_ = 0;
};

}  // namespace muster::golden
