// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "engines.hpp"
#include "models/nic_models.hpp"
#include "models/rtl_boxes.hpp"
#include "models/switch_models.hpp"

namespace muster::verif {

const SwitchModel* find_switch_model(const network::SwitchConfig& config) {
  for (const SwitchModel& model : switch_models()) {
    network::SwitchConfig same_name = config;
    same_name.name = model.config.name;
    if (same_name == model.config) return &model;
  }
  return nullptr;
}

std::vector<SwitchModel> switch_models(network::SwitchKind kind) {
  std::vector<SwitchModel> models;
  for (const SwitchModel& model : switch_models())
    if (model.config.kind == kind) models.push_back(model);
  return models;
}

namespace {

class RtlEngine final : public network::BankFactory {
 public:
  std::string name() const override { return "rtl"; }
  std::string made_with() const override {
    return std::string(Verilated::productName()) + " " + Verilated::productVersion();
  }
  bool supports(const network::SwitchConfig& config) const override {
    return find_switch_model(config) != nullptr;
  }
  std::unique_ptr<network::Bank> make_switches(const network::SwitchConfig& config,
                                               std::uint32_t blocks,
                                               const network::BankOptions& options) const override {
    return find_switch_model(config)->make(blocks, options);
  }
  bool supports(const network::NicConfig& config) const override {
    return find_nic_model(config) != nullptr;
  }
  std::unique_ptr<network::NicBank> make_nics(const network::NicConfig& config, std::uint32_t nics,
                                              const network::BankOptions& options) const override {
    return find_nic_model(config)->make(nics, options);
  }
  const network::BoxFactory* boxes() const override { return &boxes_; }

 private:
  RtlBoxes boxes_{true};
};

}  // namespace

std::unique_ptr<network::BankFactory> make_rtl_engine() { return std::make_unique<RtlEngine>(); }

}  // namespace muster::verif
