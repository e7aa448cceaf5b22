// SPDX-License-Identifier: Apache-2.0
#include "run/watchdog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fabric/link_registers.hpp"
#include "muster/topology/names.hpp"
#include "run/links/link_plan.hpp"

namespace muster::run {

std::string Watchdog::look(std::uint64_t cycle) const {
  std::string text;
  for (std::uint32_t g = 0; g < members_.groups(); ++g) {
    if (!hangs(cycle, g) || (deaths_ != nullptr && deaths_->hit(g))) continue;
    if (!text.empty()) text += "\n";
    text += fmt::format("cycle {}: {}", cycle, scheme_.explain(members_, g));
  }
  if (text.empty()) text = look_at_hold(cycle);
  return text.empty() ? look_at_links(cycle) : text;
}

bool Watchdog::hangs(std::uint64_t cycle, std::uint32_t group) const {
  if (members_.done(group) || members_.scheduled(group) != 0) return false;
  const bool absent = !members_.missing(group, members_.current(group)).empty();
  return cycle - members_.last_event(group) > (absent ? limits_.absent : limits_.stuck);
}

/// Packets are held until the network is empty of them, and some switch stays busy.
std::string Watchdog::look_at_hold(std::uint64_t cycle) const {
  if (deaths_ == nullptr || !deaths_->under_way()) return {};
  if (cycle - deaths_->held_since() <= kLongestHold) return {};
  return fmt::format("cycle {}: packets are held since cycle {}, but the network is not empty{}",
                     cycle, deaths_->held_since(), busy_switches());
}

std::string Watchdog::busy_switches() const {
  std::string text;
  core::Bank& switches = network_.switches();
  unsigned shown = 0;
  for (std::uint32_t s = 0; s < switches.blocks() && shown < 4; ++s) {
    if (switches.quiescent(s) || !network_.switch_alive(s)) continue;
    text +=
        fmt::format("\n  {}: {}", topology::switch_text(network_.graph(), s), switches.describe(s));
    ++shown;
  }
  return text;
}

std::string Watchdog::look_at_links(std::uint64_t cycle) const {
  if (traffic_ == nullptr || traffic_->in_flight() == 0) return {};
  if (cycle - links_.last_event() <= kSilence + limits_.held) return {};
  if (deaths_ != nullptr &&
      (cycle <= deaths_->still_until() + kSilence || network_.engine().idle()))
    return {};  // in an empty network they are lost
  return fmt::format(
      "cycle {}: {} packets are in flight and nothing has moved on any link since cycle {}{}",
      cycle, traffic_->in_flight(), links_.last_event(), busy_switches());
}

std::string Watchdog::look_at_ends(std::uint64_t cycle) const {
  std::vector<std::string> down;
  for (const core::ChannelId c : ends_down(network_))
    if (deaths_ == nullptr || !deaths_->expects_down(c))
      down.push_back(end_text(
          network_, c, network_.link_ends()->read_register(c, fabric::link_registers::kStatus)));
  if (down.empty()) return {};
  return fmt::format("cycle {}: {} link end{} down: {}", cycle, down.size(),
                     down.size() == 1 ? " is" : "s are", fmt::join(down, "; "));
}

}  // namespace muster::run
