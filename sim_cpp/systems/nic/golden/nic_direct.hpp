// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "systems/nic/blocks/nic_config.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/golden/nic_context.hpp"

namespace muster::golden {

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
  bool eligible(const Connection& c) const {
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
