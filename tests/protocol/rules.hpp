// SPDX-License-Identifier: Apache-2.0
// What is searched: a tree, the rules that its parts keep, and what its surroundings may do to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster::protocol {

/// When software waits until old messages are gone, in a recovery.
enum class Drain : std::uint8_t {
  kNone,
  kEdges,  ///< at each component, from its own stop on: others may still send
  kAll,    ///< when all components are stopped: then no message is left
};

/// The rules of docs/systems/loss.md. Each member is one of them, as it is right; the other values
/// are alternatives that a test shows to be wrong.
struct Rules {
  unsigned phase_bits = 1;
  unsigned epoch_bits = 2;
  bool ordered = true;            ///< a channel keeps the order of its messages
  bool fold_once = true;          ///< data are combined only when `arrived` becomes 1
  bool stored_valid = true;       ///< a register serves only a word that it has stored
  bool reset_disables = true;     ///< else a reset register goes on, in phase 0
  bool abort_is_final = true;     ///< else it flips the phase as a release does
  bool abort_unsent_only = true;  ///< a register that has sent its reduction starts no abort
  bool fail_resent = true;        ///< else once, and when a child asks
  bool fail_goes_up = true;       ///< else only a root's abort reaches every member
  bool fail_needs_sent = false;   ///< a failure from the parent counts only if `sent`
  Drain drain = Drain::kAll;
  bool recover_after_release = false;  ///< a recovery waits until each member had a release
  bool write_all = true;               ///< else a single component that was reset is written again
  bool join_drained = true;
  bool join_unsent = true;
  bool leave_completes = true;  ///< else a register looks for completion only when a child arrives
  /// As retry_register.sv has them (docs/systems/retry-registers.md): a child that arrives is not
  /// served, one that has arrived or whose register is full gets no answer, a full one never
  /// aborts.
  bool as_built = false;
  bool leavers_count = true;  ///< software remembers the barriers that a member completed
};

/// What may happen beside the protocol; masks are of nodes.
struct Surroundings {
  std::uint8_t aborts = 0;   ///< switches and members that may abort at any time
  std::uint8_t resets = 0;   ///< nodes that may be reset at any time
  std::uint8_t changes = 0;  ///< members that leave and join again
  bool recovers = false;     ///< software may recover the group, at any time
  bool several = false;      ///< a register takes and sends several messages in one cycle
};

/// Nodes are switches, the root first, then members; `parent` of each but the root.
struct Tree {
  unsigned switches;
  std::vector<unsigned> parent;  ///< of node v at v; that of the root is not looked at

  unsigned nodes() const { return static_cast<unsigned>(parent.size()); }
  unsigned members() const { return nodes() - switches; }
  bool is_member(unsigned v) const { return v >= switches; }
};

}  // namespace muster::protocol
