// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/test.hpp"

namespace muster::test::endpoint {

/// What an endpoint was built with.
struct Sizes {
  unsigned channels, depth, flit_w, groups;
  bool pocket;
  unsigned dests, timeout;
  unsigned own = 65536;  ///< address after reset
  static constexpr unsigned gid_w = 8;
  constexpr unsigned data_w() const { return flit_w - 2 - gid_w; }
  constexpr std::uint64_t data_mask() const { return (std::uint64_t{1} << data_w()) - 1; }
};

/// A read or write of the register port.
struct Access {
  bool valid = false, write = false;
  unsigned address = 0;
  std::uint32_t word = 0;
};

/// What is counted in a cycle, in the order of the fields of `drops` and `stream_drops`, lowest
/// first.
struct Drops {
  bool flit = false, packet = false, arrival = false, message = false;
  bool illegal = false, aborted = false, cut = false, control = false;
};

/// The registers of an endpoint of at most 32 bits of data and its groups, as the tables of
/// docs/systems/wrappers.md have them. edge() is a clock edge; what others show is before it.
class Registers {
 public:
  explicit Registers(const Sizes& sizes)
      : sizes_(sizes),
        groups_(sizes.groups),
        checks_(sizes.own < 65536),
        address_(sizes.own % 65536) {}

  /// The reduction message that waits: of the lowest group that has one.
  std::optional<std::uint64_t> waiting_message() const {
    for (const Group& group : groups_)
      if (group.sends) return std::uint64_t{group.gid} << sizes_.data_w() | group.operand;
    return std::nullopt;
  }
  bool interrupt() const {
    for (const Group& group : groups_)
      if (group.released && group.interrupts) return true;
    return false;
  }
  bool checks_address() const { return checks_; }
  unsigned address() const { return address_; }

  std::uint32_t read(unsigned address) const {
    switch (address) {
      case 0x000:
        return 0x4D530907;
      case 0x001:
        return sizes_.groups << 24 | sizes_.depth << 16 | sizes_.channels << 8 | 1;
      case 0x002:
        return sizes_.data_w() << 16 | sizes_.gid_w << 10 | sizes_.flit_w;
      case 0x003:
        return summary();
      case 0x008:
        return std::uint32_t{checks_} << 31 | address_;
      case 0x010:
      case 0x011: {
        const unsigned* const c = counts_ + (address == 0x010 ? 0 : 4);
        return c[3] << 24 | c[2] << 16 | c[1] << 8 | c[0];
      }
      default:
        break;
    }
    if (address < 0x040 || address >= 0x040 + 8 * groups_.size()) return 0;
    const Group& group = groups_[(address - 0x040) / 8];
    switch (address % 8) {
      case 0:
        return std::uint32_t{group.member} << 31 | std::uint32_t{group.interrupts} << 30 |
               group.gid;
      case 2:
        return group.releases << 16 | group.drains << 4 | group.control_refused << 3 |
               group.refused << 2 | group.released << 1 | group.waits;
      case 3:
        return static_cast<std::uint32_t>(group.result);
      default:
        return 0;
    }
  }

  /// `goes`: the message that waits is sent. `message`: the payload of one that has come.
  void edge(const Access& access, bool goes, const std::optional<std::uint64_t>& message,
            Drops drops) {
    const int taker = message ? taker_of(*message) : -1;
    drops.message = message && taker < 0;
    if (goes) first_with_message().sends = false;
    // The host writes on what is before the edge, but what is released now is not given up.
    const bool released = taker >= 0 && groups_[taker].waits;
    if (access.valid && access.write) write(access, released ? taker : -1, drops);
    if (released)
      release(groups_[taker], *message & sizes_.data_mask());
    else if (taker >= 0)
      groups_[taker].drains = false;
    const bool events[] = {drops.flit,    drops.packet,  drops.arrival, drops.message,
                           drops.illegal, drops.aborted, drops.cut,     drops.control};
    for (unsigned i = 0; i < 8; ++i)
      if (access.valid && access.write && access.address == 0x010 + i / 4)
        counts_[i] = 0;
      else if (events[i] && counts_[i] < 255)
        ++counts_[i];
  }

 private:
  struct Group {
    bool member = false, interrupts = false, waits = false, sends = false;
    bool drains = false, released = false, refused = false, control_refused = false;
    std::uint32_t gid = 0, releases = 0;
    std::uint64_t operand = 0, result = 0;
  };

  std::uint32_t summary() const {
    std::uint32_t word = 0;
    for (unsigned g = 0; g < groups_.size(); ++g)
      word |= groups_[g].waits << (8 + g) | groups_[g].released << g;
    return word;
  }
  Group& first_with_message() {
    unsigned g = 0;
    while (!groups_[g].sends) ++g;
    return groups_[g];
  }
  /// The group that a distribution message is for: it waits and its own message has gone, or it
  /// drains.
  int taker_of(std::uint64_t message) const {
    if (message >> (sizes_.flit_w - 2) != 1) return -1;
    for (unsigned g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if ((group.waits || group.drains) && !group.sends &&
          group.gid == (message >> sizes_.data_w() & 0xff))
        return static_cast<int>(g);
    }
    return -1;
  }
  static void release(Group& group, std::uint64_t data) {
    group.waits = false;
    group.released = true;
    group.releases = (group.releases + 1) % 65536;
    group.result = data;
  }
  /// `released`: the group that is released in this cycle, if any.
  void write(const Access& access, int released, Drops& drops) {
    if (access.address == 0x008) {
      checks_ = access.word >> 31;
      address_ = access.word & 0xffff;
    }
    if (access.address < 0x040 || access.address >= 0x040 + 8 * groups_.size()) return;
    const int g = static_cast<int>(access.address - 0x040) / 8;
    Group& group = groups_[g];
    switch (access.address % 8) {
      case 0:
        drops.control = !set_up(group, access.word);
        group.control_refused = group.control_refused || drops.control;
        return;
      case 1:
        drops.arrival = !group.member || group.waits || group.drains;
        if (drops.arrival) {
          group.refused = true;
          return;
        }
        group.waits = group.sends = true;
        group.released = false;
        group.operand = access.word & sizes_.data_mask();
        return;
      case 2:
        if (access.word >> 1 & 1) group.released = false;
        if (access.word >> 2 & 1) group.refused = false;
        if (access.word >> 3 & 1) group.control_refused = false;
        if (access.word >> 9 & 1) group.drains = false;
        if ((access.word >> 8 & 1) != 0 && group.waits && g != released) {
          group.drains = !group.sends;  // its message has gone
          group.waits = group.sends = false;
        }
        return;
      default:
        return;
    }
  }
  /// A write of the control word; false if it is refused.
  bool set_up(Group& group, std::uint32_t word) {
    const bool member = word >> 31;
    const std::uint32_t gid = word & 0xfff;
    if (gid >> sizes_.gid_w != 0) return false;
    if (member != group.member || gid != group.gid) {
      if (group.waits || group.drains) return false;
      for (const Group& other : groups_)
        if (&other != &group && member && other.member && other.gid == gid) return false;
      const std::uint64_t operand = group.operand;
      group = Group{};
      group.operand = operand;
      group.member = member;
      group.gid = gid;
    }
    group.interrupts = word >> 30 & 1;
    return true;
  }

  Sizes sizes_;
  std::vector<Group> groups_;
  bool checks_;
  unsigned address_;
  unsigned counts_[8] = {};
};

}  // namespace muster::test::endpoint
