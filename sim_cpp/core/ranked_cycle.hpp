// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/rank_message.hpp"
#include "muster/core/engine.hpp"

namespace muster::core {

/// The cycles of an engine whose blocks several ranks clock; docs/reference/ranks.md. At home, rank
/// 0, it carries what all blocks put on their wires, and observers see it; elsewhere only what
/// comes to blocks of that rank.
class RankedCycle {
 public:
  RankedCycle(Engine& engine, std::shared_ptr<Ranks> ranks);
  /// Home's ends the others.
  ~RankedCycle();
  RankedCycle(const RankedCycle&) = delete;
  RankedCycle& operator=(const RankedCycle&) = delete;

  // At home.
  void step();
  void run_ahead(bool may) { may_run_ahead_ = may; }
  bool interrupted() const { return interrupted_; }
  /// If home: to all ranks that serve.
  template <class... Values>
  void tell_others(Order order, const Values&... values) {
    if (line_.home()) line_.tell_others(0, order, values...);
  }
  void wake(std::uint32_t bank, std::uint32_t block);

  // In the others.
  void serve(const std::function<bool()>& interrupted);
  /// What comes from other ranks, on the wires of this cycle.
  void receive_wires();

 private:
  /// A bank of the engine whose blocks several ranks clock; those of others are home's.
  struct Part {
    Engine::Wiring* wiring = nullptr;
    SharedPart* shared = nullptr;
    std::vector<std::vector<std::uint32_t>> of_rank;  ///< blocks of this cycle, by owner
    std::vector<std::uint32_t> edge, inside;          ///< own blocks among them
    RankFailure failure;                              ///< of this cycle
  };
  /// Blocks at the edge are clocked first: others wait for what they put on wires.
  enum Place : std::uint8_t { kElsewhere, kEdge, kInside };

  void find_cuts();
  void list_blocks();
  void begin_clock();
  void clock(Place place, const std::function<void()>& meanwhile);
  template <class Clock>
  void guarded(Part& part, std::span<const std::uint32_t> blocks, Clock&& clock);
  void end_clock();

  void send_cycle(std::uint64_t cycle);
  void hear_reports();
  void hear(std::uint32_t rank, RankReader report);

  void forget_elsewhere();
  bool obey(RankReader orders);
  bool follow(Order order, SharedPart& part, std::uint32_t block, RankReader& values);
  void cycle();
  void send_wires();
  void report();

  Engine& engine_;
  HomeLine line_;
  std::vector<Part> parts_;                ///< in the order of their banks
  std::vector<std::uint32_t> owners_;      ///< rank of each block, all banks counted through
  std::vector<std::uint8_t> place_;        ///< the same way: see Place
  std::vector<CutWires> out_, in_;         ///< by the other rank
  std::vector<std::uint32_t> neighbours_;  ///< ranks but home that wires come from and lead to
  std::mutex failure_lock_;

  // At home.
  bool may_run_ahead_ = false, interrupted_ = false;

  // In the others.
  RankReader from_home_{{}};            ///< what is on home's wires in this cycle
  RankMessage message_;                 ///< under construction
  std::uint64_t sent_wires_ = 0;        ///< cycles of which neighbours have been told
  std::vector<std::uint8_t> silent_;    ///< flag of each block, see Order::kSilence
  std::vector<std::uint32_t> silence_;  ///< places of those
  RankFailure disorder_;                ///< the ranks do not do the same
  std::function<bool()> asked_to_stop_;
};

}  // namespace muster::core
