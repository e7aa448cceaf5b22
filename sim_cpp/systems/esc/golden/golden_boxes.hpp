// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "fabric/golden/block_random.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::golden {

/// Interchange boxes as docs/systems/interchange-box.md describes them, or those that combine
/// synchronization messages, docs/systems/esc-references.md. REQUIRES: size 2, 4 or 8, depth 1 to
/// 64, stages below esc::kBoxStages.
std::unique_ptr<esc::BoxBank> make_box_bank(const esc::BoxConfig& config,
                                            std::vector<std::uint8_t> stages);

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

/// Injection blocks as docs/systems/injection.md describes them, of the scheme of `config`.
std::unique_ptr<esc::InjectionBank> make_injection_bank(const esc::InjectionConfig& config,
                                                        std::uint32_t pes);

/// Makes golden boxes and input policies of every legal configuration.
std::shared_ptr<const esc::BoxFactory> make_golden_boxes();

}  // namespace muster::golden
