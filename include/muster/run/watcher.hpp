// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/bits.hpp"
#include "muster/core/observer.hpp"

namespace muster::fabric {
class Network;
}

namespace muster::run {

struct ResolvedRun;

/// What someone who watches a run is told of a barrier message: what it is for, and of which group.
/// The wires say no more; who sends and receives it is who stands at the ends of the channel.
struct SeenMessage {
  /// What it is for. The order is that of the page's data (docs/reference/formats.md).
  enum class Kind : std::uint8_t {
    kUp,     ///< a reduction or arrival, towards the root
    kDown,   ///< a distribution or release, from the root
    kAck,    ///< an acknowledgement of either
    kBuild,  ///< it builds or tidies up a tree
    kSetUp,  ///< of membership or of a register, a packet
    kSpill,  ///< between a switch and the node that keeps a group for it
    kStep,   ///< a step between two members, of an algorithm without a root
    kRetry   ///< it asks for a step that is missing, or says that it has not been taken yet
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};  ///< the message does not say
  Kind kind = Kind::kUp;                                        ///< of these
  std::uint32_t gid = kNoGroup;  ///< identifier of the group, which is its number in the run
  friend bool operator==(const SeenMessage&, const SeenMessage&) = default;
};

/// What a switch holds of one group: a barrier register or an entry of a status table. Masks have
/// bit p for port p.
struct SwitchEntry {
  static constexpr std::uint16_t kSent = 1;      ///< its reduction has gone up
  static constexpr std::uint16_t kRoot = 2;      ///< the tree has its root here; it answers itself
  static constexpr std::uint16_t kClaimed = 4;   ///< reserved by who sets it up
  static constexpr std::uint16_t kFailed = 8;    ///< its barrier has failed
  static constexpr std::uint16_t kSuspect = 16;  ///< it has been under way for too long
  static constexpr std::uint16_t kByName = 32;   ///< `parent` is a destination, else a port
  static constexpr std::uint16_t kValid = 64;    ///< it is in use
  static constexpr std::uint16_t kMemory = 128;  ///< `place` is one of a memory, else a register

  std::uint32_t place = 0;      ///< number of the register or entry
  std::uint32_t gid = 0;        ///< identifier of the group
  std::uint16_t flags = 0;      ///< of the constants above
  std::uint32_t parent = 0;     ///< port, or destination
  core::PortMask children = 0;  ///< ports from which messages are expected
  core::PortMask arrived = 0;   ///< ports from which they have come
  core::PortMask serve = 0;     ///< ports that are still to be sent a distribution
  friend bool operator==(const SwitchEntry&, const SwitchEntry&) = default;
};

/// What the network interface of a node holds of one group.
struct NodeContext {
  /// What it does for the group's barrier. The order is that of the page's data.
  enum class Phase : std::uint8_t { kIdle, kRunning, kFailed, kDraining };
  static constexpr std::uint16_t kValid = 1;   ///< it is in use
  static constexpr std::uint16_t kEvents = 2;  ///< it counts events; no list is walked
  static constexpr std::uint16_t kDirect = 4;  ///< its messages are acknowledged

  std::uint32_t place = 0;     ///< number of the context
  std::uint32_t gid = 0;       ///< identifier of the group
  std::uint16_t flags = 0;     ///< of the constants above
  Phase phase = Phase::kIdle;  ///< of these
  std::uint32_t number = 0;    ///< of the barrier that it is in or begins next, its low 8 bits
  std::uint32_t entry = 0;     ///< of its list, or event, that it is at
  std::uint32_t received = 0;  ///< entries whose message has come, a bit each
  std::uint32_t sent = 0;      ///< entries whose message has gone, a bit each
  friend bool operator==(const NodeContext&, const NodeContext&) = default;
};

/// Sees a run as its links show it and, besides, its members and what its switches hold. It changes
/// nothing: a run with a watcher has the digest of one without.
class Watcher : public core::Observer {
 public:
  /// The network stands and has not begun. Both outlive the run.
  virtual void begin(const ResolvedRun& run, fabric::Network& network) = 0;
  /// The member's program has reached a barrier in this cycle, which may lie before the one that is
  /// under way. Members are places in the group's list, ascending by node.
  virtual void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// The member goes on in this cycle, which may lie behind the one that is under way.
  virtual void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) = 0;
  /// Between two cycles: what the blocks hold now is what they hold in `next`, which comes.
  virtual void look(std::uint64_t next) = 0;
};

}  // namespace muster::run
