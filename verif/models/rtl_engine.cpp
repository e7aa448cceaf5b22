// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "models/model_library.hpp"
#include "models/rtl_boxes.hpp"
#include "models/rtl_links.hpp"
#include "models/rtl_nics.hpp"
#include "models/switch_models.hpp"
#include "muster/verif.hpp"

namespace muster::verif {
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

}  // namespace muster::verif
