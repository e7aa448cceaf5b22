// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"

namespace muster::fabric {

/// SwitchKind::sync_text of kinds whose sync flits are barrier messages in the common format, one
/// flit each: "reduction of group 5, data 0x3".
std::string barrier_message_text(std::vector<core::Flit>& flits, const Formats& formats);

}  // namespace muster::fabric
