// SPDX-License-Identifier: Apache-2.0
#include "engines.hpp"
#include "golden/nic_bank.hpp"
#include "golden/switch_kinds.hpp"
#include "lockstep/lockstep_bank.hpp"
#include "lockstep/lockstep_boxes.hpp"
#include "lockstep/lockstep_nic_bank.hpp"
#include "models/nic_models.hpp"
#include "models/switch_models.hpp"

namespace muster::verif {

namespace {

class LockstepEngine final : public network::BankFactory {
 public:
  std::string name() const override { return "lockstep"; }
  bool supports(const network::SwitchConfig& config) const override {
    return find_switch_model(config) != nullptr;
  }
  std::unique_ptr<network::Bank> make_switches(const network::SwitchConfig& config,
                                               std::uint32_t blocks,
                                               const network::BankOptions& options) const override {
    return std::make_unique<LockstepBank>(golden::make_switch_bank(blocks, config),
                                          find_switch_model(config)->make(blocks, options));
  }
  bool supports(const network::NicConfig& config) const override {
    return find_nic_model(config) != nullptr;
  }
  std::unique_ptr<network::NicBank> make_nics(const network::NicConfig& config, std::uint32_t nics,
                                              const network::BankOptions& options) const override {
    return std::make_unique<LockstepNicBank>(std::make_unique<golden::GoldenNicBank>(config, nics),
                                             find_nic_model(config)->make(nics, options));
  }
  const network::BoxFactory* boxes() const override { return &boxes_; }

 private:
  LockstepBoxes boxes_;
};

}  // namespace

std::unique_ptr<network::BankFactory> make_lockstep_engine() {
  return std::make_unique<LockstepEngine>();
}

}  // namespace muster::verif
