// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/thread_pool.hpp"
#include "muster/core/divisible.hpp"
#include "muster/core/engine.hpp"

// The edge of a cycle, by one thread or several (docs/reference/performance.md, Threads).
namespace muster::core {

/// Breaches wait until the first bank is clocked, which other threads may have begun.
void Engine::observe() {
  try {
    for (Observer* observer : observers_)
      observer->observe(cycle_, {flit_events_.data(), flit_count_},
                        {credit_events_.data(), credit_count_});
  } catch (...) {
    breach_ = std::current_exception();
  }
}

/// In pieces of so many blocks, whatever threads there are, so that of several failures it is
/// always the same that is reported.
void Engine::in_pieces(std::span<const std::uint32_t> blocks, const Piece& clock,
                       const std::function<void()>& meanwhile) {
  constexpr std::size_t kPiece = 16;
  const std::size_t pieces = (blocks.size() + kPiece - 1) / kPiece;
  const auto piece = [&](std::size_t i) {
    const std::size_t first = i * kPiece;
    clock(blocks.subspan(first, std::min(kPiece, blocks.size() - first)));
  };
  if (threads_ != nullptr && pieces > 1) return threads_->run(pieces, piece, meanwhile);
  meanwhile();
  std::exception_ptr failure;
  for (std::size_t i = 0; i < pieces; ++i) {
    try {
      piece(i);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void Engine::clock(Wiring& wiring, const std::function<void()>& meanwhile) {
  if (Divisible* const bank = wiring.bank->divisible(); bank != nullptr) {
    bank->begin_clock(cycle_, wiring.awake());
    in_pieces(
        wiring.awake(),
        [&](std::span<const std::uint32_t> some) { bank->clock_some(cycle_, some); }, meanwhile);
    bank->end_clock(cycle_);
  } else {
    meanwhile();
    wiring.bank->clock(cycle_, wiring.awake());
  }
}

void Engine::after_clock(Wiring& wiring) {
  wiring.clocked += wiring.awake().size();
  for (const std::uint32_t block : wiring.dead) wiring.wires[block] = {};
  if (skip_) look_who_is_awake(wiring);
}

void Engine::look_who_is_awake(Wiring& wiring) {
  std::uint8_t* const awake = awake_.data() + wiring.first_block;
  const std::uint8_t* const quiescent = wiring.bank->quiescent().data();
  for (const std::uint32_t block : wiring.awake()) awake[block] = quiescent[block] == 0;
  for (const std::uint32_t block : wiring.bank->woken())
    awake_[wiring.first_block + block] = !dead_[wiring.first_block + block];
}
}  // namespace muster::core
