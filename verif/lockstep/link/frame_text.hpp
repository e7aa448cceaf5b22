// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabric/link_frame.hpp"

namespace muster::verif {

/// "ack 3 count 1 0 news ask, flit 5: head vc 1 payload 0x8005, CRC 0x1234"
std::string frame_text(const fabric::LinkConfig& config, const core::Flit& frame);

}  // namespace muster::verif
