// SPDX-License-Identifier: Apache-2.0
#include "engines.hpp"
#include "fabric/golden/switch_kinds.hpp"
#include "lockstep/lockstep_boxes.hpp"
#include "models/model_library.hpp"
#include "models/nic_models.hpp"
#include "models/switch_models.hpp"
#include "systems/nic/golden/nic_bank.hpp"

namespace muster::verif {

using fabric::block_of;

namespace {

class LockstepEngine final : public fabric::BankFactory {
 public:
  std::string name() const override { return "lockstep"; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    const auto& model = makers<SwitchMakers>(load(block_of(config)));
    return model.lockstep(golden::make_switch_bank(blocks, config), model.rtl(blocks, options));
  }
  bool supports(const nic::NicConfig& config) const override { return knows(block_of(config)); }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override {
    const auto& model = makers<NicMakers>(load(block_of(config)));
    return model.lockstep(std::make_unique<golden::GoldenNicBank>(config, nics),
                          model.rtl(nics, options));
  }
  const esc::BoxFactory* boxes() const override { return &boxes_; }

 private:
  LockstepBoxes boxes_;
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_lockstep_engine() {
  return std::make_unique<LockstepEngine>();
}

}  // namespace muster::verif
