// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "engines.hpp"
#include "models/nic_models.hpp"
#include "models/rtl_boxes.hpp"
#include "models/switch_models.hpp"

namespace muster::verif {

const SwitchModel* find_switch_model(const fabric::SwitchConfig& config) {
  for (const SwitchModel& model : switch_models()) {
    fabric::SwitchConfig same_name = config;
    same_name.name = model.config.name;
    if (same_name == model.config) return &model;
  }
  return nullptr;
}

std::vector<SwitchModel> switch_models(fabric::SwitchKind kind) {
  std::vector<SwitchModel> models;
  for (const SwitchModel& model : switch_models())
    if (model.config.kind == kind) models.push_back(model);
  return models;
}

namespace {

class RtlEngine final : public fabric::BankFactory {
 public:
  std::string name() const override { return "rtl"; }
  std::string made_with() const override {
    return std::string(Verilated::productName()) + " " + Verilated::productVersion();
  }
  bool supports(const fabric::SwitchConfig& config) const override {
    return find_switch_model(config) != nullptr;
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return find_switch_model(config)->make(blocks, options);
  }
  bool supports(const nic::NicConfig& config) const override {
    return find_nic_model(config) != nullptr;
  }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override {
    return find_nic_model(config)->make(nics, options);
  }
  const esc::BoxFactory* boxes() const override { return &boxes_; }

 private:
  RtlBoxes boxes_{true};
};

}  // namespace

std::unique_ptr<fabric::BankFactory> make_rtl_engine() { return std::make_unique<RtlEngine>(); }

}  // namespace muster::verif
