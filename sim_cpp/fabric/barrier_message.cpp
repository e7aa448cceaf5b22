// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_message.hpp"

#include <fmt/format.h>

namespace muster::fabric {

std::string barrier_message_text(std::vector<core::Flit>& flits, const Formats& formats) {
  static constexpr const char* kTypes[] = {"reduction", "distribution", "spill place",
                                           "spill data"};
  const BarrierMessage m = formats.barrier_message(flits.back());
  flits.clear();
  return fmt::format("{} of group {}, data {:#x}{}", kTypes[static_cast<unsigned>(m.type)], m.gid,
                     m.data.lo, m.data.hi ? fmt::format(" (high {:#x})", m.data.hi) : "");
}

}  // namespace muster::fabric
