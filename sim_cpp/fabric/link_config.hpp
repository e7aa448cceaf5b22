// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/core/flit.hpp"

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
    throw InputError("link configuration '{}': {} = {} is not {}", config.name, parameter, value,
                     legal);
  };
  const auto check = [&](const char* parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value < low || value > high) refuse(parameter, value, fmt::format("in {}..{}", low, high));
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

/// What block lists call link ends.
inline constexpr std::string_view kLinkKind = "link";

// Between block lists and configurations.
/// Throws InputError if a parameter is out of range.
LinkConfig link_config(const BlockEntry& entry);
Block block_of(const LinkConfig& config);

/// The link ends of rtl/configurations.json, in its order.
const std::vector<LinkConfig>& link_configurations();

/// Those that scripts/model built.
const std::vector<LinkConfig>& own_link_configurations();

/// The fields of a frame; docs/systems/retry-link.md, Frames.
struct LinkFrame {
  bool init = false;  ///< belongs to the handshake
  bool ask = false;   ///< an answer is wanted
  bool flit = false;  ///< carries a flit
  bool news = false;  ///< flips when there are credits that the other end has not confirmed
  bool echo = false;  ///< `news` as it came last; in the handshake: the other end has been heard
  bool nack = false;  ///< the flit `ack` is missing: send again from there
  std::uint32_t seq = 0, ack = 0;
  std::array<std::uint32_t, 4> count{};  ///< credits given back, by class
  std::uint8_t vc = 0, kind = 0;
  std::uint64_t payload = 0;
  std::uint16_t crc = 0;

  friend bool operator==(const LinkFrame&, const LinkFrame&) = default;
};

/// How frames of a configuration lie in a core::Flit and on the wires. In a core::Flit: payload in
/// `lo`, CRC in `hi`, `vc` and `kind` in their places, `init` to `count` in `spare`, `count` at the
/// bottom. Of the largest configuration these are 34 bits; the last two, `init` and `ask`, are bits
/// 7 and 6 of `kind`.
class LinkFormat {
 public:
  static constexpr unsigned kCrcW = 16;

  explicit LinkFormat(const LinkConfig& config)
      : flit_w_(config.flit_w),
        vc_w_(config.vc_w()),
        seq_w_(config.seq_w()),
        count_w_(config.count_w()),
        backs_(config.backs()) {}

  /// Bits of a frame, CRC included.
  unsigned width() const {
    return kCrcW + flit_w_ + kKindW + vc_w_ + kMarks + 2 * seq_w_ + backs_ * count_w_;
  }
  /// A frame as it is on the wires, from its lowest bit up: CRC, payload, kind, virtual channel,
  /// and the header, which is all from `init` to `count`.
  Wide wires(const core::Flit& frame) const;
  core::Flit frame(Wide wires) const;

  core::Flit pack(const LinkFrame& frame) const;
  LinkFrame unpack(const core::Flit& frame) const;

  /// Bit 0..width() - 1 of a frame on the wires; bit 0 is the lowest of the CRC.
  bool bit(const core::Flit& frame, unsigned at) const { return (wires(frame) >> at & 1) != 0; }
  void flip(core::Flit& frame, unsigned at) const {
    frame = this->frame(wires(frame) ^ Wide{1} << at);
  }

 private:
  static constexpr unsigned kKindW = 3, kMarks = 6;
  static constexpr unsigned kLastBits = 6;  ///< of `kind`, the 33rd and 34th bit of the header
  static std::uint64_t header(const core::Flit& frame) {
    return std::uint64_t{frame.spare} | std::uint64_t{frame.kind} >> kLastBits << 32;
  }
  static void set_header(core::Flit& frame, std::uint64_t header) {
    frame.spare = static_cast<std::uint32_t>(header);
    frame.kind |= static_cast<std::uint8_t>((header >> 32 & 3) << kLastBits);
  }

  unsigned flit_w_, vc_w_, seq_w_, count_w_, backs_;
};

}  // namespace muster::fabric
