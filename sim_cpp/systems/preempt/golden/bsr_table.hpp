// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/lanes.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::golden {

/// An entry of the status table: what a switch knows of one group (docs/systems/bsr-tree.md, The
/// status table). `locals`, `children`, `arrived`, `serve` are masks of ports; a child has the bit
/// of the port by which its first message came, wherever its later ones come in.
struct BsrEntry {
  bool valid = false;
  bool center = false;   ///< the center's switch is this one
  bool branch = false;   ///< the BS tree branches here
  bool tree = false;     ///< the first round is over
  bool sent = false;     ///< a reduction has gone to the parent, its distribution is awaited
  bool tidy = false;     ///< *free* has to be sent
  bool refused = false;  ///< the group was refused somewhere
  std::uint8_t gid = 0;
  std::uint16_t count = 0;  ///< at the center: members that have yet to come
  std::uint16_t locals = 0, children = 0, arrived = 0, serve = 0;
  std::uint16_t parent = 0;          ///< address; meaningful with `tree`, not at the center
  std::uint16_t center_address = 0;  ///< destination of the first messages, once one has passed
  std::array<std::uint16_t, kMaxPorts> child{};  ///< addresses, of `children`

  bool bsr_node() const { return locals != 0 || branch; }
  std::uint16_t below() const { return static_cast<std::uint16_t>(locals | children); }
  /// All below have arrived, and the parent is to be told.
  bool owes_reduction() const { return tree && !center && !sent && arrived == below(); }
  bool owes_anything() const { return serve != 0 || tidy || owes_reduction(); }
};

inline std::string describe(const BsrEntry& entry) {
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

/// Why a barrier message has changed nothing.
enum class BsrDrop : std::uint8_t {
  kUnknownGroup,  ///< for this switch, which has no entry of the group
  kWrongSource,   ///< from no child, or not from the parent
  kOutOfPhase     ///< from a sender that has arrived or is still to be served, or not asked for
};

/// A message that the switch itself sends.
struct BsrOrigin {
  preempt::BsrMessage message;
  std::optional<std::uint32_t> port;  ///< of a node of this switch; none: routed
};

/// The status table of one switch, docs/systems/bsr-tree.md: the rules by which the first barrier
/// finds the BSR tree, and the barriers after it.
class BsrTable {
  using BsrMessage = preempt::BsrMessage;
  using BsrType = preempt::BsrType;
  using Bnt = preempt::Bnt;

 public:
  /// `entries`: 1 to 16.
  explicit BsrTable(std::uint32_t entries) : entries_(entries) {}

  /// The destination number of this switch; before the first message.
  void set_address(std::uint32_t address) { address_ = static_cast<std::uint16_t>(address); }
  std::uint32_t address() const { return address_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  const BsrEntry& at(std::uint32_t entry) const { return entries_[entry]; }
  /// The host's write.
  void write(std::uint32_t entry, const BsrEntry& value) { entries_[entry] = value; }

  /// A first message or *free*, whatever its destination, or any message for this switch, that has
  /// come in by `port`. Returns what of it goes on, towards its destination.
  std::optional<BsrMessage> take(std::uint32_t port, BsrMessage message) {
    dropped_.reset();
    if (message.type == BsrType::kFirst)
      return message.bnt == Bnt::kFree ? tidy(message) : first(port, message);
    return message.type == BsrType::kReduction ? reduction(port, message) : distribution(message);
  }
  /// A first message of the group for this switch, that comes in by `port` and tells nothing new,
  /// does no more than count, and others remain.
  bool counts_aside(std::uint32_t gid, std::uint32_t port) const {
    for (const BsrEntry& entry : entries_)
      if (entry.valid && entry.gid == gid)
        return !entry.tree && entry.count >= kManyLeft && !has(entry.locals, port);
    return false;
  }
  /// It counts. REQUIRES: counts_aside(), in this cycle.
  void count_aside(std::uint32_t gid) { --find(gid)->count; }
  /// The reason if the last take() changed nothing because of a drop.
  std::optional<BsrDrop> dropped() const { return dropped_; }

  /// The entry that sends next, if any has something to send: round robin.
  std::optional<std::uint32_t> next() const {
    for (std::uint32_t i = 0; i < size(); ++i) {
      const std::uint32_t e = (pointer_ + i) % size();
      if (entries_[e].valid && entries_[e].owes_anything()) return e;
    }
    return std::nullopt;
  }
  /// What it sends, which is then sent: first a distribution to a child or local to serve, the
  /// lowest port first, then *free*, then a reduction. REQUIRES: `e` is what next() says, or
  /// said before a take().
  BsrOrigin send(std::uint32_t e) {
    BsrEntry& entry = entries_[e];
    pointer_ = (e + 1) % size();
    if (entry.serve != 0) return served(entry);
    BsrMessage message{.gid = entry.gid, .source = address_};
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

 private:
  static constexpr std::uint32_t kManyLeft = 32;  // more than can count in a cycle

  /// The children or locals a later reduction comes from, as a bit; 0 if from none.
  static std::uint16_t sender(const BsrEntry& entry, std::uint32_t port, std::uint32_t source) {
    if (has(entry.locals, port)) return static_cast<std::uint16_t>(bit(port));
    std::uint16_t found = 0;
    for_each_bit(entry.children, [&](std::uint32_t p) {
      if (entry.child[p] == source) found = static_cast<std::uint16_t>(bit(p));
    });
    return found;
  }
  BsrEntry* find(std::uint32_t gid) {
    for (BsrEntry& entry : entries_)
      if (entry.valid && entry.gid == gid) return &entry;
    return nullptr;
  }
  BsrEntry* allocate(std::uint32_t gid) {
    for (BsrEntry& entry : entries_) {
      if (entry.valid) continue;
      entry = BsrEntry{.valid = true, .gid = static_cast<std::uint8_t>(gid)};
      return &entry;
    }
    return nullptr;
  }
  std::optional<BsrMessage> drop(BsrDrop reason) {
    dropped_ = reason;
    return std::nullopt;
  }
  std::optional<BsrMessage> tidy(const BsrMessage& message) {
    BsrEntry* const entry = find(message.gid);
    const bool here = message.destination == address_;
    if (entry == nullptr) return here ? drop(BsrDrop::kUnknownGroup) : std::optional(message);
    if (entry->bsr_node()) return std::nullopt;  // the parent
    entry->valid = false;
    return here ? std::nullopt : std::optional(message);
  }
  std::optional<BsrMessage> first(std::uint32_t port, BsrMessage message) {
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
  void learn(BsrEntry& entry, std::uint32_t port, BsrMessage& message) const {
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
  void count(BsrEntry& entry, const BsrMessage& message) const {
    entry.refused |= message.refused;
    if (--entry.count != 0) return;
    serve_all(entry);
    if (entry.refused) entry.serve = entry.locals;
  }
  std::optional<BsrMessage> reduction(std::uint32_t port, const BsrMessage& message) {
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
  std::optional<BsrMessage> distribution(const BsrMessage& message) {
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
  void serve_all(BsrEntry& entry) const {
    entry.tree = true;
    entry.sent = false;
    entry.arrived = 0;
    entry.serve = entry.below();
  }
  BsrOrigin served(BsrEntry& entry) const {
    const std::uint32_t port = lowest(entry.serve);
    entry.serve &= static_cast<std::uint16_t>(~bit(port));
    const bool local = has(entry.locals, port);
    return {{.type = entry.refused ? BsrType::kFirst : BsrType::kDistribution,
             .gid = entry.gid,
             .destination = local ? address_ : entry.child[port],
             .source = address_,
             .bnt = entry.refused ? Bnt::kNothing : Bnt::kSource,
             .refused = entry.refused},
            local ? std::optional(port) : std::nullopt};
  }

  std::vector<BsrEntry> entries_;
  std::uint16_t address_ = 0;
  std::uint32_t pointer_ = 0;
  std::optional<BsrDrop> dropped_;
};

}  // namespace muster::golden
