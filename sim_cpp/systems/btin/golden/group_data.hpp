// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::golden {

/// The data of one barrier register: what its ports have brought, combined
/// (docs/systems/barrier-switch.md, Operation).
struct GroupData {
  std::uint8_t op = 0;        ///< operation, as in the control word
  std::uint8_t width = 6;     ///< bits of the data
  bool serial = false;        ///< one message a cycle: no data ever wait
  std::uint16_t folding = 0;  ///< ports whose data are still to be combined
  std::uint16_t chosen = 0;   ///< of these the one whose data are, at this edge; at most one
  fabric::Payload up;         ///< what has been combined so far
  std::array<fabric::Payload, kMaxPorts> latch{};  ///< data of the ports in `folding`

  /// No data ever wait.
  bool at_once() const { return serial || (op & 3) == 0; }
  /// The clock edge: the data of `ports`, by port, have come. True if some that had waited have
  /// been combined.
  bool edge(std::uint16_t ports, const fabric::Payload* data);
  /// What leaves as the data of all that have been combined.
  fabric::Payload result() const;
  /// Nothing has come.
  void clear();

 private:
  __extension__ using Wide = unsigned __int128;
  Wide ones() const { return (Wide{1} << width) - 1; }
  Wide complemented(const fabric::Payload& data) const;
  void combine(const fabric::Payload& data);
};

}  // namespace muster::golden
