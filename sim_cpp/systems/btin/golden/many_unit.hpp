// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"

namespace muster::golden {

/// Groups in block RAM (docs/systems/many-groups.md): one message is taken a cycle and decided in
/// the next; what a group has to send waits in one queue for all outputs. Begins where the memory
/// has been cleared.
class ManyUnit {
 public:
  /// REQUIRES: config.groups is not 0.
  explicit ManyUnit(const fabric::SwitchConfig& config);

  /// A message and the port where it was taken.
  struct Taken {
    std::uint32_t port = 0;
    fabric::BarrierMessage message;  ///< reduction or distribution
  };
  enum class Fate : std::uint8_t { kTaken, kUnknown, kRefused };
  /// What has become of one.
  struct Verdict {
    Taken of;
    Fate fate = Fate::kTaken;
  };

  /// The clock edge: `taken` is decided at the next one; the first message of the queue leaves
  /// through the ports `departed`. The verdict on the message taken in the cycle before.
  std::optional<Verdict> edge(const std::optional<Taken>& taken, std::uint16_t departed);

  /// Outputs for which the first message of the queue waits, and that message.
  std::uint16_t requested() const { return first_ ? first_->ports : std::uint16_t{0}; }
  const fabric::BarrierMessage& message() const { return first_->message; }
  /// Something is under way besides the first message.
  bool busy() const { return taken_ || written_ || !behind_.empty(); }

  /// The host's window, words of 0x040 on.
  void write(std::uint32_t word, std::uint32_t value);
  std::uint32_t read(std::uint32_t word) const;
  /// What the window on a group has to show now: its words 0 to 3, 0 if there is no such group.
  std::uint32_t word(std::uint32_t gid, std::uint32_t word) const;
  /// A write to it, with which no message is taken.
  static bool writes(std::uint32_t word);

  /// Groups that are valid, and messages that wait, as text.
  std::string describe() const;

 private:
  struct Waiting {
    fabric::BarrierMessage message;
    std::uint16_t ports = 0;  ///< that it has not left through
    bool stale = false;       ///< the host has written the group since
  };
  /// The message of a group that waits; null if none does.
  Waiting* waiting(std::uint32_t gid);
  const Waiting* waiting(std::uint32_t gid) const;
  std::uint16_t serve(std::uint32_t gid) const;
  Fate judge(const Taken& taken) const;
  /// Decides a message: what its group has to send then, if anything.
  std::optional<Waiting> decide(const Taken& taken, Verdict& verdict);
  void leave(std::uint16_t departed);
  void advance(std::optional<Waiting> made);

  std::uint32_t ports_;
  std::vector<BarrierRegister> groups_;  ///< by identifier
  std::optional<Taken> taken_;           ///< in the cycle before
  std::optional<Waiting> first_;
  std::deque<Waiting> behind_;
  bool fresh_ = false;    ///< the last one behind came at the last edge
  bool written_ = false;  ///< the host's last write is still on its way to the memory
  std::uint32_t selected_ = 0;
  std::array<std::uint32_t, 4>
      seen_{};  ///< words of the selected group after the host's last write
};

}  // namespace muster::golden
