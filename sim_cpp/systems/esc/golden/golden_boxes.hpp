// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "systems/esc/blocks/box_factory.hpp"

namespace muster::golden {

/// Makes golden boxes and input policies of every legal configuration.
std::shared_ptr<const esc::BoxFactory> make_golden_boxes();

}  // namespace muster::golden
