// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_options.hpp"

namespace muster::app {

/// `muster run --repeat N`: runs with N seeds, of one thread each and on all cores at once, and one
/// result of what they say together. Sets `status` to 1 if a check failed.
void repeat_run(const RunOptions& options, const RunNetwork& network, const Context& context,
                int& status);

}  // namespace muster::app
