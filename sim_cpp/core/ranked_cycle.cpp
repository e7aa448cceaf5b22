// SPDX-License-Identifier: Apache-2.0
#include "core/ranked_cycle.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "muster/core/divisible.hpp"
#include "muster/core/error.hpp"

// What all ranks do, and home's cycle. That of the others: ranked_service.cpp.
namespace muster::core {

RankedCycle::RankedCycle(Engine& engine, std::shared_ptr<Ranks> ranks)
    : engine_(engine), line_(std::move(ranks)) {
  const std::uint32_t count = line_.ranks().count();
  for (std::uint32_t bank = 0; bank < engine_.wirings_.size(); ++bank) {
    Part& part = parts_.emplace_back();
    part.shared = dynamic_cast<SharedPart*>(engine_.wirings_[bank].bank.get());
    if (part.shared != nullptr) part.shared->join(line_, bank);
    part.place.assign(engine_.wirings_[bank].blocks, kElsewhere);
    part.of_rank.resize(count);
    for (std::uint32_t b = 0; b < part.place.size(); ++b) {
      if (owner(bank, b) == line_.rank()) part.place[b] = kInside;
      part.of_rank[owner(bank, b)].push_back(b);
    }
  }
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

RankedCycle::~RankedCycle() {
  if (line_.home()) line_.end();
}

std::uint32_t RankedCycle::owner(std::uint32_t bank, std::uint32_t block) const {
  const SharedPart* const shared = parts_[bank].shared;
  return shared == nullptr ? 0 : shared->owners()[block];
}

/// Home needs no wires into it: it hears the outputs of all blocks.
void RankedCycle::find_cuts() {
  std::vector<std::uint32_t> owners(engine_.awake_.size());
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank)
    for (std::uint32_t b = 0; b < parts_[bank].place.size(); ++b)
      owners[engine_.wirings_[bank].first_block + b] = owner(bank, b);
  const std::uint32_t here = line_.rank(), count = line_.ranks().count();
  out_.resize(count);
  in_.resize(count);
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    const Engine::Wiring& wiring = engine_.wirings_[bank];
    for (std::uint32_t b = 0; b < wiring.blocks; ++b) {
      const std::uint32_t from = owner(bank, b);
      CutWires::Begin begin{
          bank, b, 0, 0, &wiring.wires[b], &wiring.tx[std::size_t{b} * wiring.ports]};
      const auto cut = [&](std::uint32_t to, std::uint32_t flits, std::uint64_t credits) {
        if (from == to || to == 0 || (from != here && to != here)) return;
        std::vector<CutWires::Begin>& begins = (from == here ? out_[to] : in_[from]).begins;
        if (begins.empty() || begins.back().bank != bank || begins.back().block != b)
          begins.push_back(begin);
        begins.back().flits |= flits;
        begins.back().credits |= credits;
        if (from == here) parts_[bank].place[b] = kEdge;
      };
      for (std::uint32_t p = 0; p < wiring.ports; ++p) {
        const std::size_t at = std::size_t{b} * wiring.ports + p;
        if (wiring.forward[at].path != Engine::Path::kOpen)
          cut(owners[wiring.forward[at].block], 1u << p, 0);
        if (wiring.backward[at].path != Engine::Path::kOpen)
          cut(owners[wiring.backward[at].block], 0, std::uint64_t{15} << 4 * p);
      }
    }
  }
  for (std::uint32_t r = 1; r < count; ++r)
    if (!in_[r].begins.empty()) neighbours_.push_back(r);
}

/// The awake blocks of this rank, and of others.
void RankedCycle::list_blocks() {
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    Part& part = parts_[bank];
    if (part.shared == nullptr) continue;
    part.edge.clear();
    part.inside.clear();
    for (std::vector<std::uint32_t>& blocks : part.of_rank) blocks.clear();
    for (const std::uint32_t b : engine_.wirings_[bank].awake()) {
      part.of_rank[part.shared->owners()[b]].push_back(b);
      if (part.place[b] != kElsewhere)
        (part.place[b] == kEdge ? part.edge : part.inside).push_back(b);
    }
  }
}

/// A bank that cannot be divided is clocked when its edge is.
void RankedCycle::begin_clock() {
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank)
    if (parts_[bank].shared != nullptr)
      if (Divisible* const divisible = engine_.bank(bank).divisible())
        divisible->begin_clock(engine_.cycle_, engine_.wirings_[bank].awake());
}

void RankedCycle::clock(Place place, const std::function<void()>& meanwhile) {
  const std::uint64_t cycle = engine_.cycle_;
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    Part& part = parts_[bank];
    if (part.shared == nullptr) continue;
    Divisible* const divisible = engine_.bank(bank).divisible();
    if (divisible == nullptr) {
      if (place != kEdge) continue;
      meanwhile();
      guarded(part, engine_.wirings_[bank].awake(),
              [&](auto awake) { engine_.bank(bank).clock(cycle, awake); });
      continue;
    }
    engine_.in_pieces(
        place == kEdge ? part.edge : part.inside,
        [&](std::span<const std::uint32_t> some) {
          guarded(part, some, [&](auto blocks) { divisible->clock_some(cycle, blocks); });
          if (engine_.threads_ == nullptr) line_.ranks().progress();
        },
        meanwhile);
  }
}

/// Of several failures in one cycle the one with the lowest block is reported, which one process
/// comes to first.
template <class Clock>
void RankedCycle::guarded(Part& part, std::span<const std::uint32_t> blocks, Clock&& clock) {
  try {
    clock(blocks);
  } catch (const InternalError& error) {
    const std::lock_guard lock(failure_lock_);
    part.failure.keep(error, blocks.empty() ? 0 : blocks.front());
  }
}

void RankedCycle::end_clock() {
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    if (parts_[bank].shared == nullptr) continue;
    if (Divisible* const divisible = engine_.bank(bank).divisible())
      divisible->end_clock(engine_.cycle_);
  }
}

void RankedCycle::wake(std::uint32_t bank, std::uint32_t block) {
  if (line_.home() && owner(bank, block) != 0)
    line_.tell(owner(bank, block), Order::kWake, bank, block);
}

void RankedCycle::send_cycle(std::uint64_t cycle) {
  line_.send_cycle(cycle, [&](std::uint32_t to, RankMessage& message) { out_[to].put(message); });
}

/// First what others wait for, and nodes; then the next cycle is sent to them, if it may be.
void RankedCycle::step() {
  const std::uint64_t cycle = engine_.cycle_;
  if (line_.over())
    throw InternalError("cycle " + std::to_string(cycle) +
                        ": a block was read or changed while other ranks had begun it");
  if (!line_.ahead()) {
    for (const Part& part : parts_)
      if (part.shared != nullptr) part.shared->tell_given();
    send_cycle(cycle);
  }
  line_.begin_cycle();
  engine_.carry_cycle();
  list_blocks();
  begin_clock();
  bool observed = false;
  const auto observe = [&] {
    if (!std::exchange(observed, true)) engine_.observe();
  };
  clock(kEdge, observe);
  observe();
  std::exception_ptr home_failure;
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    if (parts_[bank].shared != nullptr) continue;
    try {
      engine_.clock(engine_.wirings_[bank], [] {});
    } catch (...) {
      if (!home_failure) home_failure = std::current_exception();
    }
  }
  const bool failed = engine_.breach_ || home_failure ||
                      std::any_of(parts_.begin(), parts_.end(),
                                  [](const Part& part) { return part.failure.happened(); });
  if (may_run_ahead_ && !failed) send_cycle(cycle + 1);
  clock(kInside, [] {});
  end_clock();
  hear_reports();
  for (Engine::Wiring& wiring : engine_.wirings_) engine_.after_clock(wiring);
  if (engine_.breach_) std::rethrow_exception(std::exchange(engine_.breach_, nullptr));
  for (Part& part : parts_) std::exchange(part.failure, {}).raise();
  if (home_failure) std::rethrow_exception(home_failure);
  ++engine_.cycle_;
}

/// Of all ranks, whatever the first of them says.
void RankedCycle::hear_reports() {
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
void RankedCycle::hear(std::uint32_t rank, RankReader report) {
  RankFailure::get(report).raise();
  interrupted_ |= report.get<bool>();
  const bool same_cycle = report.get<std::uint64_t>() == engine_.cycle_;
  for (Part& part : parts_) {
    if (part.shared == nullptr) continue;
    const std::vector<std::uint32_t>& blocks = part.of_rank[rank];
    if (report.get<std::size_t>() != blocks.size() || !same_cycle)
      throw InternalError("cycle " + std::to_string(engine_.cycle_) + ": rank " +
                          std::to_string(rank) +
                          " has clocked other blocks than rank 0 expects; they must be one "
                          "program");
    part.failure.keep(RankFailure::get(report));
    part.shared->compared_by(rank, report.get<std::uint64_t>());
    part.shared->get_outputs(blocks, report);
  }
}

void Engine::share(std::shared_ptr<Ranks> ranks) {
  if (ranks->rank() != 0) observers_.clear();
  ranked_ = std::make_unique<RankedCycle>(*this, std::move(ranks));
}
void Engine::serve(const std::function<bool()>& interrupted) { ranked_->serve(interrupted); }
bool Engine::interrupted_elsewhere() const { return ranked_ && ranked_->interrupted(); }
void Engine::run_ahead(bool may) {
  if (ranked_) ranked_->run_ahead(may);
}
void Engine::wake_elsewhere(std::uint32_t bank, std::uint32_t block) const {
  ranked_->wake(bank, block);
}

}  // namespace muster::core
