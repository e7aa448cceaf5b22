// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/esc/blocks/box_packet.hpp"

namespace muster::esc {

/// Values of policy_i of rtl/esc/input_policy.sv.
enum class InputPolicy : std::uint8_t {
  kStraight = 0,
  kIsolatedBackground = 1,
  kIsolatedHotSpot = 2,
  kHotSection = 3
};

/// Parameters and static inputs of the policies of all PEs.
struct PolicyConfig {
  std::uint32_t size = 4;          ///< n: 2, 4, 8
  std::uint32_t address_bits = 8;  ///< log2 N: 2..16; the low bits of a packet's tag
  InputPolicy policy = InputPolicy::kStraight;
  std::uint32_t section_mask = 0;  ///< bits of a PE's number that name its section, at first
  friend bool operator==(const PolicyConfig&, const PolicyConfig&) = default;
};

/// The input-stage policies of all PEs, one each; link_i of PE j is j mod size. In a cycle the
/// network writes offer, set and clear, calls settle(), reads digit, calls clock().
class PolicyBank {
 public:
  PolicyBank(const PolicyConfig& config, std::uint32_t pes)
      : config_(config),
        hot_(pes),
        sections_(pes, config.section_mask),
        offer_(pes),
        set_(pes),
        clear_(pes),
        digit_(pes),
        flag_(pes) {}
  virtual ~PolicyBank() = default;
  PolicyBank(const PolicyBank&) = delete;
  PolicyBank& operator=(const PolicyBank&) = delete;

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(offer_.size()); }

  std::span<std::uint32_t> hot() {
    return hot_;
  }  ///< in: where each PE synchronizes; may change
     ///< while its flag is 0
  /// In: section_mask_i of each PE. The configuration's, until others are written.
  std::span<std::uint32_t> sections() { return sections_; }
  std::span<BoxPacket> offer() {
    return offer_;
  }                                               ///< in: head of the PE's queue, 0 for none; its
                                                  ///< tag is the destination only
  std::span<std::uint8_t> set() { return set_; }  ///< in: 0, 1
  std::span<std::uint8_t> clear() { return clear_; }              ///< in: 0, 1
  std::span<const std::uint8_t> digit() const { return digit_; }  ///< out, settled
  std::span<const std::uint8_t> flag() const { return flag_; }    ///< out, registered: 0, 1

  /// Reset, with the seed of each PE's LFSR. All flags are 0 after it.
  void reset(std::span<const std::uint16_t> seeds) {
    std::fill(offer_.begin(), offer_.end(), 0);
    std::fill(set_.begin(), set_.end(), 0);
    std::fill(clear_.begin(), clear_.end(), 0);
    std::fill(flag_.begin(), flag_.end(), 0);
    reset_blocks(seeds);
  }
  virtual void settle() = 0;
  virtual void clock(std::uint64_t cycle) = 0;

  /// Outputs compared with a reference so far; 0 for a bank that has none.
  virtual std::uint64_t comparisons() const { return 0; }

 protected:
  virtual void reset_blocks(std::span<const std::uint16_t> seeds) = 0;

  const PolicyConfig config_;
  std::vector<std::uint32_t> hot_, sections_;
  std::vector<BoxPacket> offer_;
  std::vector<std::uint8_t> set_, clear_, digit_, flag_;
};

}  // namespace muster::esc
