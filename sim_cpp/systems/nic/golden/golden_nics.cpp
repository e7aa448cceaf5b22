// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/golden_nics.hpp"

#include "systems/nic/golden/nic_bank.hpp"

namespace muster::golden {
namespace {

class GoldenNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig&) const override { return true; }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions&) const override {
    return std::make_unique<GoldenNicBank>(config, nics);
  }
};

}  // namespace

std::shared_ptr<const nic::NicFactory> make_golden_nics() { return std::make_shared<GoldenNics>(); }

}  // namespace muster::golden
