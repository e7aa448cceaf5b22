// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/golden/block_random.hpp"
#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::golden {

/// Input-stage policies as docs/systems/interchange-box.md describes them.
class GoldenPolicyBank final : public esc::PolicyBank {
 public:
  GoldenPolicyBank(const esc::PolicyConfig& config, std::uint32_t pes);

  void settle() override;
  void clock(std::uint64_t cycle) override;

 private:
  /// The packet of PE j must not take its usual way: away from output 0.
  bool aside(std::uint32_t pe) const;
  bool to_output_0(std::uint32_t pe) const;
  void reset_blocks(std::span<const std::uint16_t> seeds) override;

  std::uint32_t address_mask_;
  std::vector<BlockRandom> random_;
  std::vector<std::uint8_t> drawn_;  ///< settle() used the random number
};

}  // namespace muster::golden
