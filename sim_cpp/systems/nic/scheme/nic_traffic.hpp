// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "muster/run/barrier_traffic.hpp"
#include "systems/nic/blocks/nic_message.hpp"

namespace muster::nic {

/// The packets of NICs, groups numbered as their identifiers. A STEP or DATA counts as a message of
/// its barrier on each channel; by type each packet is counted where its NIC sends it.
class NicTraffic : public run::BarrierTraffic {
 public:
  /// `channels`: of the layout. `first_node_channel`: into the switch of node 0; that of node n is
  /// 2 n further.
  NicTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
             std::uint32_t first_node_channel, std::uint32_t vcs)
      : run::BarrierTraffic(groups, barriers),
        channels_(channels),
        first_node_channel_(first_node_channel),
        vcs_(vcs),
        passing_(channels * vcs),
        newest_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  std::uint64_t sent(NicType type) const { return sent_[static_cast<std::size_t>(type)]; }

 private:
  struct Passing {
    bool nic = false;
    std::uint32_t flits = 0;
    std::array<core::Flit, nic::kNicFlits> flit;
  };
  std::size_t channels_;
  std::uint32_t first_node_channel_, vcs_;
  std::vector<Passing> passing_;
  std::vector<std::uint64_t> newest_;  ///< by group: the last barrier seen
  std::array<std::uint64_t, 5> sent_{};
};

}  // namespace muster::nic
