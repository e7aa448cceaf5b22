// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/run/system.hpp"

namespace muster::esc {

/// The Extra Stage Cube against synchronization hot spots (README.md beside this file).
std::unique_ptr<run::System> make_system();

}  // namespace muster::esc
