// SPDX-License-Identifier: Apache-2.0
#include "core/delay_pipes.hpp"

#include <fmt/format.h>

#include <bit>

namespace muster::core {

DelayPipes::DelayPipes(std::uint32_t pipes, std::uint32_t vcs, std::uint32_t depth,
                       std::uint32_t delay)
    : Bank(pipes, 1), vcs_(vcs), delay_(delay), pipes_(pipes) {
  for (Pipe& pipe : pipes_) pipe.credits.fill(depth);
}

void DelayPipes::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t block : awake) {
    BlockWires& w = wires_[block];
    Pipe& pipe = pipes_[block];
    for (std::uint64_t back = w.tx_back; back != 0; back &= back - 1)
      ++pipe.credits[static_cast<unsigned>(std::countr_zero(back))];
    if (w.rx_valid != 0) {
      const Flit& flit = rx(block, 0);
      pipe.queue[flit.vc].push_back({cycle + delay_, flit});
      ++pipe.owed[flit.vc];
    }
    w = {};
    send(cycle, block);
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      if (pipe.owed[v] == 0 || pipe.queue[v].size() >= delay_ + pipe.owed[v]) continue;
      --pipe.owed[v];
      w.rx_back |= std::uint64_t{1} << v;
    }
    quiescent_[block] = w.tx_valid == 0 && w.rx_back == 0 && empty(pipe);
  }
}

/// The flit that has waited longest among those that are due and have a credit.
void DelayPipes::send(std::uint64_t cycle, std::uint32_t block) {
  Pipe& pipe = pipes_[block];
  std::deque<Held>* oldest = nullptr;
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    std::deque<Held>& queue = pipe.queue[v];
    if (queue.empty() || queue.front().due > cycle + 1 || pipe.credits[v] == 0) continue;
    if (oldest == nullptr || queue.front().due < oldest->front().due) oldest = &queue;
  }
  if (oldest == nullptr) return;
  const Flit flit = oldest->front().flit;
  oldest->pop_front();
  --pipe.credits[flit.vc];
  tx(block, 0) = flit;
  wires_[block].tx_valid = 1;
}

bool DelayPipes::empty(const Pipe& pipe) const {
  for (std::uint32_t v = 0; v < vcs_; ++v)
    if (!pipe.queue[v].empty() || pipe.owed[v] != 0) return false;
  return true;
}

std::string DelayPipes::describe(std::uint32_t block) const {
  const Pipe& pipe = pipes_[block];
  std::string text = fmt::format("pipe {} of {} cycles: flits, credits", block, delay_);
  for (std::uint32_t v = 0; v < vcs_; ++v)
    text += fmt::format(" {},{}", pipe.queue[v].size(), pipe.credits[v]);
  return text;
}

}  // namespace muster::core
