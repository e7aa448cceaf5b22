// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/topology/graph.hpp"

namespace muster::run {

/// A link, by its two ends, that is declared dead in `cycle`: drained and taken out.
struct KilledLink {
  topology::PortRef a;      ///< of one switch
  topology::PortRef b;      ///< of the other
  std::uint64_t cycle = 0;  ///< at most run::kMostCycles
};

/// A link that was declared dead. Cycles; 0: not yet.
struct LinkResult {
  KilledLink link;             ///< as asked
  bool quiesced = false;       ///< packets were held while the tables were written
  bool groups_held = false;    ///< so were groups whose messages the tables lead, at a barrier
  bool acyclic = false;        ///< old and new routes together have no cycle of dependencies
  std::uint64_t narrowed = 0;  ///< masks from which the link was taken at once, others being left
  std::uint64_t entries = 0;   ///< words that the host has written, those of `narrowed` too
  std::uint64_t empty = 0;     ///< no packet was in the network
  std::uint64_t routed = 0;    ///< the new tables stand, packets go again
  std::uint64_t out = 0;       ///< the link was unused, and it was taken out
};

/// Nothing that is put on the wires of a link in `cycles` cycles from `first` on arrives, in
/// neither direction.
struct Flap {
  core::ChannelId channel = 0;  ///< of fabric::Layout, one of the two
  std::uint64_t first = 0;      ///< cycle
  std::uint64_t cycles = 0;     ///< at least 1
};

/// Links that retry (docs/systems/retry-link.md) between all blocks, and what happens on their
/// wires. Shares are of all frames, each drawn for itself, 0 to 0.5, except for one.
struct LinkSpec {
  bool retry = false;         ///< else the rest must be as here
  double drop = 0.0;          ///< frames that are lost
  double corrupt = 0.0;       ///< frames in which 1 to 3 bits are flipped
  double duplicate = 0.0;     ///< frames that come twice
  double ack_drop = 0.0;      ///< frames without a flit that are lost, of these alone; 0 to 1
  std::vector<Flap> flaps{};  ///< any number, of any links
};

/// What has happened on the wires of links that retry, all together.
struct LinkCounts {
  std::uint64_t frames = 0;        ///< put on the wires
  std::uint64_t dropped = 0;       ///< by LinkSpec::drop
  std::uint64_t corrupted = 0;     ///< by LinkSpec::corrupt
  std::uint64_t duplicated = 0;    ///< by LinkSpec::duplicate
  std::uint64_t flapped = 0;       ///< lost in flaps and on links that are cut
  std::uint64_t acks_dropped = 0;  ///< by LinkSpec::ack_drop
  std::uint64_t replayed = 0;      ///< frames with a flit sent before
  std::vector<std::string> down;   ///< channels whose sending end is down, and why
  /// Barrier messages for which the replay buffers had no place, where messages are repeated, as
  /// their ends count them, each up to 255.
  std::optional<std::uint64_t> lost;
};

/// From `cycle` on a switch or a node is dead, and with it its ends of its links; or nothing gets
/// over a link any more; or a switch and its ends are as after reset in that cycle
/// (docs/reliability.md).
struct Death {
  bool node = false;        ///< else a switch, or a link
  std::uint32_t id = 0;     ///< NodeId, SwitchId, or half of a channel of the link
  std::uint64_t cycle = 0;  ///< at most run::kMostCycles
  bool reset = false;       ///< of switches
  bool link = false;        ///< not a block
  friend bool operator==(const Death&, const Death&) = default;
};

/// A link end that says that its link is down, as its host sees it.
struct DownEnd {
  core::ChannelId channel = 0;  ///< of fabric::Layout, whose sender it stands at
  std::uint64_t cycle = 0;      ///< the first in which irq_o is set
  std::uint32_t reason = 0;     ///< of its status register, fabric::link_registers
};

/// What has become of RunSpec::deaths.
struct Casualties {
  /// One that has happened.
  struct Event {
    Death death;                         ///< as asked
    std::optional<std::uint64_t> again;  ///< of a reset: packets go through the switch again
  };
  /// A link end that has gone down, next to a block that is dead or was reset, or of a cut link.
  struct Detection {
    std::string end;           ///< its channel, "3:0 -> 1:2"
    std::string block;         ///< behind the link: "sw3", "n17"; or the link: "3:0-1:2"
    std::uint64_t cycle = 0;   ///< of the end: irq_o is set
    std::uint64_t cycles = 0;  ///< since the last death or reset of the block
    std::string reason;        ///< of being down
  };
  /// A group that had barriers to do when it lost a member, or a switch or link that its messages
  /// use.
  struct Group {
    std::uint32_t group = 0;     ///< of the run
    std::string culprit;         ///< that it lost first: "sw3", "n17", "3:0-1:2"
    std::uint64_t cycle = 0;     ///< of the loss
    std::uint32_t barriers = 0;  ///< that all members have left
    std::uint64_t last = 0;      ///< cycle of its last arrival or release
    bool complete = false;       ///< all of its barriers are done nevertheless
    bool recovered = false;      ///< since it was given another tree or epoch
  };
  /// Of a group: its survivors go on (docs/reliability.md).
  struct Recovery {
    std::uint32_t group = 0;                           ///< of the run
    std::uint64_t suspect = 0;                         ///< cycle in which it began
    std::uint64_t cause = 0;                           ///< cycle of the last event before that
    std::optional<std::uint64_t> recovered = {};       ///< cycle in which the members went on
    std::vector<std::uint32_t> lost = {};              ///< nodes that are members no more
    std::optional<std::uint32_t> failed_barrier = {};  ///< for all survivors
    std::uint8_t epoch = 0;                            ///< the new one
    std::string stopped = {};                          ///< why the group does not go on
  };
  /// Routes around what is down, planned once. Cycles; 0: not yet.
  struct Rerouting {
    std::uint64_t first_down = 0;  ///< an end of a link between switches went down
    bool connected = false;        ///< all that live; else the routes were left
    bool by_file = false;          ///< by the levels of the network's file, else by new ones
    double route_bound = 0.0;      ///< flits per node and cycle, of the nodes that answer
    std::uint64_t held = 0;        ///< packets were held, the routes planned
    std::uint64_t empty = 0;       ///< no packet was in the network
    std::uint64_t again = 0;       ///< the tables stand, packets go again
    std::uint64_t words = 0;       ///< written
  };
  std::vector<Event> events;           ///< as they happened
  std::vector<Death> not_reached;      ///< the run ended before their cycles
  std::vector<Detection> detected;     ///< as they happened
  std::vector<Rerouting> rerouted;     ///< as they happened
  std::vector<Group> groups_hit;       ///< by group
  std::vector<Recovery> recovered;     ///< as they began
  std::vector<std::string> untouched;  ///< names of the other groups
  std::uint64_t packets_lost = 0;      ///< data that were sent and have not come, whole
};

}  // namespace muster::run
