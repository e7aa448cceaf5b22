// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/ranges.h>

#include "run/deaths/deaths.hpp"

namespace muster::run {

/// Switches and nodes, with the devices that the scheme wants at them, joined as the graph says.
/// Loads routes and permits through the register ports. `wires`: see make_wires().
std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run,
                                               std::shared_ptr<WireFaults> wires);

/// The same of any switches, without devices: a network that no scheme works on.
std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config);

/// The network of one run and all that works on it, in the order in which they need each other.
class RunParts {
 public:
  /// `resolved` outlives this.
  explicit RunParts(const ResolvedRun& resolved);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  const ResolvedRun& resolved;
  std::shared_ptr<WireFaults> wires;  ///< nullptr if the links do not retry
  std::unique_ptr<fabric::Network> network;
  Health health;
  std::shared_ptr<const Arrivals> arrivals;
  Members members;
  std::unique_ptr<Scheme> scheme;
  Lifecycle* lifecycle;  ///< of the scheme; nullptr if its groups do not change
  std::unique_ptr<Congestion> congestion;
  core::Digest digest;
  std::unique_ptr<DataTraffic> traffic;             ///< nullptr without background data
  std::optional<topology::Routes> routes;           ///< in force, if something dies
  std::unique_ptr<checkers::CheckerList> checkers;  ///< nullptr without
  std::unique_ptr<Deaths> deaths;                   ///< nullptr if nothing dies

 private:
  void make_checkers();
};

/// Turns a hang into a report. It looks at the run now and then; every rule is about what no longer
/// happens, never about how slow it is, as long as something happens within the bounds.
class Watchdog {
 public:
  static constexpr std::uint64_t kPeriod = 256;  ///< cycles between looks
  /// Cycles without any flit or credit on any link after which what is in the network is stuck;
  /// more than twice the longest link.
  static constexpr std::uint64_t kSilence = 1024;
  /// Cycles for which packets may be held: links may be lost one after the other, and each may hold
  /// a flit for more than a thousand.
  static constexpr std::uint64_t kLongestHold = 1'000'000;

  /// `parts` outlives this.
  explicit Watchdog(const RunParts& parts) : parts_(parts), limits_(parts.resolved.hang_limits) {}

  /// A report if the run makes no progress, else empty.
  std::string look(std::uint64_t cycle) const {
    std::string text;
    for (std::uint32_t g = 0; g < parts_.members.groups(); ++g) {
      if (!hangs(cycle, g) || (parts_.deaths != nullptr && parts_.deaths->hit(g))) continue;
      if (!text.empty()) text += "\n";
      text += fmt::format("cycle {}: {}", cycle, parts_.scheme->explain(g));
    }
    if (text.empty()) text = look_at_hold(cycle);
    return text.empty() ? look_at_links(cycle) : text;
  }
  /// A report if a link that retries is down, except for those of blocks that have died. REQUIRES:
  /// links that retry.
  std::string look_at_ends(std::uint64_t cycle) const {
    std::vector<std::string> down;
    for (const core::ChannelId c : ends_down(*parts_.network))
      if (parts_.deaths == nullptr || !parts_.deaths->expects_down(c))
        down.push_back(end_text(
            *parts_.network, c,
            parts_.network->link_ends()->read_register(c, fabric::link_registers::kStatus)));
    if (down.empty()) return {};
    return fmt::format("cycle {}: {} link end{} down: {}", cycle, down.size(),
                       down.size() == 1 ? " is" : "s are", fmt::join(down, "; "));
  }

 private:
  bool hangs(std::uint64_t cycle, std::uint32_t group) const {
    if (parts_.members.done(group) || parts_.members.scheduled(group) != 0) return false;
    const bool absent = !parts_.members.missing(group, parts_.members.current(group)).empty();
    if (absent && parts_.resolved.spec.programs) return false;  // they may take their time
    return cycle - parts_.members.last_event(group) > (absent ? limits_.absent : limits_.stuck);
  }
  /// Packets are held until the network is empty of them, and some switch stays busy.
  std::string look_at_hold(std::uint64_t cycle) const {
    if (parts_.deaths == nullptr || !parts_.deaths->under_way()) return {};
    if (cycle - parts_.deaths->held_since() <= kLongestHold) return {};
    return fmt::format("cycle {}: packets are held since cycle {}, but the network is not empty{}",
                       cycle, parts_.deaths->held_since(), busy_switches());
  }
  std::string look_at_links(std::uint64_t cycle) const {
    if (cycle - parts_.digest.last_event() <= kSilence + limits_.held) return {};
    if (parts_.traffic == nullptr || parts_.traffic->in_flight() == 0) return {};
    if (parts_.deaths != nullptr &&
        (cycle <= parts_.deaths->still_until() + kSilence || parts_.network->engine().idle()))
      return {};  // in an empty network they are lost
    return fmt::format(
        "cycle {}: {} packets are in flight and nothing has moved on any link since cycle {}{}",
        cycle, parts_.traffic->in_flight(), parts_.digest.last_event(), busy_switches());
  }
  std::string busy_switches() const {
    std::string text;
    core::Bank& switches = parts_.network->switches();
    unsigned shown = 0;
    for (std::uint32_t s = 0; s < switches.blocks() && shown < 4; ++s) {
      if (switches.quiescent(s) || !parts_.network->switch_alive(s)) continue;
      text += fmt::format("\n  {}: {}", topology::switch_text(parts_.network->graph(), s),
                          switches.describe(s));
      ++shown;
    }
    return text;
  }
  const RunParts& parts_;
  const HangLimits& limits_;
};

}  // namespace muster::run
