// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// Calls `field` with each value below `value` that is not an object, and its name with dots, which
/// begins with `prefix`.
void for_each_field(const Json& value, const std::string& prefix,
                    const std::function<void(const std::string& name, const Json& value)>& field);

}  // namespace muster::app::sweep
