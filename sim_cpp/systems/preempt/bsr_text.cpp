// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_text.hpp"

#include <fmt/format.h>

#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::preempt {

std::string bsr_text(std::vector<core::Flit>& flits, const fabric::Formats&) {
  static constexpr const char* kTypes[] = {"reduction", "distribution", "first message"};
  if (is_control(flits.front())) {
    const LinkControl control = link_control(flits.front());
    flits.clear();
    return fmt::format("padding {} of channel {}", control.end ? "end" : "request",
                       control.channel);
  }
  const BsrType type = bsr_type(flits.front());
  if (flits.size() < bsr_length(type)) return {};
  const BsrMessage m = bsr_message(flits);
  flits.clear();
  if (type == BsrType::kControl) return "no control message: operation";
  return fmt::format("{} of group {} from {} to {}", kTypes[static_cast<unsigned>(type)], m.gid,
                     m.source, m.destination);
}

}  // namespace muster::preempt
