// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "engines.hpp"
#include "models/model_library.hpp"
#include "models/nic_models.hpp"
#include "models/rtl_boxes.hpp"
#include "models/switch_models.hpp"

namespace muster::verif {

using fabric::block_of;

namespace {

class RtlEngine final : public fabric::BankFactory {
 public:
  std::string name() const override { return "rtl"; }
  std::string made_with() const override {
    return std::string(Verilated::productName()) + " " + Verilated::productVersion();
  }
  bool supports(const fabric::SwitchConfig& config) const override {
    return knows(block_of(config));
  }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override {
    return makers<SwitchMakers>(load(block_of(config))).rtl(blocks, options);
  }
  bool supports(const nic::NicConfig& config) const override { return knows(block_of(config)); }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override {
    return makers<NicMakers>(load(block_of(config))).rtl(nics, options);
  }
  const esc::BoxFactory* boxes() const override { return &boxes_; }

 private:
  RtlBoxes boxes_{true};
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_rtl_engine() {
  return std::make_unique<RtlEngine>();
}

}  // namespace muster::verif
