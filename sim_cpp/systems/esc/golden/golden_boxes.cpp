// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/golden_boxes.hpp"

#include <utility>

#include "systems/esc/golden/box_bank.hpp"
#include "systems/esc/golden/combining_box_bank.hpp"
#include "systems/esc/golden/injection_banks.hpp"
#include "systems/esc/golden/policy_bank.hpp"

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
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override {
    switch (config.scheme) {
      case esc::InjectionScheme::kThrottle:
        return make_throttle_bank(config, pes);
      case esc::InjectionScheme::kAdaptive:
        return make_adaptive_bank(config, pes);
      case esc::InjectionScheme::kSections:
        return make_section_bank(config, pes);
    }
    return nullptr;
  }
};

}  // namespace

std::shared_ptr<const esc::BoxFactory> make_golden_boxes() {
  return std::make_shared<GoldenBoxes>();
}

}  // namespace muster::golden
