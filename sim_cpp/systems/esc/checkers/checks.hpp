// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/faults.hpp"
#include "systems/esc/sources.hpp"
#include "systems/esc/spec.hpp"

namespace muster::esc {

/// Packets in, less packets out, of every box: never negative, never more than n S, zero when the
/// network has been drained; and a box holds one if and only if it shows one at an output. A
/// broadcast counts n. Synchronization messages that are combined are counted as messages, apart.
class ConservationCheck final : public Check {
 public:
  explicit ConservationCheck(const Spec& spec);
  std::string name() const override { return "conservation"; }
  void start(const SessionPlan& plan) override;
  void observe(const CycleView& view) override;
  void finish() override;

 private:
  template <std::uint32_t N>
  void count(const CycleView& view);
  void count_messages(const CycleView& view);
  std::int32_t copies(const CycleView& view, std::uint32_t b) const;
  unsigned stage(std::uint32_t b) const { return last_stage_ + b / boxes_per_stage_; }

  std::uint32_t n_;
  std::int32_t capacity_;
  std::uint32_t boxes_per_stage_;
  unsigned last_stage_;
  std::uint64_t cycle_ = 0;
  bool combining_;
  std::vector<std::int32_t> held_;      ///< by block; none that are combined
  std::vector<std::int32_t> messages_;  ///< by block: combined synchronization messages
};

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

/// What the policies promise of the reserved boxes, those of stages m - 1 .. 1 whose links have
/// digit 0 = 0 (sections 4.2 to 4.4), for packets that left their PE's queue while its own flag was
/// set: under isolated background none enters one; under isolated hot spot only those for the PE's
/// hot spot; under hot section only those, and those for another section from input 0. And all
/// synchronization messages do. With a fault, what has no other way is exempt. The links into stage
/// m - 1 are watched: no later stage changes digit 0.
class PurityCheck final : public Check {
 public:
  explicit PurityCheck(const Spec& spec);
  std::string name() const override { return "purity"; }
  void start(const SessionPlan& plan) override;
  void observe(const CycleView& view) override;

 private:
  /// A queue is FIFO, so what left it under the flag is an interval of cycles of generation.
  struct Flagged {
    std::uint64_t from = kNever, to = 0;
  };
  bool allowed(BoxPacket packet) const;
  bool has_no_other_way(BoxPacket packet) const;

  Cube cube_;
  InputPolicy policy_;
  std::uint32_t section_mask_;
  FaultRouting routing_;
  std::vector<std::uint32_t> places_;  ///< rx of stage m - 1, by link; none if m = 1
  std::vector<Flagged> flagged_;       ///< background of each PE
  SessionPlan plan_;
};

}  // namespace muster::esc
