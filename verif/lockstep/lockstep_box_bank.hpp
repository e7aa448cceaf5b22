// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lockstep/difference.hpp"
#include "systems/esc/blocks/box_bank.hpp"

namespace muster::verif {

/// Two banks of the same boxes, given the same inputs; what the network sees is the device's
/// outputs. Every ready of every box is compared after settle(), every packet and quiescence after
/// clock(). A difference throws InternalError with cycle, box, port, both values, both states and
/// the last packets that came in.
class LockstepBoxBank final : public esc::BoxBank {
 public:
  /// REQUIRES: both have the same configuration and the stages `stages`.
  LockstepBoxBank(std::unique_ptr<esc::BoxBank> reference, std::unique_ptr<esc::BoxBank> device,
                  std::vector<std::uint8_t> stages);

  void settle() override;
  void clock(std::uint64_t cycle) override;
  bool quiescent(std::uint32_t block) const override { return device_->quiescent(block); }
  std::string describe(std::uint32_t block) const override;

  /// Output words compared so far: in a cycle one a box, and two a port.
  std::uint64_t comparisons() const override { return comparisons_; }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override;

 private:
  static constexpr unsigned kRemembered = 8;
  struct Seen {
    std::uint64_t cycle;
    std::uint32_t port;
    esc::BoxPacket packet;
  };

  void compare_ready();
  void compare_edge(std::uint64_t cycle);
  [[noreturn]] void differ(const std::string& when, std::uint32_t block,
                           const std::string& what) const;

  std::unique_ptr<esc::BoxBank> reference_, device_;
  std::vector<LastInputs<Seen, kRemembered>> history_;
  std::uint64_t settled_ = 0;  ///< cycle of the next settle(), which is not told
  std::uint64_t comparisons_ = 0;
};

}  // namespace muster::verif
