// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <muster/system.hpp>

namespace token_ring {

/// All that Muster learns of the token ring.
std::unique_ptr<muster::run::System> make_system();

}  // namespace token_ring
