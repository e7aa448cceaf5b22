// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace muster::run {

/// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

}  // namespace muster::run
