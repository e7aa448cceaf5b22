// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_boxes.hpp"
#include "lockstep/lockstep_links.hpp"
#include "lockstep/lockstep_nics.hpp"
#include "models/model_library.hpp"
#include "models/switch_models.hpp"
#include "muster/verif.hpp"

namespace muster::verif {
namespace {

using fabric::block_of;

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

}  // namespace muster::verif
