// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "muster/core/error.hpp"

namespace muster::fabric {

/// The parameters of a built link end (docs/systems/retry-link.md); names and ranges are those of
/// the RTL.
struct LinkConfig {
  std::string name = "link";
  std::uint32_t vcs = 2;       ///< virtual channels: 1..4, with `pocket` 1..3
  std::uint32_t depth = 4;     ///< places in each queue of a block: 1..15
  std::uint32_t flit_w = 16;   ///< bits of payload: 16..64
  std::uint32_t pocket = 0;    ///< 1: barrier messages have a credit of their own
  std::uint32_t slots = 16;    ///< places of the replay buffer: 4, 8, 16, 32
  std::uint32_t timeout = 16;  ///< cycles without progress before all is sent again: 4..255
  std::uint32_t retries = 8;   ///< times in a row that this may bring nothing: 1..15
  /// 1: barrier messages are lost rather than that data may lack a place; not with `pocket`, and
  /// `slots` is more than vcs x depth.
  std::uint32_t lossy = 0;

  /// Classes of credits: the virtual channels, behind them the pocket.
  std::uint32_t backs() const { return vcs + pocket; }
  /// Bits of a sequence number.
  std::uint32_t seq_w() const { return static_cast<std::uint32_t>(std::bit_width(slots)); }
  /// Bits of a count of credits.
  std::uint32_t count_w() const { return static_cast<std::uint32_t>(std::bit_width(depth)); }
  /// A barrier message may be lost if so many flits or more are kept.
  std::uint32_t scarce() const { return slots - vcs * depth; }
  /// Bits of a virtual channel's number in a frame.
  std::uint32_t vc_w() const { return vcs > 2 ? 2 : 1; }
  /// Cycles for which an end may hold a flit until it is acknowledged or the link is down.
  std::uint32_t longest_hold() const { return (retries + 2) * timeout; }

  friend bool operator==(const LinkConfig&, const LinkConfig&) = default;
};

/// The configuration itself. Throws InputError if a parameter is outside its range.
inline const LinkConfig& validate(const LinkConfig& config) {
  const auto refuse = [&](const char* parameter, std::uint32_t value, const std::string& legal) {
    throw InputError("link configuration '" + config.name + "': " + parameter + " = " +
                     std::to_string(value) + " is not " + legal);
  };
  const auto check = [&](const char* parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value < low || value > high)
      refuse(parameter, value, "in " + std::to_string(low) + ".." + std::to_string(high));
  };
  check("pocket", config.pocket, 0, 1);
  check("vcs", config.vcs, 1, 4 - config.pocket);
  check("depth", config.depth, 1, 15);
  check("flit_w", config.flit_w, 16, 64);
  check("slots", config.slots, 4, 32);
  if (!std::has_single_bit(config.slots)) refuse("slots", config.slots, "a power of two");
  check("timeout", config.timeout, 4, 255);
  check("retries", config.retries, 1, 15);
  check("lossy", config.lossy, 0, config.pocket == 0);
  if (config.lossy != 0) check("slots", config.slots, config.vcs * config.depth + 1, 32);
  return config;
}

}  // namespace muster::fabric
