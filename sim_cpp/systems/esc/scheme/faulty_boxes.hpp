// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/faults.hpp"

namespace muster::esc {

/// The boxes of an engine in a network with faults: what is sent into a faulty box, link or bypass
/// is accepted and gone. The boxes are the engine's own; only the wires between them and the
/// network are cut. For esc::Network, whose order of boxes it knows.
class FaultyBoxes final : public BoxFactory {
 public:
  /// `engine` outlives the factory and its banks.
  FaultyBoxes(const BoxFactory& engine, const Cube& cube, const OuterStages& stages,
              std::vector<Fault> faults)
      : engine_(engine), cube_(cube), stages_(stages), faults_(std::move(faults)) {}

  bool supports(const BoxConfig& config) const override { return engine_.supports(config); }
  std::vector<BoxConfig> built() const override { return engine_.built(); }
  /// REQUIRES: `stages_of_boxes` are those of a network of this cube and setting.
  std::unique_ptr<BoxBank> make_boxes(const BoxConfig& config,
                                      std::vector<std::uint8_t> stages_of_boxes) const override;
  std::unique_ptr<PolicyBank> make_policies(const PolicyConfig& config,
                                            std::uint32_t pes) const override {
    return engine_.make_policies(config, pes);
  }
  std::unique_ptr<InjectionBank> make_injections(const InjectionConfig& config,
                                                 std::uint32_t pes) const override {
    return engine_.make_injections(config, pes);
  }

 private:
  const BoxFactory& engine_;
  Cube cube_;
  OuterStages stages_;
  std::vector<Fault> faults_;
};

}  // namespace muster::esc
