// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "fabric/switch_kind.hpp"

namespace muster::fabric {

/// The parameters of a built switch, one entry of rtl/configurations.json. The names and ranges are
/// those of the RTL. GidW of at most 12 leaves FlitW - 2 - GidW >= 2 bits of data in any barrier
/// message.
struct SwitchConfig {
  std::string name;
  std::uint32_t ports = 8;     ///< k: 3..16
  std::uint32_t vcs = 2;       ///< virtual channels: 1..4, multicast 2..4
  std::uint32_t depth = 4;     ///< flits in each input queue: 1..16
  std::uint32_t regs = 4;      ///< barrier registers: 1..16, multicast 0
  std::uint32_t flit_w = 16;   ///< bits of payload: 16..80
  std::uint32_t gid_w = 8;     ///< bits of a group identifier: 4..12, preempting 4..8
  std::uint32_t dests = 2048;  ///< entries of the routing table: 16..2048
  SwitchKind kind = SwitchKind::kBarrier;
  /// Barrier switch: one barrier message a cycle, docs/systems/serial-unit.md.
  bool serial = false;

  friend bool operator==(const SwitchConfig&, const SwitchConfig&) = default;
};

/// The configuration itself. Throws InputError if a parameter is outside its range.
inline const SwitchConfig& validate(const SwitchConfig& config) {
  const auto check = [&](const char* parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value >= low && value <= high) return;
    throw InputError("switch configuration '" + config.name + "': " + parameter + " = " +
                     std::to_string(value) + " is not in " + std::to_string(low) + ".." +
                     std::to_string(high));
  };
  check("ports", config.ports, 3, 16);
  check("vcs", config.vcs, info(config.kind).min_vcs, 4);
  check("depth", config.depth, 1, 16);
  check("regs", config.regs, info(config.kind).min_regs, info(config.kind).max_regs);
  check("flit_w", config.flit_w, 16, 80);
  check("gid_w", config.gid_w, 4, info(config.kind).max_gid_w);
  check("dests", config.dests, 16, 2048);
  check("serial", config.serial, 0, config.kind == SwitchKind::kBarrier);
  return config;
}

}  // namespace muster::fabric
