// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/link_config.hpp"
#include "fabric/link_frame.hpp"
#include "muster/core/disturbance.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/link_faults.hpp"

namespace muster::run {

/// The wires between link ends: wire c leads from the end at the sender of channel c of the layout.
/// The fate of a frame depends on seed, wire and cycle only, so it is the same on every engine
/// that puts the same frames there.
class WireFaults final : public core::Disturbance {
 public:
  /// `wires`: channels of the layout.
  WireFaults(const LinkSpec& spec, const fabric::LinkConfig& config, std::uint32_t wires,
             std::uint64_t seed);

  core::Arriving pass(std::uint32_t wire, std::uint64_t cycle, const core::Flit& frame) override;
  /// All but `down`.
  const LinkCounts& counts() const { return counts_; }

 private:
  bool flapping(std::uint32_t wire, std::uint64_t cycle) const;
  void count_replay(std::uint32_t wire, const fabric::LinkFrame& fields);
  void corrupt(core::Flit& frame, Rng& rng) const;

  LinkSpec spec_;
  fabric::LinkFormat format_;
  std::uint32_t numbers_;  ///< sequence numbers there are
  std::uint64_t seed_;
  std::vector<std::uint32_t> next_;  ///< by wire: the number of the first flit never sent
  LinkCounts counts_;
};

}  // namespace muster::run
