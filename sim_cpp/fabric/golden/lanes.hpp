// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>

#include "muster/core/bank.hpp"
#include "muster/core/bits.hpp"
#include "muster/core/error.hpp"

/// Golden switches are compiled twice (sim_cpp/CMakeLists.txt): `narrow` have up to 16 ports, whose
/// lanes are the bits of a word; `wide` have up to 64, and the same text reads sets of several
/// words.
#ifdef MUSTER_WIDE
#define MUSTER_SWITCHES wide
#else
#define MUSTER_SWITCHES narrow
#endif

namespace muster::golden::inline MUSTER_SWITCHES {

/// Sets of ports, virtual channels and registers as bit masks.

#ifdef MUSTER_WIDE
inline constexpr std::uint32_t kRows = 4;
using Ports = std::uint64_t;
#else
inline constexpr std::uint32_t kRows = 1;
using Ports = std::uint16_t;
#endif
inline constexpr std::uint32_t kMaxPorts = kRows * core::kRowPorts, kMaxVcs = 4, kMaxRegisters = 16;

/// A lane is one virtual channel of one port, 4 * port + vc: an input queue on the one side of a
/// switch, an output channel on the other. The numbers are those of the bits in a `back` word.
inline constexpr std::uint32_t kMaxLanes = kMaxPorts * kMaxVcs;
constexpr std::uint32_t lane_of(std::uint32_t port, std::uint32_t vc) { return 4 * port + vc; }
constexpr std::uint32_t port_of(std::uint32_t lane) { return lane / 4; }
constexpr std::uint32_t vc_of(std::uint32_t lane) { return lane % 4; }

constexpr std::uint64_t bit(std::uint32_t i) { return std::uint64_t{1} << i; }
constexpr bool has(std::uint64_t mask, std::uint32_t i) { return (mask >> i) & 1; }

/// Number of the lowest set bit; `mask` is not 0.
constexpr std::uint32_t lowest(std::uint64_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

using core::for_each_bit;

#ifdef MUSTER_WIDE
/// A set of lanes: a word for each row of ports.
class Lanes {
 public:
  constexpr Lanes() = default;
  constexpr Lanes(std::nullptr_t) {}  // NOLINT: the literal 0
  constexpr std::uint64_t& word(std::uint32_t lane) { return words_[lane / 64]; }
  constexpr std::uint64_t word(std::uint32_t lane) const { return words_[lane / 64]; }

  friend constexpr Lanes operator&(Lanes a, const Lanes& b) { return a &= b; }
  friend constexpr Lanes operator|(Lanes a, const Lanes& b) { return a |= b; }
  friend constexpr Lanes operator^(Lanes a, const Lanes& b) { return a ^= b; }
  friend constexpr Lanes operator~(Lanes a) {
    for (std::uint64_t& word : a.words_) word = ~word;
    return a;
  }
  constexpr Lanes& operator&=(const Lanes& b) {
    for (std::uint32_t i = 0; i < kRows; ++i) words_[i] &= b.words_[i];
    return *this;
  }
  constexpr Lanes& operator|=(const Lanes& b) {
    for (std::uint32_t i = 0; i < kRows; ++i) words_[i] |= b.words_[i];
    return *this;
  }
  constexpr Lanes& operator^=(const Lanes& b) {
    for (std::uint32_t i = 0; i < kRows; ++i) words_[i] ^= b.words_[i];
    return *this;
  }
  friend constexpr bool operator==(const Lanes&, const Lanes&) = default;

 private:
  std::array<std::uint64_t, kRows> words_{};
};
/// The set of a lane, or the empty one.
constexpr Lanes lane_bit(std::uint32_t lane, bool present = true) {
  Lanes lanes;
  lanes.word(lane) = std::uint64_t{present} << lane % 64;
  return lanes;
}
constexpr bool has(const Lanes& lanes, std::uint32_t lane) {
  return has(lanes.word(lane), lane % 64);
}
constexpr std::uint32_t lowest(const Lanes& lanes) {
  std::uint32_t first = 0;
  while (lanes.word(first) == 0) first += 64;
  return first + lowest(lanes.word(first));
}
/// Calls f(first lane, lanes as bits from it on) for each word.
template <typename F>
void for_each_word(const Lanes& lanes, F&& f) {
  for (std::uint32_t first = 0; first < kMaxLanes; first += 64) f(first, lanes.word(first));
}
template <typename F>
void for_each_bit(const Lanes& lanes, F&& f) {
  for_each_word(lanes, [&](std::uint32_t first, std::uint64_t word) {
    for_each_bit(word, [&](std::uint32_t lane) { f(first + lane); });
  });
}
/// The lanes of a port, bit v for virtual channel v.
constexpr std::uint32_t channels_of(const Lanes& lanes, std::uint32_t port) {
  const std::uint32_t lane = lane_of(port, 0);
  return lanes.word(lane) >> lane % 64 & 0xf;
}
/// All lanes of a port.
constexpr Lanes lanes_of(std::uint32_t port) {
  const std::uint32_t lane = lane_of(port, 0);
  Lanes lanes;
  lanes.word(lane) = std::uint64_t{0xf} << lane % 64;
  return lanes;
}
#else
using Lanes = std::uint64_t;
constexpr Lanes lane_bit(std::uint32_t lane, bool present = true) { return Lanes{present} << lane; }
template <typename F>
void for_each_word(Lanes lanes, F&& f) {
  f(0, lanes);
}
constexpr std::uint32_t channels_of(Lanes lanes, std::uint32_t port) {
  return lanes >> lane_of(port, 0) & 0xf;
}
constexpr Lanes lanes_of(std::uint32_t port) { return Lanes{0xf} << lane_of(port, 0); }
#endif

/// All ports of a switch of so many.
constexpr Ports all_ports(std::uint32_t ports) {
  return static_cast<Ports>(~std::uint64_t{0} >> (64 - ports));
}
/// The word of a mask of ports as the host reads it, for ports 32 * half and on, and the mask after
/// it was written (docs/reference/registers.md).
constexpr std::uint32_t word_of(std::uint64_t mask, std::uint32_t half) {
  return static_cast<std::uint32_t>(mask >> 32 * half);
}
constexpr Ports written_mask(std::uint64_t before, std::uint32_t half, std::uint32_t value,
                             std::uint32_t ports) {
  const std::uint64_t kept = before & ~(std::uint64_t{0xffffffff} << 32 * half);
  return static_cast<Ports>((kept | std::uint64_t{value} << 32 * half) & all_ports(ports));
}

/// Rows of the wires of a switch of so many ports.
constexpr std::uint32_t rows_of(std::uint32_t ports) {
  return (ports + core::kRowPorts - 1) / core::kRowPorts;
}
/// The wires of a switch whose first row is `wires`, as sets.
inline Ports valid_inputs(const core::BlockWires& wires, std::uint32_t rows) {
  if constexpr (kRows == 1) return static_cast<Ports>(wires.rx_valid);
  Ports valid = 0;
  for (std::uint32_t row = 0; row < rows; ++row)
    valid |= std::uint64_t{(&wires)[row].rx_valid} << row * core::kRowPorts;
  return valid;
}
inline Lanes returned_credits(const core::BlockWires& wires, std::uint32_t rows) {
#ifdef MUSTER_WIDE
  Lanes lanes;
  for (std::uint32_t row = 0; row < rows; ++row) lanes.word(64 * row) = (&wires)[row].tx_back;
  return lanes;
#else
  static_cast<void>(rows);
  return wires.tx_back;
#endif
}
/// The outputs of the next cycle; the inputs have been read.
inline void put_outputs(core::BlockWires& wires, std::uint32_t rows, Ports valid,
                        const Lanes& credits) {
#ifdef MUSTER_WIDE
  for (std::uint32_t row = 0; row < rows; ++row)
    (&wires)[row] = {.tx_valid = static_cast<std::uint16_t>(valid >> row * core::kRowPorts),
                     .rx_back = credits.word(64 * row)};
#else
  static_cast<void>(rows);
  wires = {.tx_valid = valid, .rx_back = credits};
#endif
}

inline void prefetch_lines(const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64)
    __builtin_prefetch(static_cast<const char*>(from) + at);
  __asm__ volatile("");  // GCC drops calls of a function that does nothing but prefetch
}

/// Calls f(port) for every port of which a lane is in the set, lowest first.
template <typename F>
void for_each_port(const Lanes& lanes, F&& f) {
  for_each_word(lanes, [&](std::uint32_t start, std::uint64_t word) {
    const std::uint64_t two = word | word >> 2;
    for_each_bit((two | two >> 1) & 0x1111111111111111u,
                 [&](std::uint32_t first) { f(port_of(start + first)); });
  });
}

/// As it stands in reports, a number for each word.
inline std::string text_of(const Lanes& lanes) {
  std::string text;
  for_each_word(lanes, [&](std::uint32_t first, std::uint64_t word) {
    text += fmt::format("{}{:#x}", first == 0 ? "" : " ", word);
  });
  return text;
}

/// Round robin: the first set bit at or after `pointer` (< 64), cyclic; `mask` is not 0.
constexpr std::uint32_t round_robin(std::uint64_t mask, std::uint32_t pointer) {
  const std::uint64_t behind = mask & (~std::uint64_t{0} << pointer);
  return lowest(behind | (behind == 0 ? mask : 0));
}

/// How long `port` waits for its turn in the same order: less is earlier.
constexpr std::uint32_t turn_of(std::uint32_t port, std::uint32_t pointer) {
  return port < pointer ? port + kMaxPorts : port;
}

/// The credit counters of all output channels of a switch, each 0..depth, as what is missing: bit k
/// of what the counter of lane l lacks to `depth` is bit l of planes_[k]. So a cycle's changes on
/// all lanes are a few word operations and no branch depends on the traffic.
class Credits {
 public:
  explicit Credits(std::uint32_t depth) : depth_(depth), few_(depth < 1u << kFew) {
    for (std::uint32_t k = 0; k < kBits; ++k) all_[k] = has(depth, k) ? ~Lanes{} : Lanes{};
  }

  /// Lanes whose counter is not 0.
  Lanes at_least_one() const {
    const Lanes low = (planes_[0] ^ all_[0]) | (planes_[1] ^ all_[1]) | (planes_[2] ^ all_[2]);
    return few_ ? low : low | (planes_[3] ^ all_[3]) | (planes_[4] ^ all_[4]);
  }
  std::uint32_t count(std::uint32_t lane) const {
    std::uint32_t missing = 0;
    for (std::uint32_t k = 0; k < kBits; ++k) missing += std::uint32_t{has(planes_[k], lane)} << k;
    return depth_ - missing;
  }

  /// Takes one credit of each lane of `spent`, which must have one, and adds one to those of
  /// `returned`. Throws InternalError if more come back than were spent before.
  void update(const Lanes& spent, const Lanes& returned) {
    if (few_)
      update_planes<kFew>(spent, returned);
    else
      update_planes<kBits>(spent, returned);
  }

 private:
  static constexpr std::uint32_t kBits = 5;  // counts to 16
  static constexpr std::uint32_t kFew = 3;   // enough for the usual depths
  template <std::uint32_t kUsed>
  void update_planes(Lanes spent, Lanes returned) {
    for (std::uint32_t k = 0; k < kUsed; ++k) {
      Lanes plane = planes_[k] ^ returned;
      returned &= plane;  // borrow where the bit was 0
      plane ^= spent;
      spent &= ~plane;  // carry where the bit was 1
      planes_[k] = plane;
    }
    if (returned != 0) [[unlikely]]
      throw InternalError("a credit without a flit");
  }

  std::uint32_t depth_;
  bool few_;  // the first kFew planes are enough; the others stay 0
  std::array<Lanes, kBits> planes_{}, all_{};
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
