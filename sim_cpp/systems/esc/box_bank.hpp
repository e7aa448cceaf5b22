// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster::esc {

/// A packet of the Extra Stage Cube: one word, laid out in docs/systems/esc.md. 0 is an empty wire.
using BoxPacket = std::uint64_t;

/// All elements of these lists are as new: numbers 0.
template <class... Lists>
void clear_all(Lists&... lists) {
  (std::ranges::fill(lists, typename Lists::value_type{}), ...);
}

enum class BoxKind : std::uint8_t {
  kNone = 0,
  kBackground = 1,
  kSynchronization = 2,
  kRelease = 3
};

constexpr unsigned kBoxTagBits = 18;    ///< 17..0
constexpr unsigned kBoxSourceLsb = 18;  ///< 33..18
constexpr unsigned kBoxBirthLsb = 34;   ///< 61..34; of a release packet the broadcast mask
constexpr unsigned kBoxBirthBits = 28;
constexpr unsigned kBoxStages = 17;  ///< 0..16, the most a network has

/// REQUIRES: tag < 2^18, source < 2^16, birth < 2^28.
constexpr BoxPacket make_packet(BoxKind kind, std::uint64_t birth, std::uint32_t source,
                                std::uint32_t tag) {
  return (static_cast<BoxPacket>(kind) << 62) | (birth << kBoxBirthLsb) |
         (BoxPacket{source} << kBoxSourceLsb) | tag;
}

/// A packet that is broadcast in the stages of `mask`, bit i for stage i.
constexpr BoxPacket make_release(std::uint32_t mask, std::uint32_t source, std::uint32_t tag) {
  return make_packet(BoxKind::kRelease, mask, source, tag);
}

constexpr BoxKind kind_of(BoxPacket p) { return static_cast<BoxKind>(p >> 62); }
constexpr std::uint32_t source_of(BoxPacket p) { return (p >> kBoxSourceLsb) & 0xFFFF; }
constexpr std::uint32_t tag_of(BoxPacket p) { return p & ((1u << kBoxTagBits) - 1); }
/// Cycle of generation, of a packet that is not a release.
constexpr std::uint64_t birth_of(BoxPacket p) {
  return (p >> kBoxBirthLsb) & ((1u << kBoxBirthBits) - 1);
}
constexpr bool broadcast_in(BoxPacket p, unsigned stage) {
  return kind_of(p) == BoxKind::kRelease && ((p >> (kBoxBirthLsb + stage)) & 1) != 0;
}

/// Synchronization packets of boxes that combine (docs/systems/interchange-box.md): in place of the
/// source the number of messages less 1, in place of the cycle of generation the sum of those
/// cycles.

/// As a PE sends it, made of a packet that names its source.
constexpr BoxPacket one_message(BoxPacket p) {
  return make_packet(BoxKind::kSynchronization, birth_of(p), 0, tag_of(p));
}
constexpr std::uint32_t messages_of(BoxPacket p) { return source_of(p) + 1; }

/// REQUIRES: both are synchronization packets with the same tag, of at most 2^16 messages together.
constexpr BoxPacket merged(BoxPacket a, BoxPacket b) {
  const std::uint64_t births = (birth_of(a) + birth_of(b)) & ((1u << kBoxBirthBits) - 1);
  return make_packet(BoxKind::kSynchronization, births, source_of(a) + messages_of(b), tag_of(a));
}

/// Parameters of rtl/esc/muster_interchange_box.sv, or of muster_combining_box.sv; PacketW is 64.
struct BoxConfig {
  std::uint32_t size = 4;    ///< n: 2, 4, 8
  std::uint32_t depth = 12;  ///< S: 1..64
  /// Synchronization messages are merged, docs/systems/interchange-box.md.
  bool combining = false;
  /// A full buffer accepts in the cycle in which it sends: golden alone, RTL has no combinational
  /// path through stages.
  bool refill = false;
  friend bool operator==(const BoxConfig&, const BoxConfig&) = default;
};

/// All interchange boxes of a network, in one contiguous array: the contract of golden, RTL and
/// lockstep. Port p of box b is at [b * size + p]. docs/systems/interchange-box.md says what a box
/// does; a cycle is
///
///   carry    the network copies tx of every box to the rx of the box (or PE) behind it,
///   settle   the bank writes rx_ready from rx and its registers, with `refill` from tx_ready too,
///   carry    the network copies rx_ready to the tx_ready of the box before; with `refill` it
///            settles again for each stage,
///   clock    the rising edge: the bank writes tx.
///
/// All inputs are written anew by the network in every cycle. A bank may pass over boxes that are
/// quiescent and have no packet at an input. An error inside (lockstep difference, assertion)
/// throws InternalError that names cycle, box and port.
class BoxBank {
 public:
  /// `stages[b]` is the stage in which box b stands: the digit of a packet at which it looks.
  BoxBank(const BoxConfig& config, std::vector<std::uint8_t> stages)
      : config_(config),
        digit_bits_(static_cast<unsigned>(std::countr_zero(config.size))),
        stages_(std::move(stages)),
        rx_(stages_.size() * config.size),
        tx_(rx_.size()),
        rx_ready_(rx_.size()),
        tx_ready_(rx_.size()) {}
  virtual ~BoxBank() = default;
  BoxBank(const BoxBank&) = delete;
  BoxBank& operator=(const BoxBank&) = delete;

  const BoxConfig& config() const { return config_; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(stages_.size()); }

  std::span<BoxPacket> rx() { return rx_; }  ///< in: offered packets, 0 for none
  std::span<const BoxPacket> rx() const { return rx_; }
  std::span<const BoxPacket> tx() const { return tx_; }  ///< out, registered; 0 for none
  std::span<const std::uint8_t> rx_ready() const { return rx_ready_; }  ///< out, settled: 0, 1
  std::span<std::uint8_t> tx_ready() { return tx_ready_; }  ///< in: 0, 1; nothing without a packet
  std::span<const std::uint8_t> tx_ready() const { return tx_ready_; }

  /// Reset, with the seed of each box's LFSR. All outputs are idle after it.
  void reset(std::span<const std::uint16_t> seeds) {
    clear_all(rx_, tx_, rx_ready_, tx_ready_);
    reset_blocks(seeds);
  }
  virtual void settle() = 0;
  virtual void clock(std::uint64_t cycle) = 0;
  /// After clock(): all output buffers of the box are empty.
  virtual bool quiescent(std::uint32_t block) const = 0;

  /// Outputs compared with a reference so far; 0 for a bank that has none.
  virtual std::uint64_t comparisons() const { return 0; }
  /// The state of a box as text, for reports.
  virtual std::string describe(std::uint32_t block) const = 0;

 protected:
  virtual void reset_blocks(std::span<const std::uint16_t> seeds) = 0;

  /// The output that a packet asks for in box `block`.
  std::uint32_t digit(std::uint32_t block, BoxPacket packet) const {
    return (packet >> (stages_[block] * digit_bits_)) & (config_.size - 1);
  }
  bool broadcast(std::uint32_t block, BoxPacket packet) const {
    return broadcast_in(packet, stages_[block]);
  }

  const BoxConfig config_;
  const unsigned digit_bits_;
  const std::vector<std::uint8_t> stages_;
  std::vector<BoxPacket> rx_, tx_;
  std::vector<std::uint8_t> rx_ready_, tx_ready_;
};

}  // namespace muster::esc
