// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace muster::nic {

/// The model of the NIC paper, section 8.3 for the latency of a NIC-based barrier:
/// T = T_init + (ceil(log2 N) - 1) T_trig + T_adj, microseconds.
struct NicModel {
  double init_us = 0.0;     ///< of two nodes
  double trigger_us = 0.0;  ///< of every further message that another triggers
  double adjust_us = 0.0;

  /// REQUIRES: members >= 2.
  double latency_us(std::uint32_t members) const;
};

struct NicSample {
  std::uint32_t members = 2;
  double latency_us = 0.0;
};

/// T_init is the first sample's latency, which is of two members; T_trig and T_adj are those of
/// least squared error over all. REQUIRES: samples with at least two values of ceil(log2 N).
NicModel fit_nic_model(std::span<const NicSample> samples);

}  // namespace muster::nic
