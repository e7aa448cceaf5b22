// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/link_config.hpp"
#include "muster/core/bank.hpp"

namespace muster::fabric {

/// A bank of link ends (docs/systems/retry-link.md). Port 0 is towards the block: flits, and
/// credits in `back`. Port 1 is the wires: frames as LinkFormat packs them, no credits. Both have
/// the latency of a plain wire; that of the link itself is between two ends. irq(): the link is
/// down and no restart has been asked for.
class LinkBank : public core::Bank {
 public:
  static constexpr std::uint32_t kBlockPort = 0, kWirePort = 1;

  LinkBank(const LinkConfig& config, std::uint32_t ends)
      : core::Bank(ends, 2), config_(validate(config)) {}

  const LinkConfig& config() const { return config_; }

 protected:
  LinkConfig config_;
};

}  // namespace muster::fabric
