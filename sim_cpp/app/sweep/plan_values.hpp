// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "app/sweep/plan.hpp"
#include "topology/files/json_value.hpp"

namespace muster::app::sweep {

using PlanValue = topology::JsonValue<Json>;

inline constexpr std::size_t kMostRows = 1'000'000;

/// What a plan says of an option as its values, one a run: of a scalar one, of a list its elements,
/// of a range the numbers in it. Throws InputError with the place.
std::vector<Json> values_of(const PlanValue& value);

/// The same of an option that has one value.
Json single_value_of(const PlanValue& value);

}  // namespace muster::app::sweep
