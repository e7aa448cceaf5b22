// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

std::string describe(const BsrEntry& entry);

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
  std::optional<preempt::BsrMessage> take(std::uint32_t port, preempt::BsrMessage message);
  /// The reason if the last take() changed nothing because of a drop.
  std::optional<BsrDrop> dropped() const { return dropped_; }

  /// The entry that sends next, if any has something to send: round robin.
  std::optional<std::uint32_t> next() const;
  /// What it sends, which is then sent: first a distribution to a child or local to serve, the
  /// lowest port first, then *free*, then a reduction. REQUIRES: `entry` is what next() says, or
  /// said before a take().
  BsrOrigin send(std::uint32_t entry);

 private:
  using Message = preempt::BsrMessage;
  BsrEntry* find(std::uint32_t gid);
  BsrEntry* allocate(std::uint32_t gid);
  std::optional<Message> drop(BsrDrop reason);
  std::optional<Message> tidy(const Message& message);
  std::optional<Message> first(std::uint32_t port, Message message);
  void learn(BsrEntry& entry, std::uint32_t port, Message& message) const;
  void count(BsrEntry& entry, const Message& message) const;
  std::optional<Message> reduction(std::uint32_t port, const Message& message);
  std::optional<Message> distribution(const Message& message);
  void serve_all(BsrEntry& entry) const;
  BsrOrigin served(BsrEntry& entry) const;

  std::vector<BsrEntry> entries_;
  std::uint16_t address_ = 0;
  std::uint32_t pointer_ = 0;
  std::optional<BsrDrop> dropped_;
};

}  // namespace muster::golden
