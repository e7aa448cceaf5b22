// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/command.hpp"

namespace muster::btin {

/// `muster tree`: the barrier tree of a group, planned and not run.
class TreeCommand : public run::Command {
 public:
  std::string name() const override { return "tree"; }
  std::string about() const override { return "Plan the barrier tree of a group"; }
  void add_options(run::OptionList& options) override;
  run::CommandReport run(const run::CommandContext& context) override;

 private:
  std::string file_, group_ = "all", root_, dot_;
  bool reflect_ = false;
};

}  // namespace muster::btin
