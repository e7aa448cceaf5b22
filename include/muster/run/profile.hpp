// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/fields.hpp"

namespace muster::run {

/// Cycles of a hop or of a pipe at most.
inline constexpr std::uint32_t kLongestHop = 1000;
/// Cycles of a host, a bus or an interface at most.
inline constexpr std::uint32_t kMostHostCycles = 1'000'000;

/// A timing: how long a cycle is, and what a run adds to the RTL's own cycles
/// (docs/reference/runs.md).
struct Profile {
  std::string name = "native";  ///< as `--profile` has it
  double clock_ns = 10.0;       ///< of a cycle
  /// Cycles of the delay pipe in every channel; 0: no pipes. Of a resolved run whose links retry:
  /// the longest that the two ends of a link hold a flit, and there are no pipes.
  std::uint32_t pipe = 0;
  /// Cycles of a hop of a barrier message, whatever the scheme: the pipe is what is left of them
  /// beside SchemePlan::hop_cycles(). 0: the pipe is `pipe`.
  std::uint32_t hop = 0;
  /// Cycles for which a header keeps an input port of a switch from taking the next one; 0: none.
  /// With pipes only, at whose ends the headers wait.
  std::uint32_t occupancy = 0;
  std::uint32_t send = 0;     ///< cycles of a node's host before a barrier message or packet
  std::uint32_t receive = 0;  ///< and after one
  std::uint32_t arrive = 0;  ///< cycles of a member's host, once in each barrier, before it arrives
  std::uint32_t leave = 0;   ///< and after it is released
  // Of hosts whose network interface takes part in barriers (docs/systems/nic-link.md, Host bus).
  std::uint32_t host = 0;            ///< cycles of a program for a doorbell or an event
  std::uint32_t bus = 0;             ///< cycles of a crossing of the host bus
  std::uint32_t interface_pass = 0;  ///< cycles of a pass through one of the interface's queues
  /// The same for a collective barrier's message that a doorbell of the host sets off, and not
  /// another message.
  std::uint32_t interface_launch = 0;
  std::uint32_t step = 0;    ///< cycles of a host that walks a step list, for each of its sends
  std::uint32_t passes = 0;  ///< queues that a DATA passes; 0: as without a profile
  friend bool operator==(const Profile&, const Profile&) = default;
};

/// The fields of a profile's file and of the parameters of a result.
void describe(Fields& f, Profile& p);

/// A profile in JSON, schema `muster-profile-1`. Throws InputError "file: place: reason".
Profile parse_profile(const std::string& content, const std::string& file);

/// The profiles of this program: `native`, and the files of the folder profiles/.
const std::vector<Profile>& profiles();

/// The profile of this name, or of a file, whose name ends in .json. Throws InputError naming the
/// profiles there are.
Profile find_profile(const std::string& name);

/// All names, joined by commas.
std::string profile_names();

}  // namespace muster::run
