// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_engine.hpp"

#include "common/error.hpp"
#include "golden/switch_bank.hpp"

namespace muster::golden {
namespace {

class GoldenEngine final : public network::BankFactory {
 public:
  std::string name() const override { return "golden"; }
  bool supports(const network::SwitchConfig&) const override { return true; }
  std::unique_ptr<network::Bank> make_switches(const network::SwitchConfig& config,
                                               std::uint32_t blocks,
                                               const network::BankOptions& options) const override {
    if (!options.wave_file.empty()) {
      throw InputError("--wave: engine golden has no waveforms; use --engine rtl or lockstep");
    }
    return std::make_unique<GoldenSwitchBank>(blocks, config);
  }
};

}  // namespace

std::unique_ptr<network::BankFactory> make_golden_engine() {
  return std::make_unique<GoldenEngine>();
}

}  // namespace muster::golden
