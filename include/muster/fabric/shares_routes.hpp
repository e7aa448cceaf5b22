// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/topology/routes.hpp"

namespace muster::fabric {

/// A bank of switches whose routing tables can be those of the network instead of copies, in so far
/// as the host has written nothing else. A bank without gets each entry through the register ports.
class SharesRoutes {
 public:
  virtual ~SharesRoutes() = default;
  /// As if all entries that switches of their size hold were written: block b is switch b.
  virtual void share_routes(std::shared_ptr<const topology::Routes> routes) = 0;
};

}  // namespace muster::fabric
