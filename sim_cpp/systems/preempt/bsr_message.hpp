// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "muster/fabric/switch_config.hpp"

namespace muster::preempt {

/// The barrier messages of preempting switches (docs/systems/bsr-tree.md, Messages): 1 to 3 sync
/// flits, the first of kind core::Flit::kFirst.

enum class BsrType : std::uint8_t {
  kReduction = 0,
  kDistribution = 1,
  kFirst = 2  ///< of the first barrier, and what tidies up after it
};

/// The BSR node tag of a first message.
enum class Bnt : std::uint8_t {
  kSource = 0,   ///< the source is the next BSR node
  kNewNode = 1,  ///< the new node is
  kNothing = 2,  ///< it tells nothing new
  kFree = 3      ///< no first message: entries that are no BSR node's are removed
};

inline constexpr std::uint32_t kBsrGidWidth = 8;  ///< bits of a group identifier, at most
inline constexpr std::uint32_t kBsrFlits = 3;     ///< of the longest message, at most
inline constexpr std::uint32_t kMostSpares = 7;   ///< barrier buffers of a port beyond the first

struct BsrMessage {
  BsrType type = BsrType::kReduction;
  std::uint32_t gid = 0;
  std::uint32_t destination = 0, source = 0;  ///< nodes first, then switches
  // Of kFirst only:
  Bnt bnt = Bnt::kSource;
  bool refused = false;  ///< a table on the way was full
  std::uint32_t new_node = 0;
  friend bool operator==(const BsrMessage&, const BsrMessage&) = default;
};

/// How a message is cut into flits: it is a number of two or three words, the first lowest, and
/// each flit has as many bits of it as makes the fewest flits.
struct BsrFormat {
  std::uint32_t word = 16;  ///< bits; 21 in a network of more than 2048 addresses
  std::uint32_t flit = 16;  ///< bits of the message in a flit

  constexpr BsrFormat() = default;
  constexpr explicit BsrFormat(const fabric::Formats& formats)
      : word(formats.dests() > 2048 ? 21 : 16) {
    flit = word;
    for (const std::uint32_t bits : {(3 * word + 1) / 2, 2 * word, 3 * word})
      if (bits <= formats.flit_width()) flit = bits;
  }
  constexpr std::uint32_t flits(std::uint32_t words) const {
    return (words * word + flit - 1) / flit;
  }
  constexpr std::uint64_t mask() const { return (std::uint64_t{1} << flit) - 1; }  ///< of a flit
};

/// Flits of a message of this type.
constexpr std::uint32_t bsr_length(BsrType type, const BsrFormat& format = {}) {
  return format.flits(type == BsrType::kFirst ? 3 : 2);
}
/// Flits of it up to the one with the end of its destination.
constexpr std::uint32_t bsr_routed(const BsrFormat& format) { return format.flits(2); }
/// Of a first flit. One that says 3 begins no message.
constexpr BsrType bsr_type(const core::Flit& first) {
  return static_cast<BsrType>(first.lo >> 14 & 3);
}
constexpr bool begins_bsr_message(const core::Flit& flit) {
  return flit.kind == core::Flit::kFirst && (flit.lo >> 14 & 3) != 3;
}

/// The first bsr_length(type) flits hold the message, in virtual channel `vc`.
inline std::array<core::Flit, kBsrFlits> bsr_flits(const BsrMessage& m, std::uint8_t vc,
                                                   const BsrFormat& format = {}) {
  std::uint64_t bits = std::uint64_t{static_cast<std::uint8_t>(m.type)} << 14 |
                       (m.gid & 0xff) << 6 | (m.source >> 5 & 0x3f) |
                       std::uint64_t{m.source >> 11 & 31} << 16;
  bits |= ((m.source & 31) << 11 | fabric::address_bits(m.destination)) << format.word;
  if (m.type == BsrType::kFirst)
    bits |= (std::uint64_t{static_cast<std::uint8_t>(m.bnt)} << 14 |
             std::uint64_t{m.refused} << 13 | fabric::address_bits(m.new_node))
            << 2 * format.word;
  std::array<core::Flit, kBsrFlits> flits{};
  for (core::Flit& flit : flits) {
    flit.kind = core::Flit::kSync;
    flit.vc = vc;
    flit.lo = bits & format.mask();
    bits >>= format.flit;
  }
  flits[0].kind = core::Flit::kFirst;
  return flits;
}

/// REQUIRES: bsr_length() flits, the first of which begins a message.
inline BsrMessage bsr_message(std::span<const core::Flit> flits, const BsrFormat& format = {}) {
  std::uint64_t bits = 0;
  const std::uint32_t length = bsr_length(bsr_type(flits[0]), format);
  for (std::uint32_t i = length; i-- > 0;)
    bits = bits << format.flit | (flits[i].lo & format.mask());
  const auto word = [&](std::uint32_t i) {
    return bits >> i * format.word & ((std::uint64_t{1} << format.word) - 1);
  };
  BsrMessage m;
  m.type = bsr_type(flits[0]);
  m.gid = static_cast<std::uint32_t>(word(0) >> 6 & 0xff);
  m.source = static_cast<std::uint32_t>((word(0) >> 16 & 31) << 11 | (word(0) & 0x3f) << 5 |
                                        (word(1) >> 11 & 31));
  m.destination = fabric::address_of(word(1));
  if (m.type == BsrType::kFirst) {
    m.bnt = static_cast<Bnt>(word(2) >> 14 & 3);
    m.refused = word(2) >> 13 & 1;
    m.new_node = fabric::address_of(word(2));
  }
  return m;
}

using fabric::control_flit;
using fabric::is_control;
using fabric::link_control;
using fabric::LinkControl;

/// Puts the barrier messages of one link together, flit by flit. A first flit begins a message, the
/// others follow; what belongs to none is ignored.
class BsrAssembly {
 public:
  explicit BsrAssembly(const BsrFormat& format = {}) : format_(format) {}
  /// The message that this flit completes. REQUIRES: a sync flit, no pad, no link control.
  std::optional<BsrMessage> add(const core::Flit& flit) {
    if (flit.kind == core::Flit::kFirst) flits_.clear();
    if (flits_.empty() && !begins_bsr_message(flit)) return std::nullopt;
    flits_.push_back(flit);
    if (flits_.size() < bsr_length(bsr_type(flits_.front()), format_)) return std::nullopt;
    const BsrMessage message = bsr_message(flits_, format_);
    flits_.clear();
    return message;
  }
  /// A message has begun and is not whole.
  bool in_progress() const { return !flits_.empty(); }

 private:
  BsrFormat format_;
  std::vector<core::Flit> flits_;
};

/// fabric::SwitchKind::sync_text of these messages.
inline std::string bsr_text(std::vector<core::Flit>& flits, const fabric::Formats& formats) {
  static constexpr const char* kTypes[] = {"reduction", "distribution", "first message"};
  const core::Flit last = flits.back();
  if (last.kind == core::Flit::kControl) {
    flits.pop_back();
    if (!is_control(last)) return "no link control: operation";
    const LinkControl control = link_control(last);
    return fmt::format("padding {} of channel {}", control.end ? "end" : "request",
                       control.channel);
  }
  if (last.kind == core::Flit::kFirst) flits = {last};
  if (!begins_bsr_message(flits.front())) {
    flits.clear();
    return "of no message";
  }
  const BsrType type = bsr_type(flits.front());
  const BsrFormat format(formats);
  if (flits.size() < bsr_length(type, format)) return {};
  const BsrMessage m = bsr_message(flits, format);
  flits.clear();
  return fmt::format("{} of group {} from {} to {}", kTypes[static_cast<unsigned>(type)], m.gid,
                     m.source, m.destination);
}

inline constexpr std::size_t kSparesVariant = 1;  ///< of the kinds below

// docs/systems/preempting-switches.md: what a barrier message can cut.
extern const fabric::SwitchKind kBsr1;  ///< any data channel
extern const fabric::SwitchKind kBsr2;  ///< data channel 0
extern const fabric::SwitchKind kBsr3;  ///< a data channel whose flits move

}  // namespace muster::preempt
