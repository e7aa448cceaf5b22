// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fabric/register_load.hpp"
#include "muster/run/resolve.hpp"

namespace muster::run {

/// An engine of a run that is built and not run: its switches keep what is written into them, which
/// is what the switches of any other engine hold before the first cycle.
class LoadRecorder final : public fabric::BankFactory {
 public:
  LoadRecorder() : loads_(std::make_shared<std::vector<fabric::RegisterLoad>>()) {}
  std::string name() const override { return "verilog"; }
  bool supports(const fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<core::Bank> make_switches(const fabric::SwitchConfig& config,
                                            std::uint32_t blocks,
                                            const fabric::BankOptions& options) const override;

  /// All words that are written before the first cycle of this run, in their order. REQUIRES: the
  /// run has this engine.
  std::vector<fabric::RegisterLoad> loads_of(const ResolvedRun& run) const;

 private:
  std::shared_ptr<std::vector<fabric::RegisterLoad>> loads_;
};

}  // namespace muster::run
