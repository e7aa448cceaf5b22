// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fabric/link_factory.hpp"

namespace muster::golden {

/// Makes golden link ends of every legal configuration.
std::shared_ptr<const fabric::LinkFactory> make_golden_links();

}  // namespace muster::golden
