// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/run/system.hpp"

namespace muster::preempt {

/// The options of preempting switches, as typed; nothing typed leaves them as after reset.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;

 private:
  std::string padding_;
  std::optional<std::uint32_t> gap_, idle_, longest_;
  bool random_ = false;
};

}  // namespace muster::preempt
