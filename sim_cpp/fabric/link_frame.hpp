// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "fabric/link_config.hpp"
#include "muster/core/flit.hpp"

namespace muster::fabric {

/// The fields of a frame; docs/systems/retry-link.md, Frames.
struct LinkFrame {
  bool init = false;  ///< belongs to the handshake
  bool ask = false;   ///< an answer is wanted
  bool flit = false;  ///< carries a flit
  bool news = false;  ///< flips when there are credits that the other end has not confirmed
  bool echo = false;  ///< `news` as it came last; in the handshake: the other end has been heard
  std::uint32_t seq = 0, ack = 0;
  std::array<std::uint32_t, 4> count{};  ///< credits given back, by class
  std::uint8_t vc = 0, kind = 0;
  std::uint64_t payload = 0;
  std::uint16_t crc = 0;

  friend bool operator==(const LinkFrame&, const LinkFrame&) = default;
};

/// How frames of a configuration lie in a core::Flit and on the wires. In a core::Flit: payload in
/// `lo`, CRC in `hi`, `vc` and `kind` in their places, `init` to `count` in `spare`, `count` at the
/// bottom. Of the largest configuration these are 33 bits; the 33rd, `init`, is bit 7 of `kind`.
class LinkFormat {
 public:
  static constexpr unsigned kCrcW = 16, kKindW = 3;

  explicit LinkFormat(const LinkConfig& config)
      : seq_w_(config.seq_w()),
        count_w_(config.count_w()),
        backs_(config.backs()),
        widths_{kCrcW, config.flit_w, kKindW, config.vc_w(), 5 + 2 * seq_w_ + backs_ * count_w_} {}

  /// The parts of a frame, from its lowest bit on the wires up: each one word of a core::Flit. The
  /// header is all from `init` to `count`.
  enum class Part : std::uint8_t { kCrc, kPayload, kKind, kVc, kHeader };
  static constexpr Part kParts[] = {Part::kCrc, Part::kPayload, Part::kKind, Part::kVc,
                                    Part::kHeader};
  unsigned width(Part part) const { return widths_[static_cast<std::size_t>(part)]; }
  unsigned lowest(Part part) const;  ///< its lowest bit on the wires
  /// Bits of a frame, CRC included.
  unsigned width() const { return lowest(Part::kHeader) + width(Part::kHeader); }

  std::uint64_t get(const core::Flit& frame, Part part) const;
  void set(core::Flit& frame, Part part, std::uint64_t value) const;

  core::Flit pack(const LinkFrame& frame) const;
  LinkFrame unpack(const core::Flit& frame) const;

  /// Bit 0..width() - 1 of a frame on the wires; bit 0 is the lowest of the CRC.
  bool bit(const core::Flit& frame, unsigned at) const;
  void flip(core::Flit& frame, unsigned at) const;

 private:
  static constexpr unsigned kLastBit = 7;  ///< of `kind`, the 33rd bit of the header

  struct Place {
    Part part;
    unsigned bit;
  };
  Place place(unsigned at) const;

  unsigned seq_w_, count_w_, backs_;
  std::array<unsigned, std::size(kParts)> widths_;  ///< by part
};

}  // namespace muster::fabric
