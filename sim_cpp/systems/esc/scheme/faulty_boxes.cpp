// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/faulty_boxes.hpp"

#include <algorithm>
#include <utility>

namespace muster::esc {
namespace {

/// Ports of the bank, [block * n + port], whose wires lead nowhere.
struct DeadPorts {
  std::vector<std::size_t> rx, tx;
};

class FaultyBank final : public BoxBank {
 public:
  FaultyBank(std::unique_ptr<BoxBank> inside, std::vector<std::uint8_t> stages, DeadPorts dead)
      : BoxBank(inside->config(), std::move(stages)),
        inside_(std::move(inside)),
        dead_(std::move(dead)) {}

  void settle() override {
    std::copy(rx_.begin(), rx_.end(), inside_->rx().begin());
    for (const std::size_t port : dead_.rx) inside_->rx()[port] = 0;
    inside_->settle();
    const auto ready = std::as_const(*inside_).rx_ready();
    std::copy(ready.begin(), ready.end(), rx_ready_.begin());
    for (const std::size_t port : dead_.rx) rx_ready_[port] = rx_[port] != 0;
  }

  void clock(std::uint64_t cycle) override {
    std::copy(tx_ready_.begin(), tx_ready_.end(), inside_->tx_ready().begin());
    for (const std::size_t port : dead_.tx) inside_->tx_ready()[port] = 1;
    inside_->clock(cycle);
    const auto tx = std::as_const(*inside_).tx();
    std::copy(tx.begin(), tx.end(), tx_.begin());
    for (const std::size_t port : dead_.tx) tx_[port] = 0;
  }

  bool quiescent(std::uint32_t block) const override { return inside_->quiescent(block); }
  std::uint64_t comparisons() const override { return inside_->comparisons(); }
  std::string describe(std::uint32_t block) const override { return inside_->describe(block); }

 private:
  void reset_blocks(std::span<const std::uint16_t> seeds) override { inside_->reset(seeds); }

  std::unique_ptr<BoxBank> inside_;
  DeadPorts dead_;
};

/// Wires belong to the box behind them, except those to the PEs.
DeadPorts dead_ports(const Cube& cube, const OuterStages& stages,
                     const std::vector<Fault>& faults) {
  const unsigned first = stages.first(cube), last = stages.last(), m = cube.input_stage();
  const std::size_t per_stage = cube.boxes_per_stage();
  const auto place = [&](unsigned stage, std::uint32_t box, std::uint32_t port) {
    return ((stage - last) * per_stage + box) * cube.size() + port;
  };
  DeadPorts dead;
  /// The wire of a link into the boxes of `stage`.
  const auto into = [&](unsigned stage, std::uint32_t link) {
    dead.rx.push_back(place(stage, cube.box(stage, link), cube.port(stage, link)));
  };
  const auto into_pe = [&](std::uint32_t link) {
    dead.tx.push_back(place(last, cube.box(last, link), cube.port(last, link)));
  };
  for (const Fault& fault : faults) {
    const bool enabled = fault.stage >= last && fault.stage <= first;
    switch (fault.kind) {
      case FaultKind::kBox:
        for (std::uint32_t port = 0; enabled && port < cube.size(); ++port)
          dead.rx.push_back(place(fault.stage, fault.index, port));
        break;
      case FaultKind::kLink:
        if (fault.stage > last && fault.stage <= first + 1)
          into(fault.stage - 1, fault.index);
        else if (fault.stage == last)
          into_pe(fault.index);
        break;
      case FaultKind::kBypass:
        if (enabled) break;
        if (fault.stage == m)
          into(first, fault.index);
        else
          into_pe(fault.index);
        break;
    }
  }
  return dead;
}

}  // namespace

std::unique_ptr<BoxBank> FaultyBoxes::make_boxes(const BoxConfig& config,
                                                 std::vector<std::uint8_t> stages_of_boxes) const {
  return std::make_unique<FaultyBank>(engine_.make_boxes(config, stages_of_boxes), stages_of_boxes,
                                      dead_ports(cube_, stages_, faults_));
}

}  // namespace muster::esc
