// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "systems/nic/blocks/nic_config.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/golden/nic_context.hpp"

namespace muster::golden {

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
