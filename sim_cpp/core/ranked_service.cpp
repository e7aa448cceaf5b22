// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "core/ranked_cycle.hpp"
#include "muster/core/error.hpp"

// The cycle of a rank that serves home: what it does is what home orders.
namespace muster::core {

/// Blocks of other ranks are never awake here, and what goes to them is sent.
void RankedCycle::forget_elsewhere() {
  silent_.resize(engine_.awake_.size(), 0);
  std::vector<std::uint8_t> here(engine_.awake_.size(), 0);
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank) {
    const std::uint32_t first = engine_.wirings_[bank].first_block;
    for (std::uint32_t b = 0; b < parts_[bank].place.size(); ++b)
      here[first + b] = parts_[bank].place[b] != kElsewhere;
  }
  for (std::size_t i = 0; i < here.size(); ++i)
    if (!here[i]) engine_.awake_[i] = 0;
  for (Engine::Wiring& wiring : engine_.wirings_) {
    for (std::size_t at = 0; at < wiring.forward.size(); ++at) {
      if (!here[wiring.first_block + at / wiring.ports]) continue;
      for (Engine::Wire* const wire : {&wiring.forward[at], &wiring.backward[at]})
        if (!here[wire->block]) wire->path = Engine::Path::kStopped;
    }
  }
}

void RankedCycle::serve(const std::function<bool()>& interrupted) {
  asked_to_stop_ = interrupted;
  while (obey(RankReader(line_.ranks().receive(0)))) {
  }
  for (const std::uint32_t r : neighbours_) line_.ranks().receive(r);  // of a cycle that is none
}

/// Follows the orders of a message; false if the run is over.
bool RankedCycle::obey(RankReader orders) {
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
    } else if (follow(order, *parts_[bank].shared, block, orders)) {
      return true;
    }
  }
}

/// True if it has answered, which ends a message.
bool RankedCycle::follow(Order order, SharedPart& part, std::uint32_t block, RankReader& values) {
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

void RankedCycle::cycle() {
  try {
    engine_.carry_cycle();
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
  for (std::uint32_t bank = 0; bank < parts_.size(); ++bank)
    if (parts_[bank].shared != nullptr) engine_.after_clock(engine_.wirings_[bank]);
  ++engine_.cycle_;
}

void RankedCycle::receive_wires() {
  if (line_.home()) return;
  const auto same = [&](std::uint32_t from, std::uint64_t cycle) {
    if (cycle == engine_.cycle_) return;
    throw InternalError("rank " + std::to_string(line_.rank()) + " is in cycle " +
                        std::to_string(engine_.cycle_) + " and rank " + std::to_string(from) +
                        " in cycle " + std::to_string(cycle) + "; they must be one program");
  };
  const auto arrive = [&](std::uint32_t from, RankReader& message) {
    same(from, message.get<std::uint64_t>());
    const auto wire = [&](std::vector<Engine::Wire> Engine::Wiring::*wires,
                          const CutWires::Begin& begin, std::uint32_t port) -> Engine::Wire* {
      Engine::Wiring& wiring = engine_.wirings_[begin.bank];
      const std::uint32_t place = wiring.first_block + begin.block;
      if (engine_.dead_[place] || silent_[place]) return nullptr;
      return &(wiring.*wires)[std::size_t{begin.block} * wiring.ports + port];
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

/// Of the next cycle, to the neighbours.
void RankedCycle::send_wires() {
  const std::uint64_t cycle = sent_wires_++;
  for (const std::uint32_t r : neighbours_) {
    message_.clear();
    message_.put(cycle);
    out_[r].put(message_);
    line_.ranks().send(r, message_.bytes());
  }
}

/// To home: the outputs of the blocks that were clocked, or why there are none.
void RankedCycle::report() {
  message_.clear();
  std::exchange(disorder_, {}).put(message_);
  message_.put(asked_to_stop_ && asked_to_stop_());
  message_.put(engine_.cycle_);
  for (Part& part : parts_) {
    if (part.shared == nullptr) continue;
    const std::vector<std::uint32_t>& blocks = part.of_rank[line_.rank()];
    message_.put(blocks.size());
    std::exchange(part.failure, {}).put(message_);
    message_.put(part.shared->compared_here());
    part.shared->put_outputs(blocks, message_);
  }
  line_.ranks().send(0, message_.bytes());
}

}  // namespace muster::core
