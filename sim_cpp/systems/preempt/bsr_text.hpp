// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"

namespace muster::preempt {

/// fabric::SwitchKind::sync_text of the messages in systems/preempt/blocks/bsr_message.hpp.
std::string bsr_text(std::vector<core::Flit>& flits, const fabric::Formats& formats);

}  // namespace muster::preempt
