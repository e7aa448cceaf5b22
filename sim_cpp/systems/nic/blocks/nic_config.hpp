// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "muster/core/error.hpp"

namespace muster::nic {

/// The parameters of a built NIC barrier engine (docs/systems/nic-engine.md); names and ranges are
/// those of the RTL.
struct NicConfig {
  std::string name = "nic";
  std::uint32_t contexts = 4;  ///< groups served at once: 1..8
  std::uint32_t steps = 16;    ///< entries or events of a context: 2..32
  std::uint32_t conns = 16;    ///< connections of the point-to-point path: 1..32
  std::uint32_t records = 4;   ///< its send packets and records: 1..8
  std::uint32_t seq_w = 8;     ///< bits of all sequence numbers: 2..8
  std::uint32_t vcs = 1;       ///< of the link: 1..4
  std::uint32_t depth = 4;     ///< places in each queue of the switch: 1..16
  std::uint32_t flit_w = 16;   ///< bits of payload: 16..80
  std::uint32_t chained = 0;   ///< 1: an event unit (docs/systems/nic-events.md): 0..1
  std::uint32_t addr_w = 11;   ///< bits of an address: 11, of golden alone up to 16

  friend bool operator==(const NicConfig&, const NicConfig&) = default;
};

/// The configuration itself. Throws InputError if a parameter is outside its range.
inline const NicConfig& validate(const NicConfig& config) {
  const auto check = [&](const char* parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value >= low && value <= high) return;
    throw InputError("NIC configuration '" + config.name + "': " + parameter + " = " +
                     std::to_string(value) + " is not in " + std::to_string(low) + ".." +
                     std::to_string(high));
  };
  check("contexts", config.contexts, 1, 8);
  check("steps", config.steps, 2, 32);
  check("conns", config.conns, 1, 32);
  check("records", config.records, 1, 8);
  check("seq_w", config.seq_w, 2, 8);
  check("vcs", config.vcs, 1, 4);
  check("depth", config.depth, 1, 16);
  check("flit_w", config.flit_w, 16, 80);
  check("chained", config.chained, 0, 1);
  check("addr_w", config.addr_w, 11, std::min(config.flit_w - 5, 16u));
  return config;
}

}  // namespace muster::nic
