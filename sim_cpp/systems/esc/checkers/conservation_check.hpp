// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/esc/scheme/cycle_view.hpp"
#include "systems/esc/scheme/spec.hpp"

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

}  // namespace muster::esc
