// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::fabric {

/// What stands on the register port of a block in one cycle; docs/registers.md.
struct RegisterRequest {
  std::uint32_t block = 0;
  bool write = false;
  std::uint32_t address = 0, value = 0;
};

/// What a bank of blocks with a register port implements beside Bank, whose own register accesses
/// lie between two cycles and so never meet traffic.
class RegisterRequests {
 public:
  virtual ~RegisterRequests() = default;
  /// The request stands on the block's port during the next clock(); a write takes effect at its
  /// edge. REQUIRES: that clock() is given the block, and this is its only request until then.
  virtual void request(const RegisterRequest& request) = 0;
};

}  // namespace muster::fabric
