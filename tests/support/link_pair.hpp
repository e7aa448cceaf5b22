// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/link_end.hpp"
#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "muster/core/flit.hpp"
#include "support/test.hpp"

namespace muster::testing {

/// How a block behaves, chances in a cycle.
struct LinkTraffic {
  double send = 0.6;    ///< a flit goes, if the rules allow it
  double sync = 0.2;    ///< of flits: a barrier message
  double credit = 0.7;  ///< a place that has been taken is free again, by class
  double flood = 0;     ///< of what the rules do not allow, sent nevertheless
};

/// What a block sends in a cycle.
struct LinkSend {
  core::Flit flit;
  std::optional<std::uint32_t> group;  ///< of a barrier message that keeps the rules
};

/// The block at an end of a link: a sender that keeps the rules, and queues. Of each group one
/// barrier message is under way on the link: who has received it may send the next. Where messages
/// may be lost they are of no group, and come at any time.
class LinkBlock {
 public:
  static constexpr std::uint32_t kNoClass = 4;

  /// `first`: this side has the first message of the even groups, else of the odd.
  LinkBlock(const fabric::LinkConfig& config, bool first, std::uint64_t seed);
  /// As after reset: all credits, empty queues.
  void begin();

  /// A flit and credits for the end in this cycle, then what comes from it in the same cycle.
  std::optional<LinkSend> send(const LinkTraffic& traffic);
  unsigned give(const LinkTraffic& traffic);  ///< a bit for each class
  bool credits(unsigned classes);             ///< false if a class has one too many
  /// `group`: of a message that keeps the rules. False if there is no place.
  bool receive(const core::Flit& flit, std::optional<std::uint32_t> group);

  /// Nothing of it is on its way or in its queues.
  bool all_back() const { return credits_ == full_; }
  bool empty() const { return used_ == Counts{}; }
  bool open(std::uint32_t vc) const { return open_[vc]; }  ///< towards this block
  std::uint32_t used(std::uint32_t c) const { return used_[c]; }
  std::uint32_t class_of(const core::Flit& flit) const {
    if (flit.sync()) return config_.pocket != 0 ? config_.vcs : kNoClass;
    return flit.vc;
  }

 private:
  using Counts = std::array<std::uint32_t, 4>;
  std::optional<LinkSend> message(double flood);
  bool buffered() const;

  fabric::LinkConfig config_;
  bool first_;
  std::uint32_t groups_;  ///< that use the link
  Random rng_;
  Counts full_{}, credits_{}, used_{};
  std::array<bool, 4> sending_{}, open_{};  ///< a packet has begun, by virtual channel
  std::set<std::uint32_t> turns_;           ///< groups whose next message this side sends
  std::uint64_t number_ = 0;                ///< of the next flit
};

/// What the wires of one direction do to a frame; chances.
struct LinkFaults {
  double lost = 0;
  double doubled = 0;    ///< comes again in the next cycle, in place of what is there
  double corrupted = 0;  ///< 1 to 5 bits flip
  double forged = 0;     ///< fields are replaced by others under a right CRC: no wires do that
  double dead = 0;       ///< in a cycle: the wires carry nothing for up to `dead_cycles`
  std::uint32_t dead_cycles = 0;
};

/// The wires of one direction. A latency of 1 is a plain wire.
class LinkMedium {
 public:
  LinkMedium(const fabric::LinkConfig& config, std::uint32_t latency, const LinkFaults& faults,
             std::uint64_t seed)
      : config_(config), format_(config), pipe_(latency - 1), faults_(faults), rng_(seed) {}

  LinkFaults& faults() { return faults_; }

  /// What is at the far end in the cycle in which `frame` is at the near end.
  std::optional<core::Flit> carry(std::optional<core::Flit> frame) {
    if (dead_ == 0 && rng_.chance(faults_.dead)) dead_ = 1 + rng_.below(faults_.dead_cycles);
    if (again_) {
      frame = again_;
      again_.reset();
    } else if (frame && rng_.chance(faults_.doubled)) {
      again_ = frame;
    }
    if (frame && rng_.chance(faults_.lost)) frame.reset();
    if (frame && rng_.chance(faults_.forged)) forge(*frame);
    if (frame && rng_.chance(faults_.corrupted)) corrupt(*frame);
    if (dead_ != 0) {
      --dead_;
      frame.reset();
    }
    pipe_.push_back(frame);
    frame = pipe_.front();
    pipe_.pop_front();
    return frame;
  }

 private:
  void corrupt(core::Flit& frame) {
    const core::Flit before = frame;
    const std::uint64_t bits = 1 + rng_.below(5);
    while (frame == before)
      for (std::uint64_t i = 0; i < bits; ++i)
        format_.flip(frame, static_cast<unsigned>(rng_.below(format_.width())));
  }

  void forge(core::Flit& packed) {
    fabric::LinkFrame frame = format_.unpack(packed);
    const std::uint32_t numbers = 2 * config_.slots;
    switch (rng_.below(8)) {
      case 0:
        frame.ack = (frame.ack + rng_.below(4)) % numbers;
        break;
      case 1:
        frame.ack = rng_.below(numbers);
        break;
      case 2:
        frame.seq = rng_.below(numbers);
        frame.flit = true;
        frame.vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
        break;
      case 3:
        frame.count[rng_.below(config_.backs())] = rng_.below(1u << config_.count_w());
        break;
      case 4:
        frame.news = !frame.news;
        break;
      case 5:
        frame.echo = !frame.echo;
        break;
      case 6:
        frame.ask = !frame.ask;
        break;
      default:
        frame.init = !frame.init;
    }
    packed = format_.pack(frame);
    packed.hi = golden::link_crc(format_, packed);
  }

  fabric::LinkConfig config_;
  fabric::LinkFormat format_;
  std::deque<std::optional<core::Flit>> pipe_;
  LinkFaults faults_;
  Random rng_;
  std::optional<core::Flit> again_;  ///< comes a second time, in place of what follows it
  std::uint64_t dead_ = 0;           ///< cycles to go
};

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
  Random rng_;
  std::array<Side, 2> sides_;
  LinkCounts counts_;
  std::uint64_t cycle_ = 0;
};

}  // namespace muster::testing
