// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "muster/run/command.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// `muster esc`: sessions on an Extra Stage Cube (docs/systems/esc.md).
class EscCommand : public run::Command {
 public:
  EscCommand();
  std::string name() const override { return "esc"; }
  std::string about() const override {
    return "Hot spots in an Extra Stage Cube of interchange boxes";
  }
  bool has_engine() const override { return true; }
  void add_options(run::OptionList& options) override;
  run::CommandReport run(const run::CommandContext& context) override;

 private:
  Spec spec_;
  std::string policy_ = "bypass", pattern_ = "uniform", release_ = "direct", rate_change_, page_;
  std::optional<double> mean_;
  std::vector<std::string> faults_;
  bool no_checkers_ = false, generated_ = false;
};

}  // namespace muster::esc
