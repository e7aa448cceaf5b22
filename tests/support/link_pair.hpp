// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "fabric/link_bank.hpp"
#include "fabric/link_registers.hpp"
#include "support/link_block.hpp"
#include "support/link_medium.hpp"

namespace muster::testing {

/// The world of a link: its blocks, its wires, its hosts. Chances in a cycle unless said otherwise.
struct LinkConditions {
  std::uint32_t latency = 1;
  LinkTraffic traffic{};
  LinkFaults faults{};
  double kill = 0, reset = 0;  ///< of an end
  double restart = 0.05;       ///< the host asks a link that is down for it
  double host = 0.02;          ///< the host writes or reads anything else
  bool checked = true;         ///< else only the ends are, by their maker
  std::uint32_t late = 0;      ///< cycles of reset that side 1 has more than side 0
};

/// What has happened, to see that nothing was left out.
struct LinkCounts {
  std::uint64_t sent = 0, delivered = 0, synced = 0, ended = 0;
  std::array<std::uint64_t, 5> downs{};  ///< by reason
  std::uint64_t sessions = 0;            ///< that came up
  std::uint64_t resets = 0, quiet = 0, replays = 0, rejected = 0, lost = 0;
  std::uint64_t comparisons = 0;

  LinkCounts& operator+=(const LinkCounts& other);
};

/// Two link ends, each with a block, and the wires between them. Whatever the wires do, it checks
/// in every cycle: flits once, in order, unchanged, of one session of the sender in a session of
/// the receiver and that from its first on; no flit without a place, no credit too many; after a
/// link has gone down only tails of packets that are open; all credits and empty queues when
/// a session begins. With lossy ends barrier messages may be missing. Throws std::runtime_error
/// with the cycle.
class LinkPair {
 public:
  using Make = std::function<std::unique_ptr<fabric::LinkBank>(std::uint64_t seed)>;
  using State = fabric::link_registers::LinkState;
  using Reason = fabric::link_registers::LinkReason;

  /// `make`: a bank of one end, after reset.
  LinkPair(const fabric::LinkConfig& config, Make make, const LinkConditions& conditions,
           std::uint64_t seed);

  void step();
  /// A register of an end, as the host reads it now.
  std::uint32_t read(unsigned side, std::uint32_t address) {
    return sides_[side].bank->read_register(0, address);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) step();
  }
  /// True if `done()` is so within `cycles`.
  bool run_until(const std::function<bool()>& done, std::uint64_t cycles);

  LinkConditions& conditions() { return conditions_; }
  void set_faults(const LinkFaults& faults);
  void reset(unsigned side);
  /// The register port in the next cycle.
  void write(unsigned side, std::uint32_t value);

  State state(unsigned side) { return fabric::link_registers::state(status(side)); }
  Reason reason(unsigned side) { return fabric::link_registers::reason(status(side)); }
  std::uint32_t status(unsigned side) {
    return sides_[side].bank->read_register(0, fabric::link_registers::kStatus);
  }
  bool both(State s) { return state(0) == s && state(1) == s; }
  fabric::LinkBank& bank(unsigned side) { return *sides_[side].bank; }
  const LinkBlock& block(unsigned side) const { return sides_[side].block; }
  /// Both up, nothing on its way, all credits where they began, both quiescent.
  bool at_rest();
  std::uint64_t cycle() const { return cycle_; }
  LinkCounts counts();

 private:
  /// A flit that is on its way, of a session of its sender.
  struct Sent {
    LinkSend what;
    std::uint64_t session;
  };
  struct Side {
    std::unique_ptr<fabric::LinkBank> bank;
    LinkBlock block;
    LinkMedium wires;         ///< from here to the other
    std::deque<Sent> sent{};  ///< to the other, not delivered
    std::uint64_t session = 1;
    std::uint64_t passed = 0;  ///< session of the last that has left `sent`
    /// Of the other, whose flits are delivered here; and the session here in which they are.
    std::uint64_t source = 0, within = 0;
    State state = State::kWait;  ///< in this cycle
    bool was_down = false;       ///< in the cycle before
    std::uint32_t asleep = 0;    ///< cycles of reset to go
    std::optional<std::uint32_t> written{};
    std::uint32_t counters = 0;  ///< replays, rejected and lost as read last
  };

  void look(Side& side);
  void act(Side& side, unsigned number);
  void host(Side& side);
  void drive(Side& side, const std::optional<core::Flit>& frame);
  void arrive(Side& side, Side& from);
  std::optional<std::uint32_t> deliver(Side& side, Side& from, const core::Flit& flit);
  /// It may be lost.
  bool loose(const Sent& sent) const { return config_.lossy != 0 && sent.what.flit.sync(); }
  void restart(Side& side);
  /// Throws if the world is checked.
  void fail(const Side& side, const std::string& what) const;

  fabric::LinkConfig config_;
  Make make_;
  LinkConditions conditions_;
  Rng rng_;
  std::array<Side, 2> sides_;
  LinkCounts counts_;
  std::uint64_t cycle_ = 0;
};

}  // namespace muster::testing
