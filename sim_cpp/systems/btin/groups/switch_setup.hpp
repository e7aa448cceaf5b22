// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "fabric/register_packets.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/tree.hpp"

namespace muster::btin {

/// One node's way to the registers of switches: requests one after the other, each repeated with a
/// new tag until its latest repetition has been answered. Requests and answers stay in order, so
/// that then nothing of the earlier ones is left in the network.
class RegisterClient {
 public:
  /// How it went, and the word before. A write that an earlier repetition has done is kDone.
  using Done = std::function<void(fabric::AccessStatus, std::uint32_t before)>;
  using Send = std::function<void(std::vector<core::Flit>)>;

  static constexpr std::uint64_t kFirstRetry = 256, kLongestRetry = 1u << 16;  ///< cycles
  static constexpr std::uint8_t kVc = 0;

  RegisterClient(std::uint32_t node, Send send) : node_(node), send_(std::move(send)) {}

  void read(std::uint32_t destination, std::uint32_t address, Done done);
  void write(std::uint32_t destination, std::uint32_t address, std::uint32_t old,
             std::uint32_t value, Done done);

  void receive(const fabric::RegisterAnswer& answer);
  /// Once a cycle: sends what waits, repeats what has not been answered.
  void clock(std::uint64_t cycle);
  std::uint64_t repetitions() const { return repetitions_; }
  /// Requests sent, repetitions too.
  std::uint64_t requests() const { return requests_; }

 private:
  friend struct NodeState;  // in tests

  struct Pending {
    fabric::RegisterAccess access;
    Done done;
  };
  void repeat(std::uint64_t cycle);

  std::uint32_t node_;
  Send send_;
  std::deque<Pending> pending_;  ///< the first is under way if sent_
  bool sent_ = false;
  std::uint32_t tag_ = 0;
  std::uint64_t retry_after_ = kFirstRetry, due_ = 0;
  std::uint64_t repetitions_ = 0, requests_ = 0;
};

/// The steps of a group's lifecycle at a switch.
enum class Phase : std::uint8_t { kReserve, kCommit, kUndo, kRelease };

/// The registers of switches that one node writes for groups, by packets:
///   reserve   claim the lowest free register with the identifier of the group, then its child mask
///   commit    make the claimed register valid
///   undo      clear the child mask, then the control word: a free register is all 0
///   release   the same from a valid register, which is looked for: others may have changed it
/// A group that may be spilled goes to the spill node of the switch where none is free, which does
/// the next phase too. A release looks for it in both places.
/// How many registers a switch has is read before the first reservation there.
/// A register is claimed by a write that is done only if the word is 0, so two nodes never get one.
class SwitchSetup {
 public:
  using Done = std::function<void(Outcome)>;
  /// Has the spill node of the switch do a phase; false if the switch has none.
  using Spill = std::function<bool(Phase, const RegisterImage&, Done)>;

  /// Switch s is destination first_switch + s.
  SwitchSetup(RegisterClient& client, std::uint32_t first_switch, Spill spill)
      : client_(client), first_switch_(first_switch), spill_(std::move(spill)) {}

  /// `may_spill` counts in the first phase.
  void run(Phase phase, const RegisterImage& image, bool may_spill, Done done);

  // Of live groups, which another node may have set up.

  /// Looks for the register that holds `image`; kNotHere if there is none. Changes nothing.
  void find(const RegisterImage& image, const Done& done);
  /// Writes the words in which `after` differs from `before`. No barrier of the group is under way.
  /// REQUIRES: find() of `before` has found it, and both are of one switch and group.
  void rewrite(const RegisterImage& before, const RegisterImage& after, const Done& done);

 private:
  friend struct NodeState;  // in tests

  /// Switch and group.
  using RegisterKey = std::pair<topology::SwitchId, std::uint32_t>;
  static RegisterKey key(const RegisterImage& i) { return {i.sw, i.gid}; }

  void claim(const RegisterImage& image, std::uint32_t r, bool may_spill, const Done& done);
  void free(const RegisterImage& image, std::uint32_t control, const Done& done);
  void release(const RegisterImage& image, const Done& done);
  void know_size(topology::SwitchId sw, const std::function<void()>& then);
  void find_from(const RegisterImage& image, std::uint32_t r, const Done& done);
  void write(const RegisterImage& image, std::uint32_t address, std::uint32_t old,
             std::uint32_t value, const std::function<void()>& then);

  RegisterClient& client_;
  std::uint32_t first_switch_;
  Spill spill_;
  std::map<RegisterKey, std::uint32_t> registers_;     ///< reserved or found
  std::set<RegisterKey> spilled_;                      ///< reserved in spill nodes
  std::map<topology::SwitchId, std::uint32_t> sizes_;  ///< registers of switches
};

}  // namespace muster::btin
