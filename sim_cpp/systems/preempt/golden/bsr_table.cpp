// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_table.hpp"

#include <fmt/format.h>

namespace muster::golden {

std::string describe(const BsrEntry& entry) {
  if (!entry.valid) return "free";
  std::string children;
  for_each_bit(entry.children, [&](std::uint32_t p) {
    children += fmt::format("{}{} by {}", children.empty() ? "" : ", ", entry.child[p], p);
  });
  return fmt::format(
      "group {}{}{}{}{}{}{} locals {:#x} children [{}] arrived {:#x} serve {:#x} parent {} count "
      "{}",
      entry.gid, entry.center ? " center" : "", entry.branch ? " branch" : "",
      entry.tree ? " tree" : "", entry.sent ? " sent" : "", entry.tidy ? " tidy" : "",
      entry.refused ? " refused" : "", entry.locals, children, entry.arrived, entry.serve,
      entry.parent, entry.count);
}

using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrType;

namespace {

/// The children or locals a later reduction comes from, as a bit; 0 if from none.
std::uint16_t sender(const BsrEntry& entry, std::uint32_t port, std::uint32_t source) {
  if (has(entry.locals, port)) return static_cast<std::uint16_t>(bit(port));
  std::uint16_t found = 0;
  for_each_bit(entry.children, [&](std::uint32_t p) {
    if (entry.child[p] == source) found = static_cast<std::uint16_t>(bit(p));
  });
  return found;
}

}  // namespace

BsrEntry* BsrTable::find(std::uint32_t gid) {
  for (BsrEntry& entry : entries_)
    if (entry.valid && entry.gid == gid) return &entry;
  return nullptr;
}

BsrEntry* BsrTable::allocate(std::uint32_t gid) {
  for (BsrEntry& entry : entries_) {
    if (entry.valid) continue;
    entry = BsrEntry{};
    entry.valid = true;
    entry.gid = static_cast<std::uint8_t>(gid);
    return &entry;
  }
  return nullptr;
}

std::optional<BsrMessage> BsrTable::drop(BsrDrop reason) {
  dropped_ = reason;
  return std::nullopt;
}

std::optional<BsrMessage> BsrTable::take(std::uint32_t port, BsrMessage message) {
  dropped_.reset();
  if (message.type == BsrType::kFirst)
    return message.bnt == Bnt::kFree ? tidy(message) : first(port, message);
  return message.type == BsrType::kReduction ? reduction(port, message) : distribution(message);
}

std::optional<BsrMessage> BsrTable::tidy(const BsrMessage& message) {
  BsrEntry* const entry = find(message.gid);
  const bool here = message.destination == address_;
  if (entry == nullptr) return here ? drop(BsrDrop::kUnknownGroup) : std::optional(message);
  if (entry->bsr_node()) return std::nullopt;  // the parent
  entry->valid = false;
  return here ? std::nullopt : std::optional(message);
}

std::optional<BsrMessage> BsrTable::first(std::uint32_t port, BsrMessage message) {
  BsrEntry* entry = find(message.gid);
  const bool here = message.destination == address_;
  if (entry == nullptr) {
    if (here) return drop(BsrDrop::kUnknownGroup);
    if (message.refused) return message;
    entry = allocate(message.gid);
    if (entry == nullptr) {
      message.refused = true;
      message.bnt = Bnt::kNothing;
      return message;
    }
  }
  const bool local = has(entry->locals, port);
  if (entry->tree || (local && has(entry->arrived, port)) || (here && entry->count == 0))
    return drop(BsrDrop::kOutOfPhase);
  entry->center_address = static_cast<std::uint16_t>(message.destination);
  if (local) {
    if (entry->arrived != 0) message.bnt = Bnt::kNothing;
    entry->arrived |= static_cast<std::uint16_t>(bit(port));
  } else {
    learn(*entry, port, message);
  }
  if (!here) return message;
  count(*entry, message);
  return std::nullopt;
}

/// Rules 1 to 3.
void BsrTable::learn(BsrEntry& entry, std::uint32_t port, BsrMessage& message) const {
  if (message.bnt == Bnt::kNothing) return;
  const bool bsr_node = entry.bsr_node();
  const auto others = static_cast<std::uint16_t>(entry.children & ~bit(port));
  const std::uint32_t below = message.bnt == Bnt::kSource ? message.source : message.new_node;
  entry.children |= static_cast<std::uint16_t>(bit(port));
  entry.child[port] = static_cast<std::uint16_t>(below);
  if (bsr_node) {
    message.bnt = Bnt::kNothing;
  } else if (message.bnt == Bnt::kSource && others != 0) {
    entry.branch = true;
    message.bnt = Bnt::kNewNode;
    message.new_node = address_;
  }
}

void BsrTable::count(BsrEntry& entry, const BsrMessage& message) const {
  entry.refused |= message.refused;
  if (--entry.count != 0) return;
  serve_all(entry);
  if (entry.refused) entry.serve = entry.locals;
}

void BsrTable::serve_all(BsrEntry& entry) const {
  entry.tree = true;
  entry.sent = false;
  entry.arrived = 0;
  entry.serve = entry.below();
}

std::optional<BsrMessage> BsrTable::reduction(std::uint32_t port, const BsrMessage& message) {
  BsrEntry* const entry = find(message.gid);
  if (entry == nullptr) return drop(BsrDrop::kUnknownGroup);
  const std::uint16_t from = sender(*entry, port, message.source);
  if (from == 0) return drop(BsrDrop::kWrongSource);
  if (!entry->tree || entry->refused || ((entry->arrived | entry->serve) & from) != 0)
    return drop(BsrDrop::kOutOfPhase);
  entry->arrived |= from;
  if (entry->center && entry->arrived == entry->below()) serve_all(*entry);
  return std::nullopt;
}

std::optional<BsrMessage> BsrTable::distribution(const BsrMessage& message) {
  BsrEntry* const entry = find(message.gid);
  if (entry == nullptr) return drop(BsrDrop::kUnknownGroup);
  if (entry->center || !entry->bsr_node() || (entry->tree && message.source != entry->parent))
    return drop(BsrDrop::kWrongSource);
  if (entry->tree && !entry->sent) return drop(BsrDrop::kOutOfPhase);
  if (!entry->tree) {
    entry->parent = static_cast<std::uint16_t>(message.source);
    entry->tidy = true;
  }
  serve_all(*entry);
  return std::nullopt;
}

std::optional<std::uint32_t> BsrTable::next() const {
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::uint32_t e = (pointer_ + i) % size();
    if (entries_[e].valid && entries_[e].owes_anything()) return e;
  }
  return std::nullopt;
}

BsrOrigin BsrTable::send(std::uint32_t e) {
  BsrEntry& entry = entries_[e];
  pointer_ = (e + 1) % size();
  if (entry.serve != 0) return served(entry);
  BsrMessage message;
  message.gid = entry.gid;
  message.source = address_;
  if (entry.tidy) {
    entry.tidy = false;
    message.type = BsrType::kFirst;
    message.bnt = Bnt::kFree;
    message.destination = entry.center_address;
  } else {
    entry.sent = true;
    message.destination = entry.parent;
  }
  return {message, std::nullopt};
}

BsrOrigin BsrTable::served(BsrEntry& entry) const {
  const std::uint32_t port = lowest(entry.serve);
  entry.serve &= static_cast<std::uint16_t>(~bit(port));
  const bool local = has(entry.locals, port);
  BsrMessage message;
  message.type = entry.refused ? BsrType::kFirst : BsrType::kDistribution;
  message.bnt = entry.refused ? Bnt::kNothing : Bnt::kSource;
  message.refused = entry.refused;
  message.gid = entry.gid;
  message.source = address_;
  message.destination = local ? address_ : entry.child[port];
  return {message, local ? std::optional(port) : std::nullopt};
}

}  // namespace muster::golden
