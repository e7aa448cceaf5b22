// SPDX-License-Identifier: Apache-2.0
#include "run/profile.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "systems/btin/figures/btin_latency.hpp"

namespace muster::run {
namespace {

// Cycles; from the printed latencies at N = 2 and 4 alone, see docs/nic-figures.md.
constexpr std::uint32_t kXpBus = 442, kXpPass = 384, kElanPass = 107;

/// BTIN section 5.1: a message takes t_s + d t_p + (d + 1) t_r over d links, d - 1 switches and two
/// network interfaces. A hop of the RTL, 3 cycles over a link of one, is part of t_p + t_r; the
/// pipe in each of the d channels makes up the rest of it. The sending host has t_s and the
/// interface's t_r, less the cycle into the node's output register; the receiving one what t_p and
/// t_r leave over for the last link, behind which there is no switch.
Profile btin() {
  constexpr std::uint32_t kClockNs = 10, kHop = 3;
  const btin::BtinDelays delays;
  const auto cycles = [](std::uint64_t ns) { return static_cast<std::uint32_t>(ns / kClockNs); };
  const std::uint32_t hop = cycles(delays.link_ns + delays.router_ns);
  return {.name = "btin",
          .clock_ns = kClockNs,
          .pipe = hop - kHop,
          .send = cycles(delays.startup_ns + delays.router_ns) - 1,
          .receive = kHop};
}

/// Section 4 of the paper on preempting switches: T_s cycles in each barrier, sending and receiving
/// together. What the network does takes what the RTL takes.
Profile preempt(const char* name, std::uint32_t startup) {
  return {.name = name, .arrive = startup / 2, .leave = startup - startup / 2};
}

/// The papers' NICs (the NIC paper, section 8; docs/nic-figures.md has the derivation). A step of a
/// collective barrier passes two queues, so a trigger takes two passes and the RTL's own cycles; a
/// barrier of two nodes takes that, a doorbell and an event. Messages of schemes without a NIC
/// cross the bus between host and link.
Profile nic_profile(const char* name, double clock_ns, std::uint32_t bus, std::uint32_t pass) {
  return {.name = name,
          .clock_ns = clock_ns,
          .send = bus,
          .receive = bus,
          .host = 0,
          .bus = bus,
          .nic_pass = pass};
}

Profile lanai_xp() { return nic_profile("lanai-xp", 1000.0 / 225.0, kXpBus, kXpPass); }

/// By the clocks of NIC and bus from lanai-xp: no smallest point is printed.
Profile lanai9() {
  constexpr double kNic = 1000.0 / 133.0, kXp = 1000.0 / 225.0;
  constexpr double kBusRatio = 2.0;  // 66 and 133 MHz
  const auto bus = static_cast<std::uint32_t>(kXpBus * kXp * kBusRatio / kNic + 0.5);
  return nic_profile("lanai9", kNic, bus, kXpPass);
}

Profile elan3() { return nic_profile("elan3", 10.0, 0, kElanPass); }

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all{
      Profile{},  btin(), preempt("ts-100", 100), preempt("ts-1000", 1000), lanai9(),
      lanai_xp(), elan3()};
  return all;
}

const Profile& find_profile(const std::string& name) {
  for (const Profile& profile : profiles())
    if (profile.name == name) return profile;
  throw InputError(fmt::format("--profile '{}': there is none of this name; there are {}", name,
                               profile_names()));
}

std::string profile_names() {
  std::string names;
  for (const Profile& profile : profiles()) names += (names.empty() ? "" : ", ") + profile.name;
  return names;
}

}  // namespace muster::run
