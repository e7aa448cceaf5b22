// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/run/system.hpp"

namespace muster::btin {

/// Barrier trees in the switches of irregular networks (README.md beside this file).
std::unique_ptr<run::System> make_system();

}  // namespace muster::btin
