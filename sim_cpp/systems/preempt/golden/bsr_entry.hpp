// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fabric/golden/lanes.hpp"

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

}  // namespace muster::golden
