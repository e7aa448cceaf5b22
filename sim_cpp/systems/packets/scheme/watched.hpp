// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "muster/fabric/formats.hpp"
#include "muster/run/seen.hpp"

namespace muster::packets {

/// What run::System::seen() says of these flits.
std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                     const fabric::Formats& formats);

}  // namespace muster::packets
