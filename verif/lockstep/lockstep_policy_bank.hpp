// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "network/policy_bank.hpp"

namespace muster::verif {

/// Two banks of the same policies, given the same inputs; what the network sees is the device's
/// outputs. The digit of every packet is compared after settle(), every flag after clock(). A
/// difference throws InternalError with cycle, PE and both values.
class LockstepPolicyBank final : public network::PolicyBank {
 public:
  /// REQUIRES: both have the configuration `config`.
  LockstepPolicyBank(const network::PolicyConfig& config,
                     std::unique_ptr<network::PolicyBank> reference,
                     std::unique_ptr<network::PolicyBank> device);

  void settle() override;
  void clock(std::uint64_t cycle) override;

  /// Output words compared so far: in a cycle a flag each PE, a digit each packet.
  std::uint64_t comparisons() const override { return comparisons_; }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override;

 private:
  void give_inputs(network::PolicyBank& bank);

  std::unique_ptr<network::PolicyBank> reference_, device_;
  std::uint64_t settled_ = 0;  ///< cycle of the next settle(), which is not told
  std::uint64_t comparisons_ = 0;
};

}  // namespace muster::verif
