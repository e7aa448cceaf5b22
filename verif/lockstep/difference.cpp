// SPDX-License-Identifier: Apache-2.0
#include "lockstep/difference.hpp"

#include <fmt/format.h>

namespace muster::verif {

namespace {

std::string shown(const std::string& value) { return value.empty() ? "0" : value; }

/// A table of three columns: name, golden, RTL.
std::string side_by_side(const Difference& d) {
  std::size_t name = 5, golden = 6;
  for (std::size_t i = 0; i < d.golden_state.size(); ++i) {
    if (d.golden_state[i].value.empty() && d.rtl_state[i].value.empty()) continue;
    name = std::max(name, d.golden_state[i].name.size());
    golden = std::max(golden, d.golden_state[i].value.size());
  }
  std::string text = fmt::format("  {:<{}}  {:<{}}  RTL\n", "state", name, "golden", golden);
  for (std::size_t i = 0; i < d.golden_state.size(); ++i) {
    const std::string &want = d.golden_state[i].value, &have = d.rtl_state[i].value;
    if (want.empty() && have.empty()) continue;
    text += fmt::format("  {:<{}}  {:<{}}  {}{}\n", d.golden_state[i].name, name, shown(want),
                        golden, shown(have), want == have ? "" : "  differs");
  }
  return text;
}

}  // namespace

std::string report(const Difference& d) {
  std::string text = fmt::format("lockstep: {} cycle {}, {}, {}: golden {}, RTL {}\n",
                                 d.settled ? "in" : "after the edge of", d.cycle, d.instance,
                                 d.output, d.golden, d.rtl);
  text += side_by_side(d);
  text += fmt::format("  golden: {}\n  RTL:    {}\n  last messages:", d.golden_text, d.rtl_text);
  if (d.messages.empty()) text += " none";
  for (const std::string& message : d.messages) text += "\n    " + message;
  return text;
}

}  // namespace muster::verif
