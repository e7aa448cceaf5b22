// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/scheme/cube.hpp"

namespace muster::esc {

enum class FaultKind : std::uint8_t {
  kBox,    ///< box `index` of stage `stage`, 0 .. m, with its links to or from multiplexers
  kLink,   ///< link `index` out of stage `stage`; stage m + 1: out of the PE, into the input stage
  kBypass  ///< link `index` around the boxes of an outer stage, `stage` 0 or m
};

/// One broken part of an Extra Stage Cube: whatever is sent into it is lost. docs/systems/esc.md.
struct Fault {
  FaultKind kind = FaultKind::kBox;
  unsigned stage = 0;
  std::uint32_t index = 0;
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// "box:2:17", "link:0:3", "bypass:4:3".
std::string fault_text(const Fault& fault);
/// The inverse. Throws InputError that says how a fault is written.
Fault fault_named(const std::string& text);
/// Throws InputError that names what this network has.
void require_exists(const Cube& cube, const Fault& fault);

/// Every box, link and bypass of the network, one after the other.
std::vector<Fault> all_faults(const Cube& cube);

}  // namespace muster::esc
