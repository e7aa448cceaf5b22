// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "fabric/golden/link_bank.hpp"
#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "lockstep/lockstep_esc.hpp"
#include "lockstep/lockstep_link.hpp"
#include "lockstep/lockstep_nic.hpp"
#include "lockstep/lockstep_switch.hpp"
#include "models/box_model.hpp"
#include "models/injection_model.hpp"
#include "models/link_model.hpp"
#include "models/model_library.hpp"
#include "models/nic_model.hpp"
#include "models/policy_model.hpp"
#include "models/switch_model.hpp"
#include "muster/verif.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/golden/golden_boxes.hpp"
#include "systems/nic/golden/nic_engine.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::verif {
namespace {

/// What the two engines make besides switches: banks of the RTL, or with `compared` banks of golden
/// and RTL side by side. Boxes that are compared are not skipped.
class Blocks final : public fabric::LinkFactory, public nic::NicFactory, public esc::BoxFactory {
 public:
  explicit Blocks(bool compared)
      : compared_(compared),
        golden_boxes_(compared ? std::make_shared<const golden::GoldenBoxes>() : nullptr),
        options_{.skip_idle = !compared} {}

  bool supports(const fabric::LinkConfig& config) const override { return knows(block_of(config)); }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override {
    auto rtl = make_bank<LinkModels>(config, ends, options);
    if (!compared_) return rtl;
    return std::make_unique<LockstepLinkBank>(
        std::make_unique<golden::GoldenLinkBank>(config, ends), std::move(rtl));
  }

  bool supports(const nic::NicConfig& config) const override {
    return config.addr_w == nic::NicConfig{}.addr_w && knows(block_of(config));
  }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override {
    auto rtl = make_bank<NicModels>(config, nics, options);
    if (!compared_) return rtl;
    return std::make_unique<LockstepNicBank>(std::make_unique<golden::GoldenNicBank>(config, nics),
                                             std::move(rtl));
  }

  bool supports(const esc::BoxConfig& config) const override {
    return !config.refill && knows(block_of(config));
  }
  std::vector<esc::BoxConfig> built() const override {
    return listed(BoxModels::kName, esc::box_config);
  }
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override {
    auto rtl = make_bank<BoxModels>(config, stages, options_);
    if (!compared_) return rtl;
    return std::make_unique<LockstepBoxBank>(golden_boxes_->make_boxes(config, stages),
                                             std::move(rtl), stages);
  }
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override {
    auto rtl = make_bank<PolicyModels>(config, pes, options_);
    if (!compared_) return rtl;
    return std::make_unique<LockstepPolicyBank>(golden_boxes_->make_policies(config, pes),
                                                std::move(rtl), config);
  }
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override {
    auto rtl = make_bank<InjectionModels>(config, pes, options_);
    if (!compared_) return rtl;
    return std::make_unique<LockstepInjectionBank>(golden_boxes_->make_injections(config, pes),
                                                   std::move(rtl), config);
  }

 private:
  const bool compared_;
  const std::shared_ptr<const esc::BoxFactory> golden_boxes_;  ///< null: not compared
  const SettledOptions options_;
};

fabric::BlockMakers block_makers(bool compared) {
  const auto blocks = std::make_shared<const Blocks>(compared);
  fabric::BlockMakers makers;
  makers.add<fabric::LinkFactory>(blocks);
  makers.add<nic::NicFactory>(blocks);
  makers.add<esc::BoxFactory>(blocks);
  return makers;
}

class Engine final : public fabric::BankFactory {
 public:
  explicit Engine(bool compared) : BankFactory(block_makers(compared)), compared_(compared) {}
  std::string name() const override { return compared_ ? "lockstep" : "rtl"; }
  std::string made_with() const override {
    if (compared_) return {};
    return std::string(Verilated::productName()) + " " + Verilated::productVersion();
  }
  bool has_models() const override { return true; }
  bool compares() const override { return compared_; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    auto rtl = make_bank<SwitchModels>(config, blocks, options);
    if (!compared_) return rtl;
    return std::make_unique<LockstepSwitchBank>(config.kind->golden(blocks, config),
                                                std::move(rtl));
  }

 private:
  bool compared_;
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_rtl_engine() {
  return std::make_shared<Engine>(false);
}

std::shared_ptr<const fabric::BankFactory> make_lockstep_engine() {
  return std::make_shared<Engine>(true);
}

std::vector<std::shared_ptr<const fabric::BankFactory>> engines() {
  return {make_rtl_engine(), make_lockstep_engine()};
}

}  // namespace muster::verif
