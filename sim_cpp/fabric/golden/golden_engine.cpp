// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/golden_engine.hpp"

#include "core/error.hpp"
#include "fabric/golden/switch_kinds.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/golden/box_bank.hpp"
#include "systems/esc/golden/combining_box_bank.hpp"
#include "systems/esc/golden/policy_bank.hpp"
#include "systems/nic/golden/nic_bank.hpp"

namespace muster::golden {
namespace {

class GoldenBoxes final : public esc::BoxFactory {
 public:
  bool supports(const esc::BoxConfig&) const override { return true; }
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override {
    return config.combining ? make_combining_box_bank(config, std::move(stages))
                            : make_box_bank(config, std::move(stages));
  }
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override {
    return std::make_unique<GoldenPolicyBank>(config, pes);
  }
};

void refuse_waves(const fabric::BankOptions& options) {
  if (!options.wave_file.empty())
    throw InputError("--wave: engine golden has no waveforms; use --engine rtl or lockstep");
}

class GoldenEngine final : public fabric::BankFactory {
 public:
  std::string name() const override { return "golden"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    refuse_waves(options);
    return make_switch_bank(blocks, config);
  }
  bool supports(const nic::NicConfig&) const override { return true; }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions&) const override {
    return std::make_unique<GoldenNicBank>(config, nics);
  }
  const esc::BoxFactory* boxes() const override { return &boxes_; }

 private:
  GoldenBoxes boxes_;
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_golden_engine() {
  return std::make_unique<GoldenEngine>();
}

}  // namespace muster::golden
