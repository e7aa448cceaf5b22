// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_direct.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "systems/nic/nic_registers.hpp"

namespace muster::golden {

using nic::NicMessage;
using nic::NicType;

namespace {

/// The first place that fits, from `pointer` on around.
template <class List, class Fits>
std::optional<std::uint32_t> first_from(const List& list, std::uint32_t pointer, Fits&& fits) {
  const auto n = static_cast<std::uint32_t>(list.size());
  for (std::uint32_t i = 0; i < n; ++i)
    if (const std::uint32_t k = (pointer + i) % n; fits(list[k])) return k;
  return std::nullopt;
}

}  // namespace

NicDirect::NicDirect(const nic::NicConfig& config)
    : mask_((1u << config.seq_w) - 1),
      names_((1u << config.addr_w) - 1),
      connections_(config.conns),
      records_(config.records) {}

std::optional<std::uint32_t> NicDirect::find(std::uint32_t peer) const {
  return first_from(connections_, 0,
                    [&](const Connection& c) { return c.valid && c.peer == peer; });
}

std::optional<bool> NicDirect::room(std::uint32_t peer) const {
  const auto k = find(peer);
  if (!k || connections_[*k].dead) return std::nullopt;
  return connections_[*k].tokens.size() < kTokens;
}

std::optional<std::uint32_t> NicDirect::next_connection() const {
  return first_from(connections_, connection_pointer_,
                    [](const Connection& c) { return eligible(c); });
}

std::optional<std::uint32_t> NicDirect::free_record() const {
  return first_from(records_, 0, [](const Record& r) { return !r.used; });
}

std::optional<std::uint32_t> NicDirect::next_record() const {
  return first_from(records_, record_pointer_, [](const Record& r) { return r.used && r.want; });
}

std::optional<NicMessage> NicDirect::asks() const {
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

NicDirect::Verdict NicDirect::judge(const NicMessage& m) const {
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

std::optional<std::uint32_t> NicDirect::notice() const {
  return first_from(connections_, 0, [](const Connection& c) { return c.notice; });
}

std::uint32_t NicDirect::event_word(std::uint32_t k) const {
  return nic::registers::event_word(nic::registers::Event::kDeadConnection,
                                    k << 24 | connections_[k].peer);
}

bool NicDirect::quiet(const NicTimes& times) const {
  if (notice() || next_record() || (next_connection() && free_record())) return false;
  return times.timeout == 0 ||
         std::none_of(records_.begin(), records_.end(), [](const Record& r) { return r.used; });
}

void NicDirect::clock(const NicTimes& times, bool granted, std::optional<std::uint32_t> acked) {
  const auto chosen = next_connection();
  const auto place = free_record();
  const auto sent = granted ? next_record() : std::nullopt;
  for (Record& record : records_)
    if (record.used && !record.want && record.connection != acked) count_time(times, record);
  if (sent) {
    records_[*sent].want = false;
    records_[*sent].timer = 0;
    record_pointer_ = (*sent + 1) % static_cast<std::uint32_t>(records_.size());
  }
  if (chosen && place) {
    records_[*place] = {true, true, static_cast<std::uint8_t>(*chosen), 0, 0};
    connections_[*chosen].busy = true;
    connection_pointer_ = (*chosen + 1) % static_cast<std::uint32_t>(connections_.size());
  }
}

void NicDirect::count_time(const NicTimes& times, Record& record) {
  if (times.timeout == 0) return;
  if (record.timer < times.limit(record.tries)) {
    ++record.timer;
  } else if (record.tries < times.retries) {
    record.want = true;
    ++record.tries;
  } else {
    Connection& c = connections_[record.connection];
    record.used = c.busy = false;
    c.dead = c.notice = true;
    c.tokens.clear();
  }
}

void NicDirect::accept(const NicMessage& message, std::uint32_t k) {
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

void NicDirect::push(std::uint32_t peer, const NicToken& token) {
  Connection& c = connections_[*find(peer)];
  if (!c.dead) c.tokens.push_back(token);
}

void NicDirect::write(std::uint32_t k, std::uint32_t word) {
  connections_[k] = {};
  connections_[k].valid = word >> 31 & 1;
  connections_[k].peer = static_cast<std::uint16_t>(word & names_);
  for (Record& record : records_)
    if (record.used && record.connection == k) record.used = false;
}

std::uint32_t NicDirect::read(std::uint32_t k) const {
  const Connection& c = connections_[k];
  return std::uint32_t{c.valid} << 31 | std::uint32_t{c.dead} << 30 | std::uint32_t{c.busy} << 29 |
         static_cast<std::uint32_t>(c.tokens.size()) << 27 | c.next << 19 | c.expected << 11 |
         (c.peer & 0x7ff);
}

std::string NicDirect::describe() const {
  std::string text = "connections";
  for (const Connection& c : connections_) {
    if (!c.valid) continue;
    text += fmt::format(" n{}: next {}, expected {}, {} tokens{}{};", c.peer, c.next, c.expected,
                        c.tokens.size(), c.busy ? ", busy" : "", c.dead ? ", dead" : "");
  }
  return text;
}

}  // namespace muster::golden
