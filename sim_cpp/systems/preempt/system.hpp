// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/run/system.hpp"

namespace muster::preempt {

/// Barriers that build their own tree and preempt data channels (README.md beside this file).
std::unique_ptr<run::System> make_system();

}  // namespace muster::preempt
