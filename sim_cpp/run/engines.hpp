// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"
#include "fabric/sharing.hpp"
#include "muster/run/run.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Which of the ranks of a run has which blocks: parts of the network with few links between them,
/// of equal size except for that of rank 0, which is smaller by what home takes. What stands at a
/// node or at the sender of a channel is where the switch there is. REQUIRES: graph, engine and
/// ranks.
fabric::Division divide_network(const RunSpec& spec);

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

/// Makes `spec` a run whose groups need nothing of nodes but arrivals and releases: what its
/// switches hold before the first cycle is the image of a network in Verilog
/// (docs/how-to/generated-top.md). Groups have their root at switch `root`, or at the best one.
void specify_image(RunSpec& spec, std::optional<topology::SwitchId> root);

}  // namespace muster::run
