// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "systems/nic/nic_bank.hpp"

namespace muster::golden {

/// Register 0x004 and 0x005 of a NIC. Times in cycles.
struct NicTimes {
  std::uint32_t timeout = 0;  ///< T, 0: timers are off
  std::uint32_t retries = 0;  ///< R
  std::uint32_t gap = 0;      ///< between two NACKs
  std::uint32_t quiet = 0;    ///< before a context is free

  std::uint32_t limit(std::uint32_t tries) const { return timeout << (tries < 6 ? tries : 6); }
};

enum class NicPhase : std::uint8_t { kIdle, kRunning, kFailed, kDraining };
enum class NicNotice : std::uint8_t { kNone, kDone, kDead, kReleased };
enum class NicDrop : std::uint8_t { kNone, kUnknown, kStale, kLimited };

/// An entry of a step list: a send to a peer, or a wait for it.
struct NicEntry {
  bool send = false, last = false;
  std::uint8_t next = 0;   ///< the entry after it
  std::uint8_t slot = 0;   ///< the peer's entry that belongs to it
  std::uint16_t peer = 0;  ///< node
};

/// What a message means to a context, on the state at the beginning of its cycle.
struct NicVerdict {
  NicDrop drop = NicDrop::kNone;
  std::optional<nic::NicType> reply = std::nullopt;  ///< kStep or kNotYet
  std::uint8_t slot = 0;                             ///< of the reply
  std::uint32_t receive = 0, early = 0;              ///< bits to set
  bool calm = false;                                 ///< the awaited peer is alive
};

/// A group at a NIC: its step list, where the walk stands, what has come and gone
/// (docs/systems/nic-engine.md). What it asks and how it judges is a function of its state; clock()
/// is the edge.
class NicContext {
 public:
  explicit NicContext(const nic::NicConfig& config)
      : steps_(config.steps), mask_((1u << config.seq_w) - 1), names_((1u << config.addr_w) - 1) {}

  enum class Ask : std::uint8_t { kNothing, kStep, kNack, kToken };
  /// What it asks for in this cycle; a NACK without regard to the gap counter.
  Ask asks(const NicTimes& times) const;
  /// The entry where the walk stands.
  const NicEntry& here() const { return entries_[pc_]; }
  NicVerdict judge(const nic::NicMessage& message) const;
  /// `granted`: what it asked for; `verdict`: of a message for it; `loaded`: its notice is gone.
  void clock(const NicTimes& times, bool granted, const NicVerdict& verdict, bool loaded);

  void write_entry(std::uint32_t slot, std::uint32_t word);
  void write_control(std::uint32_t word);
  /// True if it would be accepted in this state.
  bool accepts(std::uint32_t doorbell) const;
  /// REQUIRES: it was accepted by the state at the beginning of the cycle.
  void ring(std::uint32_t doorbell);

  bool valid() const { return valid_; }
  bool direct() const { return direct_; }
  std::uint8_t group() const { return group_; }
  std::uint8_t sequence() const { return static_cast<std::uint8_t>(seq_); }
  NicPhase phase() const { return phase_; }
  NicNotice notice() const { return notice_; }
  std::uint32_t received() const { return received_; }
  std::uint32_t early() const { return early_; }
  std::uint32_t sent() const { return sent_; }
  std::uint32_t event_word(std::uint32_t number) const;
  std::uint32_t control() const;
  /// Clocking it changes nothing while no message comes.
  bool quiet(const NicTimes& times) const;
  std::string describe() const;

 private:
  bool has(std::uint32_t bits, std::uint32_t slot) const { return bits >> slot & 1; }
  bool stands() const {
    return phase_ == NicPhase::kRunning && !here().send && !has(received_, pc_);
  }
  void count_time(const NicTimes& times, bool granted);
  void done();

  std::uint32_t steps_, mask_, names_;
  std::array<NicEntry, 32> entries_{};
  bool valid_ = false, direct_ = false, past_ = false;
  std::uint8_t group_ = 0, pc_ = 0, tries_ = 0;
  std::uint32_t seq_ = 0, received_ = 0, early_ = 0, sent_ = 0, timer_ = 0;
  NicPhase phase_ = NicPhase::kIdle;
  NicNotice notice_ = NicNotice::kNone;
};

/// One count of an event.
struct NicCount {
  std::uint32_t context = 0;
  std::uint8_t event = 0;
  bool odd = false;  ///< of barriers with odd numbers
};

/// What a cycle brings to an event unit.
struct NicUnitInputs {
  std::optional<NicCount> step = {};            ///< a STEP's count is made
  std::optional<std::uint32_t> granted = {};    ///< context whose descriptor is sent
  std::optional<std::uint32_t> loaded = {};     ///< context whose notice is gone
  std::optional<std::uint32_t> started = {};    ///< context with an accepted start
  std::optional<std::uint32_t> overruled = {};  ///< context that the host's write sets
  bool arrives = false;                         ///< the tail of a message is on the wires
};

/// The groups of a NIC with chained remote writes (docs/systems/nic-events.md): their events, what
/// has counted them, and the descriptors that have been fired.
class NicEventUnit {
 public:
  explicit NicEventUnit(const nic::NicConfig& config)
      : config_(config), mask_((1u << config.seq_w) - 1), groups_(config.contexts) {}

  struct Verdict {
    NicDrop drop = NicDrop::kNone;
    std::optional<NicCount> count = std::nullopt;  ///< what a STEP counts
  };
  /// Of a STEP, NACK or NOT-YET in the message register.
  Verdict judge(const nic::NicMessage& message) const;
  /// What the descriptor of a context asks to be sent; its source is to be filled in.
  std::optional<nic::NicMessage> asks(std::uint32_t context) const;
  /// The edge. True if a descriptor has found its place full.
  bool clock(const NicUnitInputs& in);

  void write_event(std::uint32_t context, std::uint32_t event, std::uint32_t word);
  void write_control(std::uint32_t context, std::uint32_t word);
  bool accepts(std::uint32_t context, std::uint32_t doorbell) const;
  void release(std::uint32_t context);

  NicNotice notice(std::uint32_t context) const { return groups_[context].notice; }
  std::uint32_t event_word(std::uint32_t context) const;
  std::uint32_t control(std::uint32_t context) const;
  /// Clocking it changes nothing while nothing comes.
  bool quiet() const;
  std::string describe() const;

 private:
  struct Event {
    bool write = false, last = false;
    std::uint8_t next = 0, slot = 0;
    std::uint32_t need = 16;
    std::uint16_t peer = 0;
    std::array<std::uint32_t, 2> counts{};  ///< of barriers with even and with odd numbers
  };
  struct Group {
    bool valid = false, running = false, due = false;
    std::uint8_t group = 0, at = 0;
    std::uint32_t seq = 0;
    NicNotice notice = NicNotice::kNone;
    std::optional<Event> place;  ///< a fired descriptor
    std::array<Event, 32> events{};
  };
  bool fires(const NicCount& count) const;
  std::optional<NicCount> begin(const NicUnitInputs& in);
  void finish(Group& group);

  nic::NicConfig config_;
  std::uint32_t mask_;
  std::vector<Group> groups_;
  std::uint32_t turn_ = 0;         ///< context whose local count is first
  std::optional<NicCount> begun_;  ///< a local count that has been begun
};

}  // namespace muster::golden
