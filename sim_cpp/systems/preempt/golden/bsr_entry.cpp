// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_entry.hpp"

#include <fmt/format.h>

namespace muster::golden {

std::string describe(const BsrEntry& entry) {
  if (!entry.valid) return "free";
  std::string children;
  for_each_bit(entry.children, [&](std::uint32_t p) {
    children += fmt::format("{}{} by {}", children.empty() ? "" : ", ", entry.child[p], p);
  });
  return fmt::format(
      "group {}{}{}{}{}{}{} locals {:#x} children [{}] arrived {:#x} serve {:#x} parent {} count "
      "{}",
      entry.gid, entry.center ? " center" : "", entry.branch ? " branch" : "",
      entry.tree ? " tree" : "", entry.sent ? " sent" : "", entry.tidy ? " tidy" : "",
      entry.refused ? " refused" : "", entry.locals, children, entry.arrived, entry.serve,
      entry.parent, entry.count);
}

}  // namespace muster::golden
