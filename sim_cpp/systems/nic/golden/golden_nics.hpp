// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "systems/nic/blocks/nic_factory.hpp"

namespace muster::golden {

/// Makes golden NICs of every legal configuration.
std::shared_ptr<const nic::NicFactory> make_golden_nics();

}  // namespace muster::golden
