// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <mutex>

#include "core/parallel.hpp"
#include "core/rank_message.hpp"
#include "muster/core/engine.hpp"

namespace muster::core {

/// The cycles of an engine whose blocks several ranks clock; docs/reference/ranks.md. At home, rank
/// 0, it carries what all blocks put on their wires, and observers see it; elsewhere only what
/// comes to blocks of that rank.
class RankedCycle {
 public:
  RankedCycle(Engine& engine, std::shared_ptr<Ranks> ranks)
      : engine_(engine), line_(std::move(ranks)) {
    owners_.assign(engine_.awake_.size(), 0);
    for (std::uint32_t bank = 0; bank < engine_.wirings_.size(); ++bank) {
      Engine::Wiring& wiring = engine_.wirings_[bank];
      SharedPart* const shared = wiring.bank->shared();
      if (shared == nullptr) continue;
      shared->join(line_, bank);
      Part& part = parts_.emplace_back();
      part.wiring = &wiring;
      part.shared = shared;
      part.of_rank.resize(line_.ranks().count());
      for (std::uint32_t b = 0; b < wiring.blocks; ++b) {
        owners_[wiring.first_block + b] = shared->owners()[b];
        part.of_rank[shared->owners()[b]].push_back(b);
      }
    }
    for (const std::uint32_t owner : owners_)
      place_.push_back(owner == line_.rank() ? kInside : kElsewhere);
    find_cuts();
    // What is told here is of before the first cycle.
    if (!line_.home()) {
      forget_elsewhere();
      report();
      send_wires();
      return;
    }
    try {
      hear_reports();
    } catch (const InternalError&) {
      line_.end();
      throw;
    }
  }
  /// Home's ends the others.
  ~RankedCycle() {
    if (line_.home()) line_.end();
  }
  RankedCycle(const RankedCycle&) = delete;
  RankedCycle& operator=(const RankedCycle&) = delete;

  // At home.
  /// First what others wait for, and nodes; then the next cycle is sent to them, if it may be.
  void step() {
    const std::uint64_t cycle = engine_.cycle_;
    if (line_.over())
      throw InternalError("cycle {}: a block was read or changed while other ranks had begun it",
                          cycle);
    if (!line_.ahead()) {
      for (const Part& part : parts_) part.shared->tell_given();
      send_cycle(cycle);
    }
    line_.begin_cycle();
    carry();
    list_blocks();
    begin_clock();
    bool observed = false;
    const auto observe = [&] {
      if (!std::exchange(observed, true)) engine_.observe();
    };
    clock(kEdge, observe);
    observe();
    for (Engine::Wiring& wiring : engine_.wirings_)
      if (wiring.bank->shared() == nullptr) engine_.clock({&wiring, 1}, false);
    const bool failed =
        engine_.breach_ || engine_.failure_ ||
        std::ranges::any_of(parts_, [](const Part& part) { return part.failure.happened(); });
    if (may_run_ahead_ && !failed) send_cycle(cycle + 1);
    clock(kInside, [] {});
    end_clock();
    hear_reports();
    after_clock();
    if (engine_.breach_) std::rethrow_exception(std::exchange(engine_.breach_, nullptr));
    for (Part& part : parts_) std::exchange(part.failure, {}).raise();
    if (engine_.failure_) std::rethrow_exception(std::exchange(engine_.failure_, nullptr));
    ++engine_.cycle_;
  }
  void run_ahead(bool may) { may_run_ahead_ = may; }
  bool interrupted() const { return interrupted_; }
  /// If home: to all ranks that serve.
  template <class... Values>
  void tell_others(Order order, const Values&... values) {
    if (line_.home()) line_.tell_others(0, order, values...);
  }
  void wake(std::uint32_t bank, std::uint32_t block) {
    const std::uint32_t owner = owners_[engine_.wirings_[bank].first_block + block];
    if (line_.home() && owner != 0) line_.tell(owner, Order::kWake, bank, block);
  }

  // In the others.
  void serve(const std::function<bool()>& interrupted) {
    asked_to_stop_ = interrupted;
    while (obey(RankReader(line_.ranks().receive(0)))) {
    }
    for (const std::uint32_t r : neighbours_)
      line_.ranks().receive(r);  // of a cycle that no rank clocks
  }
  /// What comes from other ranks, on the wires of this cycle.
  void receive_wires() {
    if (line_.home()) return;
    const auto same = [&](std::uint32_t from, std::uint64_t cycle) {
      if (cycle == engine_.cycle_) return;
      throw InternalError(
          "rank {} is in cycle {} and rank {} in cycle {}; they must be one program", line_.rank(),
          engine_.cycle_, from, cycle);
    };
    const auto arrive = [&](std::uint32_t from, RankReader& message) {
      same(from, message.get<std::uint64_t>());
      const auto wire = [&](std::vector<Engine::Wire> Engine::Wiring::*wires,
                            const CutWires::Begin& begin, std::uint32_t port) -> Engine::Wire* {
        Engine::Wiring& wiring = engine_.wirings_[begin.bank];
        const std::uint32_t place = wiring.first_block + begin.block;
        if (engine_.dead_[place] || silent_[place]) return nullptr;
        return &(wiring.*wires)[std::size_t{begin.row} * wiring.ports + port];
      };
      in_[from].get(
          message,
          [&](const CutWires::Begin& begin, std::uint32_t port, const Flit& flit) {
            if (const auto* const to = wire(&Engine::Wiring::forward, begin, port))
              engine_.arrive(*to, flit);
          },
          [&](const CutWires::Begin& begin, std::uint32_t port, std::uint8_t credits) {
            if (const auto* const to = wire(&Engine::Wiring::backward, begin, port))
              engine_.arrive(*to, credits);
          });
    };
    arrive(0, from_home_);
    for (const std::uint32_t r : neighbours_) {
      RankReader message(line_.ranks().receive(r));
      arrive(r, message);
    }
  }

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

  /// Home needs no wires into it: it hears the outputs of all blocks.
  void find_cuts() {
    const std::uint32_t here = line_.rank(), count = line_.ranks().count();
    out_.resize(count);
    in_.resize(count);
    for (std::uint32_t bank = 0; bank < engine_.wirings_.size(); ++bank) {
      const Engine::Wiring& wiring = engine_.wirings_[bank];
      for (std::uint32_t row = 0; row < wiring.blocks * wiring.rows; ++row) {
        const std::uint32_t b = row / wiring.rows, place = wiring.first_block + b;
        const std::uint32_t from = owners_[place];
        const CutWires::Begin begin{
            bank, b, row, 0, 0, &wiring.wires[row], &wiring.tx[std::size_t{row} * wiring.ports]};
        const auto cut = [&](const Engine::Wire& wire, std::uint32_t flits, std::uint64_t credits) {
          if (wire.path == Engine::Path::kOpen) return;
          const std::uint32_t to = owners_[wire.block];
          if (from == to || to == 0 || (from != here && to != here)) return;
          std::vector<CutWires::Begin>& begins = (from == here ? out_[to] : in_[from]).begins;
          if (begins.empty() || begins.back().bank != bank || begins.back().row != row)
            begins.push_back(begin);
          begins.back().flits |= flits;
          begins.back().credits |= credits;
          if (from == here) place_[place] = kEdge;
        };
        for (std::uint32_t p = 0; p < wiring.ports; ++p) {
          const std::size_t at = std::size_t{row} * wiring.ports + p;
          cut(wiring.forward[at], 1u << p, 0);
          cut(wiring.backward[at], 0, std::uint64_t{15} << 4 * p);
        }
      }
    }
    for (std::uint32_t r = 1; r < count; ++r)
      if (!in_[r].begins.empty()) neighbours_.push_back(r);
  }
  void carry() {
    engine_.carry();
    engine_.carry_into(engine_.partitions_.front());
  }
  void after_clock() {
    for (const Part& part : parts_) {
      for (std::uint32_t p = 0; p < part.wiring->pieces.size(); ++p)
        engine_.settle(*part.wiring, p);
      engine_.after_clock(*part.wiring);
    }
  }
  /// The awake blocks of this rank, and of others.
  void list_blocks() {
    for (Part& part : parts_) {
      part.edge.clear();
      part.inside.clear();
      for (std::vector<std::uint32_t>& blocks : part.of_rank) blocks.clear();
      for (const std::uint32_t b : part.wiring->undivided()) {
        part.of_rank[part.shared->owners()[b]].push_back(b);
        const std::uint8_t place = place_[part.wiring->first_block + b];
        if (place != kElsewhere) (place == kEdge ? part.edge : part.inside).push_back(b);
      }
    }
  }
  /// A bank that cannot be divided is clocked when its edge is.
  void begin_clock() {
    for (const Part& part : parts_) {
      Divisible* const divisible = part.wiring->bank->divisible();
      if (divisible == nullptr) continue;
      part.shared->give_inputs(part.wiring->undivided());
      divisible->begin_clock(engine_.cycle_);
    }
  }
  /// Blocks of a bank, in pieces.
  struct PartWork final : ThreadWork {
    PartWork(RankedCycle& of, Part& its, Place place, const std::function<void()>& beside)
        : cycle(of),
          part(its),
          blocks(place == kEdge ? its.edge : its.inside),
          alongside(beside),
          pieces((blocks.size() + kFlags - 1) / kFlags),
          shares(of.engine_.threaded_ ? of.engine_.threads_->threads() : 1) {}
    std::size_t first_of(std::size_t share) const { return share * pieces / shares; }
    void meanwhile() override { alongside(); }
    void piece(std::size_t share, std::uint32_t number) override {
      const std::size_t first = (first_of(share) + number) * kFlags;
      const std::size_t count = std::min<std::size_t>(kFlags, blocks.size() - first);
      cycle.guarded(part, blocks.subspan(first, count), [&](auto some) {
        part.wiring->bank->divisible()->clock_some(cycle.engine_.cycle_, some);
      });
      if (cycle.engine_.threads_ == nullptr) cycle.line_.ranks().progress();
    }
    RankedCycle& cycle;
    Part& part;
    std::span<const std::uint32_t> blocks;
    const std::function<void()>& alongside;
    std::size_t pieces, shares;
  };
  void clock(Place place, const std::function<void()>& meanwhile) {
    for (Part& part : parts_) {
      Bank& bank = *part.wiring->bank;
      if (bank.divisible() == nullptr) {
        if (place != kEdge) continue;
        meanwhile();
        guarded(part, part.wiring->undivided(),
                [&](auto awake) { bank.clock(engine_.cycle_, awake); });
        continue;
      }
      PartWork work(*this, part, place, meanwhile);
      engine_.shares_.clear();
      for (std::size_t share = 0; share < work.shares; ++share)
        engine_.shares_.push_back(
            static_cast<std::uint32_t>(work.first_of(share + 1) - work.first_of(share)));
      engine_.do_work(engine_.threaded_, work);
    }
  }
  /// Of several failures in one cycle the one with the lowest block is reported, which one process
  /// comes to first.
  template <class Clock>
  void guarded(Part& part, std::span<const std::uint32_t> blocks, Clock&& clock) {
    try {
      clock(blocks);
    } catch (const InternalError& error) {
      const std::lock_guard lock(failure_lock_);
      part.failure.keep(error, blocks.empty() ? 0 : blocks.front());
    } catch (...) {
      const std::lock_guard lock(failure_lock_);
      engine_.failure_ = std::current_exception();
    }
  }
  void end_clock() {
    for (const Part& part : parts_)
      if (Divisible* const divisible = part.wiring->bank->divisible())
        divisible->end_clock(engine_.cycle_);
  }

  void send_cycle(std::uint64_t cycle) {
    line_.send_cycle(cycle, [&](std::uint32_t to, RankMessage& message) { out_[to].put(message); });
  }
  /// Of all ranks, whatever the first of them says.
  void hear_reports() {
    std::exception_ptr disorder;
    for (std::uint32_t r = 1; r < out_.size(); ++r) {
      try {
        hear(r, RankReader(line_.ranks().receive(r)));
      } catch (const InternalError&) {
        if (!disorder) disorder = std::current_exception();
      }
    }
    if (disorder) std::rethrow_exception(disorder);
  }
  /// A rank that has not clocked the same blocks in the same cycle is not doing the same.
  void hear(std::uint32_t rank, RankReader report) {
    RankFailure::get(report).raise();
    interrupted_ |= report.get<bool>();
    const bool same_cycle = report.get<std::uint64_t>() == engine_.cycle_;
    for (Part& part : parts_) {
      const std::vector<std::uint32_t>& blocks = part.of_rank[rank];
      if (report.get<std::size_t>() != blocks.size() || !same_cycle)
        throw InternalError(
            "cycle {}: rank {} has clocked other blocks than rank 0 expects; they must be one "
            "program",
            engine_.cycle_, rank);
      part.failure.keep(RankFailure::get(report));
      part.shared->compared_by(rank, report.get<std::uint64_t>());
      part.shared->get_outputs(blocks, report);
    }
  }

  /// Blocks of other ranks are never awake here, and what goes to them is sent.
  void forget_elsewhere() {
    silent_.resize(engine_.awake_.size(), 0);
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i] == kElsewhere) engine_.awake_[i] = 0;
    for (Engine::Wiring& wiring : engine_.wirings_) {
      for (std::size_t at = 0; at < wiring.forward.size(); ++at) {
        if (place_[wiring.first_block + at / wiring.place(1, 0)] == kElsewhere) continue;
        for (Engine::Wire* const wire : {&wiring.forward[at], &wiring.backward[at]})
          if (place_[wire->block] == kElsewhere) wire->path = Engine::Path::kStopped;
      }
    }
  }
  /// Follows the orders of a message; false if the run is over.
  bool obey(RankReader orders) {
    for (;;) {
      const auto order = orders.get<Order>();
      if (order == Order::kEnd) return false;
      if (order == Order::kCycle) {
        from_home_ = orders;
        cycle();
        return true;
      }
      if (order == Order::kStop) {
        const auto channel = orders.get<ChannelId>();
        const auto flits = orders.get<bool>();
        engine_.stop_channel(channel, flits, orders.get<bool>());
        continue;
      }
      const auto bank = orders.get<std::uint32_t>();
      const auto block = orders.get<std::uint32_t>();
      if (order == Order::kKill) {
        engine_.kill(bank, block);
      } else if (order == Order::kWake) {
        engine_.wake(bank, block);
      } else if (order == Order::kSilence) {
        silence_.push_back(engine_.wirings_[bank].first_block + block);
        silent_[silence_.back()] = 1;
      } else if (follow(order, *engine_.bank(bank).shared(), block, orders)) {
        return true;
      }
    }
  }
  /// True if it has answered, which ends a message.
  bool follow(Order order, SharedPart& part, std::uint32_t block, RankReader& values) {
    const bool asked = order >= Order::kWrite;
    const std::uint64_t compared = part.compared_here();
    RankMessage answer;
    RankFailure failure;
    try {
      part.obey(order, block, values, answer);
    } catch (const InternalError& error) {
      answer.clear();
      (asked ? failure : disorder_).keep(error, block);
    }
    if (!asked) return false;
    message_.clear();
    failure.put(message_);
    message_.put(part.compared_here() - compared);
    message_.put(answer);
    line_.ranks().send(0, message_.bytes());
    return true;
  }
  void cycle() {
    try {
      carry();
    } catch (const InternalError& error) {
      disorder_.keep(error, 0);
    }
    for (const std::uint32_t place : silence_) silent_[place] = 0;
    silence_.clear();
    list_blocks();
    begin_clock();
    clock(kEdge, [] {});
    send_wires();
    clock(kInside, [] {});
    end_clock();
    report();
    after_clock();
    ++engine_.cycle_;
  }
  /// Of the next cycle, to the neighbours.
  void send_wires() {
    const std::uint64_t cycle = sent_wires_++;
    for (const std::uint32_t r : neighbours_) {
      message_.clear();
      message_.put(cycle);
      out_[r].put(message_);
      line_.ranks().send(r, message_.bytes());
    }
  }
  /// To home: the outputs of the blocks that were clocked, or why there are none.
  void report() {
    message_.clear();
    std::exchange(disorder_, {}).put(message_);
    message_.put(asked_to_stop_ && asked_to_stop_());
    message_.put(engine_.cycle_);
    for (Part& part : parts_) {
      const std::vector<std::uint32_t>& blocks = part.of_rank[line_.rank()];
      message_.put(blocks.size());
      std::exchange(part.failure, {}).put(message_);
      message_.put(part.shared->compared_here());
      part.shared->put_outputs(blocks, message_);
    }
    line_.ranks().send(0, message_.bytes());
  }

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
