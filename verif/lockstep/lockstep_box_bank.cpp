// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_box_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "models/block_names.hpp"

namespace muster::verif {

LockstepBoxBank::LockstepBoxBank(std::unique_ptr<BoxBank> reference,
                                 std::unique_ptr<BoxBank> device, std::vector<std::uint8_t> stages)
    : BoxBank(device->config(), std::move(stages)),
      reference_(std::move(reference)),
      device_(std::move(device)),
      history_(blocks()) {}

void LockstepBoxBank::reset_blocks(std::span<const std::uint16_t> seeds) {
  reference_->reset(seeds);
  device_->reset(seeds);
  history_.assign(blocks(), {});
  settled_ = 0;
}

void LockstepBoxBank::settle() {
  for (BoxBank* bank : {reference_.get(), device_.get()}) {
    std::copy(rx_.begin(), rx_.end(), bank->rx().begin());
    bank->settle();
  }
  for (std::uint32_t k = 0; k < rx_.size(); ++k) {
    if (rx_[k] == 0) continue;
    history_[k / config_.size].add({settled_, k % config_.size, rx_[k]});
  }
  compare_ready();
  const auto ready = device_->rx_ready();
  std::copy(ready.begin(), ready.end(), rx_ready_.begin());
}

void LockstepBoxBank::compare_ready() {
  const auto want = reference_->rx_ready(), have = device_->rx_ready();
  comparisons_ += want.size();
  const auto [at, other] = std::mismatch(want.begin(), want.end(), have.begin());
  if (at == want.end()) return;
  const auto k = static_cast<std::uint32_t>(at - want.begin());
  differ(fmt::format("in cycle {}", settled_), k / config_.size,
         fmt::format("input {}: ready: golden {}, RTL {}", k % config_.size, *at, *other));
}

void LockstepBoxBank::clock(std::uint64_t cycle) {
  for (BoxBank* bank : {reference_.get(), device_.get()}) {
    std::copy(tx_ready_.begin(), tx_ready_.end(), bank->tx_ready().begin());
    bank->clock(cycle);
  }
  settled_ = cycle + 1;
  compare_edge(cycle);
  const auto tx = std::as_const(*device_).tx();
  std::copy(tx.begin(), tx.end(), tx_.begin());
}

void LockstepBoxBank::compare_edge(std::uint64_t cycle) {
  const auto when = [&] { return fmt::format("after the edge of cycle {}", cycle); };
  const auto want = std::as_const(*reference_).tx(), have = std::as_const(*device_).tx();
  comparisons_ += want.size() + blocks();
  const auto [at, other] = std::mismatch(want.begin(), want.end(), have.begin());
  if (at != want.end()) {
    const auto k = static_cast<std::uint32_t>(at - want.begin());
    differ(when(), k / config_.size,
           fmt::format("output {}: golden sends {:#018x}, RTL {:#018x}", k % config_.size, *at,
                       *other));
  }
  for (std::uint32_t b = 0; b < blocks(); ++b)
    if (reference_->quiescent(b) != device_->quiescent(b))
      differ(when(), b,
             fmt::format("quiescent: golden {}, RTL {}", reference_->quiescent(b),
                         device_->quiescent(b)));
}

void LockstepBoxBank::differ(const std::string& when, std::uint32_t b,
                             const std::string& what) const {
  report_difference(fmt::format("{}, {}, {}", when, box_name(stages_, b), what),
                    reference_->describe(b), device_->describe(b),
                    "last packets offered:" + history_[b].lines([](const Seen& s) {
                      return fmt::format("cycle {} input {}: {:#018x}", s.cycle, s.port, s.packet);
                    }));
}

std::string LockstepBoxBank::describe(std::uint32_t b) const {
  return "golden " + reference_->describe(b) + "; RTL " + device_->describe(b);
}

}  // namespace muster::verif
