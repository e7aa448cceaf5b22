// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/scheme/cycle_view.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// No packet is lost, duplicated, changed or misdelivered; packets of one source, destination and
/// path arrive in the order in which they were generated, under throttling those of background;
/// of synchronization messages that are combined, number and births are those that were sent;
/// every PE gets one copy of each release packet.
///
/// What enters and what leaves is compared as two multisets, by number and by a sum of
/// fingerprints, once the network has been drained. Order is followed for all sources as long as
/// their flows fit a table of 2^22 entries (N = 1024 with n = 4 and a policy), for every k-th
/// source in a larger network.
class DeliveryCheck final : public Check {
 public:
  explicit DeliveryCheck(const Spec& spec);
  std::string name() const override { return "delivery"; }
  void start(const SessionPlan& plan) override;
  void observe(const CycleView& view) override;
  void finish() override;

 private:
  void enter_releases(const CycleView& view);
  void arrive(std::uint64_t cycle, std::uint32_t pe, BoxPacket packet);

  /// Messages, and the sum of their cycles of generation, for one coordinator.
  struct Combined {
    std::uint64_t messages = 0, births = 0;
    void add(BoxPacket packet);
    friend bool operator==(const Combined&, const Combined&) = default;
  };

  void enter_combined(const CycleView& view);

  Cube cube_;
  bool combining_;
  std::vector<Combined> sent_, got_;  ///< by coordinator, if messages are combined
  bool throttled_;                    ///< a synchronization message may wait beside its PE's queue
  std::uint32_t paths_;               ///< per pair
  std::uint32_t every_;  ///< order is followed for sources that are multiples of this power of 2
  std::uint64_t entered_ = 0, entered_sum_ = 0, delivered_ = 0, delivered_sum_ = 0;
  std::uint32_t releases_ = 0;           ///< release packets sent
  std::vector<std::uint32_t> copies_;    ///< release packets that each PE has got
  std::vector<std::uint32_t> arriving_;  ///< PEs that get a packet in this cycle
  std::vector<std::uint32_t> newest_;    ///< [source / every][destination][path]: order of the last
};

}  // namespace muster::esc
