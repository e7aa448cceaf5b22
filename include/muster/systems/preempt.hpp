// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Switches that preempt data for barrier messages: what a run may ask of them, and what they cost.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"

namespace muster::preempt {

/// What the host sets in preempting switches, cycles. RunSpec::own of schemes `bsr-1`,
/// `bsr-2` and `bsr-3`; without it the switches are as after reset, which the defaults here are.
struct Spec : run::Own<run::SystemSpec, Spec> {
  static constexpr std::string_view kSystem = "preempt";  ///< System::name()

  std::uint32_t idle = 16;      ///< a cut is kept so long after its last barrier flit; 0..255
  std::uint32_t gap = 2;        ///< an output serves no message so long after one; 0..255
  std::uint32_t longest = 256;  ///< a cut; 0..65535
  bool random = false;          ///< the channel that is cut is drawn, else it is the last
  bool padding = true;          ///< pads follow the flits of a cut message
  /// Flits of a first message at most, 1..3, which sets the width of flits; 0: as it is otherwise.
  std::uint32_t message_flits = 0;
  std::uint32_t spares = 0;  ///< barrier buffers of each input port beyond the first; 0..7
};

/// The options of preempting switches and the parameters in JSON.
void describe(run::Fields& f, Spec& s);

/// A group whose messages could go by a link that died, or found their tree by it.
struct Change {
  std::uint32_t group = 0;          ///< of the run
  std::uint32_t kept = 0;           ///< entries of status tables, all as they were
  std::uint64_t decided = 0;        ///< cycle in which the link was declared dead
  std::uint64_t first_barrier = 0;  ///< the first with all messages on the new routes
  std::uint64_t confirmed = 0;      ///< cycle from which on none can be on old ones; 0: not yet
  /// Cycle of the last release from that barrier, if there was one.
  std::optional<std::uint64_t> first_release = {};
};

/// What equations (1) to (3) of the paper assume, measured on the links between switches: shares
/// and times are means over the hops of messages, of all cycles up to the last message of a link.
struct Model {
  std::uint64_t hops = 0;                   ///< messages
  double occupied = 0;                      ///< p: a channel serves a packet
  std::optional<double> blocked;            ///< p_f: such a channel has no credit
  std::optional<double> blocked_cycles;     ///< tau: until it has one, on average
  double cut = 0;                           ///< padding requests a message: for p^k
  std::optional<double> preemption_cycles;  ///< T_p: from the request to the message's first flit
};

/// What preempting switches have done to data and barriers; RunResult::own.
struct Cost : run::Own<run::SystemResult, Cost> {
  static constexpr std::string_view kSystem = "preempt";  ///< System::name()

  std::uint64_t preemptions = 0;                ///< padding requests
  std::uint64_t padding_flits = 0;              ///< on all links
  std::uint64_t longest_hop_wait = 0;           ///< cycles that a message has waited for data
  std::optional<std::uint64_t> hop_wait_bound;  ///< cycles; none for switch III
  std::uint32_t data_channels = 0;              ///< virtual channels of each link, all of data
  std::uint32_t buffer_flits = 0;               ///< of barrier messages at each input port
  std::vector<std::uint64_t> theorem_2;         ///< by group: 2 Tb H, cycles
  /// Messages that have left a switch by another legal port than the deterministic one, each at
  /// each switch.
  std::uint64_t detours = 0;
  Model model;                  ///< of the paper's equations
  std::vector<Change> changes;  ///< because of links that died, in their order
};

}  // namespace muster::preempt
