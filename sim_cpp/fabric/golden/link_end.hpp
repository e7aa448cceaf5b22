// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/golden/link_credits.hpp"
#include "fabric/golden/link_replay.hpp"
#include "fabric/link_config.hpp"
#include "fabric/link_frame.hpp"
#include "fabric/link_registers.hpp"
#include "muster/core/register_request.hpp"

namespace muster::golden {

/// One end of a link that retries, as docs/systems/retry-link.md describes it.
class LinkEnd {
 public:
  using State = fabric::link_registers::LinkState;
  using Reason = fabric::link_registers::LinkReason;

  struct Inputs {
    std::optional<core::Flit> flit{};  ///< from the block
    unsigned credits = 0;              ///< from the block, a bit for each class
    std::optional<core::Flit> frame{};
    std::optional<core::RegisterRequest> request{};
  };
  /// Registered: seen from the next cycle on.
  struct Outputs {
    std::optional<core::Flit> flit, frame;
    unsigned credits = 0;
  };

  explicit LinkEnd(const fabric::LinkConfig& config);

  Outputs clock(const Inputs& in);
  /// Clocking it with idle inputs would change nothing, except for the outputs that it drives.
  bool quiet() const;
  bool irq() const { return state_ == State::kDown && !restart_; }
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  /// What a cycle sets, whatever else it clears.
  struct Events {
    bool greets = false, owes = false;
    bool again = false;  ///< all from the oldest
    std::uint32_t confirmed = 0;
    Reason down = Reason::kNone;  ///< the first that applies

    void go_down(Reason reason) {
      if (reason > down) down = reason;  // the greater comes first
    }
  };
  /// What is put on the wires, and what follows from it.
  struct Sending {
    std::optional<fabric::LinkFrame> frame;
    bool greeting = false;  ///< of the handshake
    bool flit = false;      ///< `next` is sent, from the buffer or as it comes
    bool flipped = false;   ///< `news`
  };

  std::uint32_t class_of(const core::Flit& flit) const;
  std::optional<fabric::LinkFrame> good(const Inputs& in) const;
  /// With `lossy`: a barrier message would leave too few places for data.
  bool loses(const core::Flit& flit) const;
  bool drained() const;
  /// The packet that is open in a virtual channel can get its tail.
  bool ends(std::uint32_t vc) const { return (open_ >> vc & 1) != 0 && credits_.room(vc); }
  bool due() const { return timer_ + 1 == config_.timeout; }
  fabric::LinkFrame session_frame(unsigned credits) const;
  Sending choose(const Inputs& in, bool stored) const;
  void in_wait(Events& e);
  void in_start(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out);
  void in_up(const std::optional<fabric::LinkFrame>& frame, Events& e, Outputs& out);
  void accept(const fabric::LinkFrame& frame, Outputs& out);
  bool hear(const fabric::LinkFrame& frame, Events& e);
  void in_down(Events& e, Outputs& out);
  void settle(const Sending& sending, const Events& e, bool credit);
  void begin_again();
  static void count(std::uint8_t& counter) { counter = counter == 255 ? 255 : counter + 1; }

  fabric::LinkConfig config_;
  fabric::LinkFormat format_;
  LinkReplay replay_;
  LinkCredits credits_;
  std::optional<fabric::LinkFrame> before_;  ///< the good frame of the cycle before, to be heard
  State state_ = State::kWait;
  Reason reason_ = Reason::kNone;
  bool restart_ = false;
  std::uint32_t timer_ = 0, tries_ = 0;
  bool heard_ = false, greets_ = false, owes_ = false;
  std::uint32_t expected_ = 0;
  bool news_ = false, echo_ = false, changed_ = false, peer_news_ = false;
  bool missing_ = false, told_ = false;  ///< a flit has been passed; the other end was told so
  unsigned open_ = 0;                    ///< a bit for each virtual channel
  std::uint8_t replays_ = 0, rejected_ = 0, lost_ = 0;
};

}  // namespace muster::golden
