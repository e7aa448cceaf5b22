// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/run/system.hpp"

namespace muster::packets {

/// The options of switches with a barrier unit, as typed.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;

 private:
  std::string unit_;
  std::optional<std::uint32_t> buffer_;
};

}  // namespace muster::packets
