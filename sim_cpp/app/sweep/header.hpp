// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/context.hpp"
#include "app/sweep/plan.hpp"
#include "app/sweep/shard.hpp"

namespace muster::app::sweep {

struct Study;

/// The first line of a file of rows, with this machine as the only one.
Json header_of(const Study& study, const std::optional<Shard>& shard, const Context& context);

}  // namespace muster::app::sweep
