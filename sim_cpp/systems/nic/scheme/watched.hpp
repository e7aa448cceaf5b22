// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/run/seen.hpp"
#include "muster/topology/graph.hpp"

namespace muster::nic {

/// What run::System::seen() says of these flits.
std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                     const fabric::Formats& formats);

/// What run::System::contexts() adds.
void add_contexts(core::Bank& devices, topology::NodeId node, std::vector<run::NodeContext>& out);

}  // namespace muster::nic
