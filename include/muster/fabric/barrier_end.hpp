// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "muster/core/flit.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::fabric {

/// Which credits sync flits take on a link, barrier messages and link control.
enum class SyncCredits : std::uint8_t {
  kNone,    ///< none: they are consumed as they come (docs/systems/barrier-switch.md)
  kQueued,  ///< one of virtual channel 0, between its packets (same page, Queued)
  kPocket,  ///< that of the receiver's single-entry buffer, for each flit (same page, Spill)
  kBuffer,  ///< that of the receiver's barrier buffer for a message
            ///< (docs/systems/preempting-switches.md, The link)
  kBoth     ///< that for a message, and one of its virtual channel for each flit
};

/// Pocket and barrier buffer have bit `vcs` of the credits, behind those of the virtual channels.
inline bool has_extra_credit(SyncCredits credits) {
  return credits != SyncCredits::kNone && credits != SyncCredits::kQueued;
}
/// Messages of several flits are kept together in the receiver.
inline bool has_barrier_buffer(SyncCredits credits) {
  return credits == SyncCredits::kBuffer || credits == SyncCredits::kBoth;
}

/// Flits that a barrier buffer holds: those of the longest message on the narrowest links.
inline constexpr std::uint32_t kBarrierBufferFlits = 3;

/// The flit is of a barrier message or link control, on a link with a barrier buffer.
inline bool passes_data(const core::Flit& flit) {
  return flit.sync() && flit.kind != core::Flit::kPad;
}

/// The credits that a flit takes on a link of `vcs` virtual channels: bit v one of channel v, bit
/// `vcs` that of the pocket or barrier buffer.
inline std::uint32_t credits_taken(SyncCredits credits, std::uint32_t vcs, const core::Flit& flit) {
  const std::uint32_t channel = 1u << flit.vc, extra = 1u << vcs;
  if (!flit.sync()) return channel;
  switch (credits) {
    case SyncCredits::kNone:
      return 0;
    case SyncCredits::kQueued:
      return 1;
    case SyncCredits::kPocket:
      return extra;
    default:
      break;
  }
  if (!passes_data(flit)) return channel;
  const std::uint32_t buffer = flit.kind == core::Flit::kFirst ? extra : 0;
  return credits == SyncCredits::kBoth ? channel | buffer : buffer;
}

/// A padding request or end: what the neighbour is told about a channel of a link on which barrier
/// messages cut data (docs/systems/preempting-switches.md, The link).
struct LinkControl {
  bool end = false;          ///< padding end, else padding request
  std::uint8_t channel = 0;  ///< 0..2
  friend bool operator==(const LinkControl&, const LinkControl&) = default;
};

/// It goes on the channel that it is about.
inline core::Flit control_flit(const LinkControl& control) {
  const std::uint64_t payload = std::uint64_t{control.end} << 14 | control.channel;
  return {.lo = payload, .vc = control.channel, .kind = core::Flit::kControl};
}
/// The operation field has two bits; 2 and 3 are reserved.
inline bool is_control(const core::Flit& flit) {
  return flit.kind == core::Flit::kControl && (flit.lo >> 15 & 1) == 0;
}
/// REQUIRES: is_control(flit).
inline LinkControl link_control(const core::Flit& flit) {
  return {(flit.lo >> 14 & 1) != 0, static_cast<std::uint8_t>(flit.lo & 3)};
}

/// What a node knows of barrier messages on its link, from its switch's SwitchKind.
struct BarrierLink {
  SyncCredits credits = SyncCredits::kNone;  ///< that they take
  std::uint8_t cuttable = 0;                 ///< channels, a bit each
  /// By their first flit.
  std::uint32_t (*message_flits)(const core::Flit&, const Formats&) = nullptr;
  Formats formats{16, 8};     ///< FlitW, GidW
  std::uint32_t buffers = 1;  ///< credits for messages, if there are barrier buffers

  bool buffered() const { return has_barrier_buffer(credits); }  ///< there is a barrier buffer
};

/// How the barrier messages of a node get past its data, on a link with a barrier buffer
/// (docs/systems/preempting-switches.md, Nodes): in the place of a free channel, or in a channel
/// that is cut for one message and handed back behind it.
class BarrierSender {
 public:
  /// The node's channels in a cycle.
  struct Channels {
    std::uint32_t vcs;                ///< virtual channels
    std::span<std::uint8_t> credits;  ///< of each, and that of the barrier buffer
    std::uint32_t under_way;          ///< with a packet in progress, a bit each
  };
  /// A flit of a message that is due.
  struct Next {
    core::Flit flit;    ///< its virtual channel is chosen as it goes
    bool last = false;  ///< of its message
  };

  /// The flit that goes in this cycle, if any; its credits are taken. `next` has gone if it is of a
  /// message. REQUIRES: all flits of a message are due at once.
  std::optional<core::Flit> send(const BarrierLink& link, const Channels& channels,
                                 const std::optional<Next>& next);
  /// The node sends no data: a message is under way. Not so behind the request alone: data of other
  /// channels may be what the credits of this one wait for.
  bool alone() const { return stage_ == Stage::kBegun; }
  /// The channel that is cut and carries no data, a bit; 0 if there is none.
  std::uint32_t cut() const { return cut_ ? 1u << channel_ : 0; }
  bool idle() const { return stage_ == Stage::kIdle; }  ///< nothing more to send for a message
  std::string describe() const;                         ///< nothing if it is idle

 private:
  enum class Stage : std::uint8_t {
    kIdle,
    kAsked,  ///< the padding request has gone
    kBegun,  ///< the first flit has gone
    kOver    ///< the last flit has gone, the padding end has not
  };
  std::optional<core::Flit> begin(const BarrierLink& link, const Channels& channels,
                                  const Next& next);
  core::Flit message(const BarrierLink& link, const Channels& channels, const Next& next);
  core::Flit control(const BarrierLink& link, const Channels& channels, bool end);

  Stage stage_ = Stage::kIdle;
  bool cut_ = false;
  std::uint8_t channel_ = 0;
};

/// Puts together what comes in.
class BarrierReceiver {
 public:
  /// The flit, of a barrier message, completes one.
  bool add(const BarrierLink& link, const core::Flit& flit);
  /// Of the message that is complete, until the next flit comes.
  std::span<const core::Flit> flits() const { return {flits_.data(), have_}; }

 private:
  std::array<core::Flit, kBarrierBufferFlits> flits_{};
  std::uint32_t have_ = 0, length_ = 0;
};

}  // namespace muster::fabric
