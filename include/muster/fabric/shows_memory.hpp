// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::fabric {

/// A bank of switches that shows groups in block RAM to someone who watches a run. The register
/// port has a window on one group at a time, and moving it is a write, which a watcher must not do.
class ShowsMemory {
 public:
  virtual ~ShowsMemory() = default;
  /// Word 0 to 3 of that window (docs/systems/many-groups.md), as it would be if `group` were
  /// selected now. 0 if there is no such group.
  virtual std::uint32_t memory_word(std::uint32_t block, std::uint32_t group,
                                    std::uint32_t word) const = 0;
};

}  // namespace muster::fabric
