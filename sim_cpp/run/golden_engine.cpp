// SPDX-License-Identifier: Apache-2.0
#include "muster/run/golden_engine.hpp"

#include "fabric/golden/golden_links.hpp"
#include "muster/run/system.hpp"

namespace muster::run {
namespace {

fabric::BlockMakers golden_makers() {
  fabric::BlockMakers makers;
  makers.add<fabric::LinkFactory>(golden::make_golden_links());
  for (const auto& system : systems()) system->add_golden_makers(makers);
  return makers;
}

class GoldenEngine final : public fabric::BankFactory {
 public:
  GoldenEngine() : BankFactory(golden_makers()) {}
  std::string name() const override { return "golden"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions&) const override {
    return config.kind->golden(blocks, config);
  }
};

}  // namespace

std::shared_ptr<const fabric::BankFactory> make_golden_engine() {
  return std::make_shared<GoldenEngine>();
}

}  // namespace muster::run
