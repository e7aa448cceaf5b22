// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_engine.hpp"

#include "common/error.hpp"
#include "golden/box_bank.hpp"
#include "golden/combining_box_bank.hpp"
#include "golden/nic_bank.hpp"
#include "golden/policy_bank.hpp"
#include "golden/switch_kinds.hpp"
#include "network/box_factory.hpp"

namespace muster::golden {
namespace {

class GoldenBoxes final : public network::BoxFactory {
 public:
  bool supports(const network::BoxConfig&) const override { return true; }
  std::unique_ptr<network::BoxBank> make_boxes(const network::BoxConfig& config,
                                               std::vector<std::uint8_t> stages) const override {
    return config.combining ? make_combining_box_bank(config, std::move(stages))
                            : make_box_bank(config, std::move(stages));
  }
  std::unique_ptr<network::PolicyBank> make_policies(const network::PolicyConfig& config,
                                                     std::uint32_t pes) const override {
    return std::make_unique<GoldenPolicyBank>(config, pes);
  }
};

void refuse_waves(const network::BankOptions& options) {
  if (!options.wave_file.empty())
    throw InputError("--wave: engine golden has no waveforms; use --engine rtl or lockstep");
}

class GoldenEngine final : public network::BankFactory {
 public:
  std::string name() const override { return "golden"; }
  bool supports(const network::SwitchConfig&) const override { return true; }
  std::unique_ptr<network::Bank> make_switches(const network::SwitchConfig& config,
                                               std::uint32_t blocks,
                                               const network::BankOptions& options) const override {
    refuse_waves(options);
    return make_switch_bank(blocks, config);
  }
  bool supports(const network::NicConfig&) const override { return true; }
  std::unique_ptr<network::NicBank> make_nics(const network::NicConfig& config, std::uint32_t nics,
                                              const network::BankOptions&) const override {
    return std::make_unique<GoldenNicBank>(config, nics);
  }
  const network::BoxFactory* boxes() const override { return &boxes_; }

 private:
  GoldenBoxes boxes_;
};

}  // namespace

std::unique_ptr<network::BankFactory> make_golden_engine() {
  return std::make_unique<GoldenEngine>();
}

}  // namespace muster::golden
