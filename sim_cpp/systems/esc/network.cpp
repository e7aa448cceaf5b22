// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"

namespace muster::esc {
namespace {

/// One word for a packet at a place; the sum over places is the hash of a cycle.
constexpr std::uint64_t trace(BoxPacket packet, std::uint64_t place) {
  return (packet ^ (packet >> 31)) * (place * 0xD6E8FEB86659FD93u + 0x9E3779B97F4A7C15u);
}

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
DeadPorts dead_ports(const Cube& cube, const OuterStages& stages, std::span<const Fault> faults) {
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

Network::Network(const Cube& cube, const OuterStages& stages, const BoxConfig& box,
                 const BoxFactory& factory, std::span<const Fault> faults)
    : cube_(cube), stages_(stages), exit_(cube.pes()), arrivals_(cube.pes()), taken_(cube.pes()) {
  const unsigned first = stages_.first(cube_), last = stages_.last();
  std::vector<std::uint8_t> stage_of;
  for (unsigned stage = last; stage <= first; ++stage)
    stage_of.insert(stage_of.end(), cube_.boxes_per_stage(), static_cast<std::uint8_t>(stage));
  boxes_ = factory.make_boxes(box, stage_of);
  if (!faults.empty())
    boxes_ = std::make_unique<FaultyBank>(std::move(boxes_), std::move(stage_of),
                                          dead_ports(cube_, stages_, faults));

  from_.resize(std::size_t{stages_.count(cube_)} * cube_.pes());
  inner_ = from_.size() - cube_.pes();
  for (std::uint32_t link = 0; link < cube_.pes(); ++link) {
    for (unsigned stage = last; stage < first; ++stage)
      from_[place(stage, link)] = place(stage + 1, link);
    from_[place(first, link)] = link;
    exit_[link] = place(last, link);
  }
}

void Network::reset(std::uint16_t seed) {
  std::vector<std::uint16_t> seeds(boxes_->blocks());
  const std::uint32_t skipped = stages_.last() * cube_.boxes_per_stage();
  for (std::uint32_t b = 0; b < seeds.size(); ++b)
    seeds[b] = static_cast<std::uint16_t>(seed ^ ((b + skipped) * 40503u));
  boxes_->reset(seeds);
  for (const std::uint32_t e : exit_) boxes_->tx_ready()[e] = 1;
  std::fill(arrivals_.begin(), arrivals_.end(), 0);
  digest_ = 0;
}

void Network::settle(std::uint64_t cycle, std::span<const BoxPacket> offers) {
  const auto rx = boxes_->rx();
  const auto tx = boxes_->tx();
  std::uint64_t sum = 0, offered = 0, delivered = 0;
  for (std::size_t k = 0; k < inner_; ++k) {
    rx[k] = tx[from_[k]];
    sum += trace(rx[k], k);
    offered += rx[k] != 0;
  }
  for (std::size_t k = inner_; k < from_.size(); ++k) {
    rx[k] = offers[from_[k]];
    sum += trace(rx[k], k);
    offered += rx[k] != 0;
  }
  for (std::uint32_t link = 0; link < cube_.pes(); ++link) {
    sum += trace(arrivals_[link], from_.size() + link);
    delivered += arrivals_[link] != 0;
  }
  if (sum != 0) digest_ += mix64(sum ^ mix64(cycle));

  boxes_->settle();
  const auto ready = boxes_->rx_ready();
  const auto back = boxes_->tx_ready();
  std::uint64_t moved = delivered;
  for (std::size_t k = 0; k < inner_; ++k) {
    back[from_[k]] = ready[k];
    moved += ready[k];
  }
  for (std::size_t k = inner_; k < from_.size(); ++k) {
    taken_[from_[k]] = ready[k];
    moved += ready[k];
  }
  if (offered != 0 && moved == 0)
    throw InternalError(
        fmt::format("esc network, cycle {}: {} packets are offered and none moves; "
                    "box 0: {}",
                    cycle, offered, boxes_->describe(0)));
}

void Network::clock(std::uint64_t cycle) {
  boxes_->clock(cycle);
  const auto tx = boxes_->tx();
  for (std::uint32_t link = 0; link < cube_.pes(); ++link) arrivals_[link] = tx[exit_[link]];
}

bool Network::empty() const {
  const auto tx = boxes_->tx();
  return std::all_of(tx.begin(), tx.end(), [](BoxPacket p) { return p == 0; });
}

void Network::show(CycleView& view) const {
  view.taken = taken_;
  view.arrivals = arrivals_;
  view.rx = std::as_const(*boxes_).rx();
  view.tx = boxes_->tx();
  view.rx_ready = boxes_->rx_ready();
  view.tx_ready = std::as_const(*boxes_).tx_ready();
}

}  // namespace muster::esc
