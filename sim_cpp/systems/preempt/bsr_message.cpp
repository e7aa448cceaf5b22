// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_message.hpp"

#include <fmt/format.h>

namespace muster::preempt {

std::string bsr_text(std::vector<core::Flit>& flits, const fabric::Formats&) {
  static constexpr const char* kTypes[] = {"reduction", "distribution", "first message"};
  const core::Flit last = flits.back();
  if (last.kind == core::Flit::kControl) {
    flits.pop_back();
    if (!is_control(last)) return "no link control: operation";
    const LinkControl control = link_control(last);
    return fmt::format("padding {} of channel {}", control.end ? "end" : "request",
                       control.channel);
  }
  if (last.kind == core::Flit::kFirst) flits = {last};
  if (!begins_bsr_message(flits.front())) {
    flits.clear();
    return "of no message";
  }
  const BsrType type = bsr_type(flits.front());
  if (flits.size() < bsr_length(type)) return {};
  const BsrMessage m = bsr_message(flits);
  flits.clear();
  return fmt::format("{} of group {} from {} to {}", kTypes[static_cast<unsigned>(type)], m.gid,
                     m.source, m.destination);
}

}  // namespace muster::preempt
