// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/system.hpp"

#include "systems/esc/command.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

namespace muster::esc {

namespace {

class Esc final : public run::System {
 public:
  std::string_view name() const override { return "esc"; }
  void add_golden_makers(fabric::BlockMakers& makers) const override {
    makers.add(golden::make_golden_boxes());
  }
  std::vector<std::unique_ptr<run::Command>> commands() const override {
    std::vector<std::unique_ptr<run::Command>> commands;
    commands.push_back(std::make_unique<EscCommand>());
    return commands;
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Esc>(); }

}  // namespace muster::esc
