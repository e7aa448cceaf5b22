// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// What is on the wires is well formed (docs/reference/formats.md), and packets are contiguous: in
/// each virtual channel of each channel the flits between a head and its tail are that packet's.
/// Barrier messages may lie between them and are not counted; pads, which carry nothing, may lie
/// inside a packet and nowhere else. Where there are barrier buffers both keep to the channels that
/// may be cut.
class Packets : public LinkChecker {
 public:
  explicit Packets(const Subject& subject);
  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kBoth};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// What the block was sending has no more flits.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  void shape(std::uint64_t cycle, const core::FlitEvent& event);
  void single_message(std::uint64_t cycle, const core::FlitEvent& event);
  void on_cut_channel(std::uint64_t cycle, const core::FlitEvent& event);

  fabric::Payload mask_;                   ///< the FlitW bits a payload may use
  std::vector<std::uint8_t> open_;         ///< by channel and virtual channel: inside a packet
  std::vector<std::uint64_t> last_cycle_;  ///< by channel: when it last carried a flit
};

}  // namespace muster::checkers
