// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "fabric/golden/link_bank.hpp"
#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
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

/// Verilated link ends.
class RtlLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig& config) const override;
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override;
};

/// Verilated NIC barrier engines.
class RtlNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig& config) const override;
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override;
};

/// Verilated boxes and policies. `skip_idle` as in BoxModel.
class RtlBoxes final : public esc::BoxFactory {
 public:
  explicit RtlBoxes(bool skip_idle) : skip_idle_(skip_idle) {}
  bool supports(const esc::BoxConfig& config) const override;
  std::vector<esc::BoxConfig> built() const override;
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override;
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override;

 private:
  bool skip_idle_;
};

/// Golden and Verilated link ends side by side.
class LockstepLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig& config) const override { return rtl_.supports(config); }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override;

 private:
  RtlLinks rtl_;
};

/// Golden and Verilated NICs side by side.
class LockstepNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig& config) const override { return rtl_.supports(config); }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override;

 private:
  RtlNics rtl_;
};

/// Golden and Verilated boxes and policies side by side; no box is skipped.
class LockstepBoxes final : public esc::BoxFactory {
 public:
  LockstepBoxes();
  bool supports(const esc::BoxConfig& config) const override;
  std::vector<esc::BoxConfig> built() const override;
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override;
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override;

 private:
  std::shared_ptr<const esc::BoxFactory> golden_;
  RtlBoxes rtl_{false};
};

bool RtlLinks::supports(const fabric::LinkConfig& config) const { return knows(block_of(config)); }

std::unique_ptr<fabric::LinkBank> RtlLinks::make_links(const fabric::LinkConfig& config,
                                                       std::uint32_t ends,
                                                       const fabric::BankOptions& options) const {
  return makers<LinkMakers>(load(block_of(config))).rtl(config, ends, options);
}

bool RtlNics::supports(const nic::NicConfig& config) const {
  return config.addr_w == nic::NicConfig{}.addr_w && knows(block_of(config));
}

std::unique_ptr<nic::NicBank> RtlNics::make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                                 const fabric::BankOptions& options) const {
  return makers<NicMakers>(load(block_of(config))).rtl(nics, options);
}

bool RtlBoxes::supports(const esc::BoxConfig& config) const { return knows(block_of(config)); }

std::vector<esc::BoxConfig> RtlBoxes::built() const {
  std::vector<esc::BoxConfig> configs;
  for (const BoxModel& model : box_models()) configs.push_back(model.config);
  return configs;
}

std::unique_ptr<esc::BoxBank> RtlBoxes::make_boxes(const esc::BoxConfig& config,
                                                   std::vector<std::uint8_t> stages) const {
  return makers<BoxMakers>(load(block_of(config))).rtl(std::move(stages), skip_idle_);
}

std::unique_ptr<esc::PolicyBank> RtlBoxes::make_policies(const esc::PolicyConfig& config,
                                                         std::uint32_t pes) const {
  return makers<PolicyMakers>(load(block_of(config))).rtl(config, pes, skip_idle_);
}

std::unique_ptr<esc::InjectionBank> RtlBoxes::make_injections(const esc::InjectionConfig& config,
                                                              std::uint32_t pes) const {
  return makers<InjectionMakers>(load(block_of(config))).rtl(config, pes);
}

std::unique_ptr<fabric::LinkBank> LockstepLinks::make_links(
    const fabric::LinkConfig& config, std::uint32_t ends,
    const fabric::BankOptions& options) const {
  return makers<LinkMakers>(load(block_of(config)))
      .lockstep(std::make_unique<golden::GoldenLinkBank>(config, ends),
                rtl_.make_links(config, ends, options));
}

std::unique_ptr<nic::NicBank> LockstepNics::make_nics(const nic::NicConfig& config,
                                                      std::uint32_t nics,
                                                      const fabric::BankOptions& options) const {
  return makers<NicMakers>(load(block_of(config)))
      .lockstep(std::make_unique<golden::GoldenNicBank>(config, nics),
                rtl_.make_nics(config, nics, options));
}

LockstepBoxes::LockstepBoxes() : golden_(golden::make_golden_boxes()) {}

bool LockstepBoxes::supports(const esc::BoxConfig& config) const { return rtl_.supports(config); }

std::vector<esc::BoxConfig> LockstepBoxes::built() const { return rtl_.built(); }

std::unique_ptr<esc::BoxBank> LockstepBoxes::make_boxes(const esc::BoxConfig& config,
                                                        std::vector<std::uint8_t> stages) const {
  auto reference = golden_->make_boxes(config, stages);
  auto device = rtl_.make_boxes(config, stages);
  return makers<BoxMakers>(load(block_of(config)))
      .lockstep(std::move(reference), std::move(device), std::move(stages));
}

std::unique_ptr<esc::PolicyBank> LockstepBoxes::make_policies(const esc::PolicyConfig& config,
                                                              std::uint32_t pes) const {
  return makers<PolicyMakers>(load(block_of(config)))
      .lockstep(golden_->make_policies(config, pes), rtl_.make_policies(config, pes), config);
}

std::unique_ptr<esc::InjectionBank> LockstepBoxes::make_injections(
    const esc::InjectionConfig& config, std::uint32_t pes) const {
  return makers<InjectionMakers>(load(block_of(config)))
      .lockstep(golden_->make_injections(config, pes), rtl_.make_injections(config, pes), config);
}

namespace {

using fabric::block_of;

fabric::BlockMakers rtl_makers() {
  fabric::BlockMakers makers;
  makers.add<fabric::LinkFactory>(std::make_shared<RtlLinks>());
  makers.add<nic::NicFactory>(std::make_shared<RtlNics>());
  makers.add<esc::BoxFactory>(std::make_shared<RtlBoxes>(true));
  return makers;
}

class RtlEngine final : public fabric::BankFactory {
 public:
  RtlEngine() : BankFactory(rtl_makers()) {}
  std::string name() const override { return "rtl"; }
  std::string made_with() const override {
    return std::string(Verilated::productName()) + " " + Verilated::productVersion();
  }
  bool has_models() const override { return true; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return verif::makers<SwitchMakers>(load(block_of(config))).rtl(blocks, config, options);
  }
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_rtl_engine() {
  return std::make_shared<RtlEngine>();
}

namespace {

fabric::BlockMakers lockstep_makers() {
  fabric::BlockMakers makers;
  makers.add<fabric::LinkFactory>(std::make_shared<LockstepLinks>());
  makers.add<nic::NicFactory>(std::make_shared<LockstepNics>());
  makers.add<esc::BoxFactory>(std::make_shared<LockstepBoxes>());
  return makers;
}

class LockstepEngine final : public fabric::BankFactory {
 public:
  LockstepEngine() : BankFactory(lockstep_makers()) {}
  std::string name() const override { return "lockstep"; }
  bool has_models() const override { return true; }
  bool compares() const override { return true; }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    const auto& model = verif::makers<SwitchMakers>(load(block_of(config)));
    return model.lockstep(config.kind->golden(blocks, config), model.rtl(blocks, config, options));
  }
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_lockstep_engine() {
  return std::make_shared<LockstepEngine>();
}

std::vector<std::shared_ptr<const fabric::BankFactory>> engines() {
  return {make_rtl_engine(), make_lockstep_engine()};
}

}  // namespace muster::verif
