// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/run/system.hpp"

namespace muster::nic {

/// The options of NIC barriers and of faults of their packets, as typed.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;

 private:
  std::string level_;
  std::optional<std::uint32_t> degree_, host_step_, data_passes_, timeout_, retries_;
  std::optional<std::uint32_t> longest_delay_, bus_, pass_;
  std::optional<double> drop_, duplicate_, delay_, reorder_, corrupt_;
  bool chained_ = false;
};

}  // namespace muster::nic
