// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/nic/golden/nic_context.hpp"

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
  using NicMessage = nic::NicMessage;
  using NicType = nic::NicType;

 public:
  explicit NicDirect(const nic::NicConfig& config)
      : mask_((1u << config.seq_w) - 1),
        names_((1u << config.addr_w) - 1),
        connections_(config.conns),
        records_(config.records),
        round_(config.records) {}

  /// Room for a token to `peer`; no answer if there is no connection that could take it.
  std::optional<bool> room(std::uint32_t peer) const {
    const auto k = find(peer);
    if (!k || connections_[*k].dead) return std::nullopt;
    return connections_[*k].tokens.size() < kTokens;
  }
  /// What it asks the transmitter for.
  std::optional<NicMessage> asks() const {
    const auto r = next_record();
    if (!r) return std::nullopt;
    const Connection& c = connections_[records_[*r].connection];
    const NicToken& token = c.tokens.front();
    return NicMessage{.type = NicType::kData,
                      .destination = c.peer,
                      .slot = token.slot,
                      .group = token.group,
                      .barrier = token.barrier,
                      .packet = static_cast<std::uint8_t>(c.next)};
  }
  /// The outcome of a DATA or ACK, apart from the queues of replies and events.
  struct Verdict {
    NicDrop drop = NicDrop::kNone;
    bool accept = false;  ///< DATA in order, or the ACK that is awaited
    bool reply = false;   ///< an ACK is due
    bool host = false;    ///< of an ACK: the token is the host's
    std::uint32_t connection = 0;
  };
  Verdict judge(const NicMessage& m) const {
    const auto k = find(m.source);
    if (!k) return {.drop = NicDrop::kUnknown};
    const Connection& c = connections_[*k];
    if (m.type == NicType::kAck) {
      if (!c.busy || m.packet != c.next) return {.drop = NicDrop::kStale};
      return {.accept = true, .host = c.tokens.front().host, .connection = *k};
    }
    if (m.packet == c.expected) return {.accept = true, .reply = true, .connection = *k};
    return {.drop = NicDrop::kStale, .reply = m.packet == ((c.expected - 1) & mask_)};
  }
  /// Lowest connection with a notice.
  std::optional<std::uint32_t> notice() const {
    return first_from(connections_, 0, [](const Connection& c) { return c.notice; });
  }
  std::uint32_t event_word(std::uint32_t k) const {
    return nic::registers::event_word(nic::registers::Event::kDeadConnection,
                                      k << 24 | connections_[k].peer);
  }
  bool quiet(const NicTimes& times) const {
    if (notice() || next_record() || (next_connection() && free_record())) return false;
    return !timer_runs(times);
  }

  // The edge.

  /// Connections get records, timers run except for that of the connection `acked`, what was asked
  /// for has been granted.
  void clock(const NicTimes& times, bool granted, std::optional<std::uint32_t> acked) {
    const auto chosen = next_connection();
    const auto place = free_record();
    const auto sent = granted ? next_record() : std::nullopt;
    const bool moves = timer_runs(times);
    for (std::uint32_t r = 0; moves && r < records_.size(); ++r)
      if (const std::uint32_t visit = round_.visit(r);
          visit != 0 && records_[r].used && !records_[r].want && records_[r].connection != acked)
        count_time(times, records_[r], visit);
    if (moves) round_.move();
    if (sent) {
      records_[*sent].want = false;
      record_pointer_ = (*sent + 1) % static_cast<std::uint32_t>(records_.size());
    }
    if (chosen && place) {
      records_[*place] = {true, true, static_cast<std::uint8_t>(*chosen), 0, 0};
      connections_[*chosen].busy = true;
      connection_pointer_ = (*chosen + 1) % static_cast<std::uint32_t>(connections_.size());
    }
  }
  void accept(const NicMessage& message, std::uint32_t k) {
    Connection& c = connections_[k];
    if (message.type == NicType::kData) {
      c.expected = (c.expected + 1) & mask_;
      return;
    }
    c.tokens.erase(c.tokens.begin());
    c.busy = false;
    c.next = (c.next + 1) & mask_;
    for (Record& record : records_)
      if (record.used && record.connection == k) record.used = false;
  }
  void push(std::uint32_t peer, const NicToken& token) {
    Connection& c = connections_[*find(peer)];
    if (!c.dead) c.tokens.push_back(token);
  }
  void clear_notice(std::uint32_t connection) { connections_[connection].notice = false; }
  void write(std::uint32_t k, std::uint32_t word) {
    connections_[k] = {};
    connections_[k].valid = word >> 31 & 1;
    connections_[k].peer = static_cast<std::uint16_t>(word & names_);
    for (Record& record : records_)
      if (record.used && record.connection == k) record.used = false;
  }

  std::uint32_t read(std::uint32_t k) const {
    const Connection& c = connections_[k];
    return std::uint32_t{c.valid} << 31 | std::uint32_t{c.dead} << 30 |
           std::uint32_t{c.busy} << 29 | static_cast<std::uint32_t>(c.tokens.size()) << 27 |
           (c.peer & 0x7ff);
  }
  std::string describe() const {
    std::string text = "connections";
    for (const Connection& c : connections_) {
      if (!c.valid) continue;
      text += fmt::format(" n{}: next {}, expected {}, {} tokens{}{};", c.peer, c.next, c.expected,
                          c.tokens.size(), c.busy ? ", busy" : "", c.dead ? ", dead" : "");
    }
    return text;
  }

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

  /// The first place that fits, from `pointer` on around.
  template <class List, class Fits>
  static std::optional<std::uint32_t> first_from(const List& list, std::uint32_t pointer,
                                                 Fits&& fits) {
    const auto n = static_cast<std::uint32_t>(list.size());
    for (std::uint32_t i = 0; i < n; ++i)
      if (const std::uint32_t k = (pointer + i) % n; fits(list[k])) return k;
    return std::nullopt;
  }
  std::optional<std::uint32_t> find(std::uint32_t peer) const {
    return first_from(connections_, 0,
                      [&](const Connection& c) { return c.valid && c.peer == peer; });
  }
  static bool eligible(const Connection& c) {
    return c.valid && !c.tokens.empty() && !c.busy && !c.dead;
  }
  std::optional<std::uint32_t> next_connection() const {
    return first_from(connections_, connection_pointer_,
                      [](const Connection& c) { return eligible(c); });
  }
  std::optional<std::uint32_t> free_record() const {
    return first_from(records_, 0, [](const Record& r) { return !r.used; });
  }
  std::optional<std::uint32_t> next_record() const {
    return first_from(records_, record_pointer_, [](const Record& r) { return r.used && r.want; });
  }
  bool timer_runs(const NicTimes& times) const {
    return times.timeout != 0 &&
           std::ranges::any_of(records_, [](const Record& r) { return r.used && !r.want; });
  }
  void count_time(const NicTimes& times, Record& record, std::uint32_t visit) {
    if (record.timer < times.limit(record.tries)) {
      record.timer += visit;
    } else if (record.tries < times.retries) {
      record.want = true;
      record.timer = 0;
      ++record.tries;
    } else {
      Connection& c = connections_[record.connection];
      record.used = c.busy = false;
      c.dead = c.notice = true;
      c.tokens.clear();
    }
  }

  std::uint32_t mask_, names_;
  std::vector<Connection> connections_;
  std::vector<Record> records_;
  NicRound round_;  ///< of the timers of records
  std::uint32_t connection_pointer_ = 0, record_pointer_ = 0;
};

}  // namespace muster::golden
