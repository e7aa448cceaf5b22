// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/esc/box_bank.hpp"

namespace muster::esc {

/// Blocks of one kind, one for each PE. All inputs are written anew in every cycle.
template <class Config>
class PeBank {
 public:
  PeBank(const Config& config, std::uint32_t pes) : config_(config), pes_(pes) {}
  virtual ~PeBank() = default;
  PeBank(const PeBank&) = delete;
  PeBank& operator=(const PeBank&) = delete;

  std::uint32_t blocks() const { return pes_; }
  virtual void settle() = 0;
  virtual void clock(std::uint64_t cycle) = 0;
  /// Outputs compared with a reference so far; 0 for a bank that has none.
  virtual std::uint64_t comparisons() const { return 0; }

 protected:
  virtual void reset_blocks(std::span<const std::uint16_t> /*seeds*/) {}

  const Config config_;

 private:
  std::uint32_t pes_;
};

/// Values of policy_i of rtl/esc/muster_input_policy.sv.
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
class PolicyBank : public PeBank<PolicyConfig> {
 public:
  PolicyBank(const PolicyConfig& config, std::uint32_t pes)
      : PeBank(config, pes), hot(pes), sections(pes, config.section_mask), offer(pes) {
    for (auto* const bits : {&set, &clear, &digit, &flag}) bits->resize(pes);
  }

  /// In: where each PE synchronizes; may change while its flag is 0.
  std::vector<std::uint32_t> hot;
  /// In: section_mask_i of each PE. The configuration's, until others are written.
  std::vector<std::uint32_t> sections;
  /// In: head of the PE's queue, 0 for none; its tag is the destination only.
  std::vector<BoxPacket> offer;
  std::vector<std::uint8_t> set, clear;  ///< in: 0, 1
  std::vector<std::uint8_t> digit;       ///< out, settled
  std::vector<std::uint8_t> flag;        ///< out, registered: 0, 1

  /// Reset, with the seed of each PE's LFSR. All flags are 0 after it.
  void reset(std::span<const std::uint16_t> seeds) {
    clear_all(offer, set, clear, flag);
    reset_blocks(seeds);
  }
};

/// Values of scheme_i of rtl/esc/muster_injection.sv.
enum class InjectionScheme : std::uint8_t { kThrottle = 0, kAdaptive = 1, kSections = 2 };

/// Parameters and static inputs of the injection blocks of all PEs.
struct InjectionConfig {
  std::uint32_t size = 4;          ///< n: 2, 4, 8
  std::uint32_t address_bits = 8;  ///< log2 N: 1..16
  InjectionScheme scheme = InjectionScheme::kThrottle;
  friend bool operator==(const InjectionConfig&, const InjectionConfig&) = default;
};

/// What stands between the queue of a PE and its link under the schemes beyond the paper, one block
/// for each PE; docs/systems/interchange-box.md. The link of PE j is j mod n, its turn j / n. In a
/// cycle the network
///
///   writes head, busy, fill, flag, digit_asked and calls settle(), which writes offer and digit,
///   writes taken and calls clock(), which writes leaves, of that cycle, and sections.
class InjectionBank : public PeBank<InjectionConfig> {
 public:
  InjectionBank(const InjectionConfig& config, std::uint32_t pes)
      : PeBank(config, pes), head(pes), offer(pes), sections(pes) {
    for (auto* const bits : {&busy, &fill, &flag, &asked, &taken, &digit, &leaves})
      bits->resize(pes);
  }

  /// In: the packet at the head of each queue, 0 for none; its tag is the destination only.
  std::vector<BoxPacket> head;
  std::vector<BoxPacket> offer;    ///< out, settled
  std::vector<std::uint8_t> busy;  ///< in: 0, 1, feedback wire of the coordinator
  /// In: packets in the output buffers of the input stage, by link; of no meaning if that is
  /// bypassed.
  std::vector<std::uint8_t> fill;
  std::vector<std::uint8_t> flag;    ///< in: 0, 1, flag of the PE's policy
  std::vector<std::uint8_t> asked;   ///< in: output that its policy asks for
  std::vector<std::uint8_t> taken;   ///< in, late: 0, 1, the offer is taken
  std::vector<std::uint8_t> digit;   ///< out, settled
  std::vector<std::uint8_t> leaves;  ///< out, late: 0, 1, the head leaves its queue at this edge
  /// Out, registered: bits of a PE's number that name its section.
  std::vector<std::uint32_t> sections;

  /// Reset. `seeds` as in PolicyBank; none of the schemes draws a number.
  void reset(std::span<const std::uint16_t> seeds) {
    clear_all(busy, fill, flag, asked, taken, digit, leaves, head, offer, sections);
    reset_blocks(seeds);
  }

 protected:
  std::uint32_t turn(std::uint32_t pe) const { return pe / config_.size; }
  std::uint32_t turns() const { return blocks() / config_.size; }
};

}  // namespace muster::esc
