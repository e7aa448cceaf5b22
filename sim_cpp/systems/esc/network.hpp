// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/esc/box_factory.hpp"
#include "systems/esc/sources.hpp"

namespace muster::esc {

/// Boxes of the enabled stages and the links between them: wires by the index algebra of Cube, a
/// bypassed stage being none. It knows nothing of PEs but their links.
class Network {
 public:
  /// `boxes` must be supported by the factory. What is sent into a faulty box, link or bypass is
  /// accepted and gone.
  Network(const Cube& cube, const OuterStages& stages, const BoxConfig& box,
          const BoxFactory& factory, std::span<const Fault> faults = {})
      : cube_(cube), stages_(stages), exit_(cube.pes()), arrivals_(cube.pes()), taken_(cube.pes()) {
    const unsigned first = stages_.first(cube_), last = stages_.last();
    std::vector<std::uint8_t> stage_of;
    for (unsigned stage = last; stage <= first; ++stage)
      stage_of.insert(stage_of.end(), cube_.boxes_per_stage(), static_cast<std::uint8_t>(stage));
    boxes_ = factory.make_boxes(box, std::move(stage_of));
    from_.resize(std::size_t{stages_.count(cube_)} * cube_.pes());
    inner_ = from_.size() - cube_.pes();
    depth_.resize(from_.size());
    for (std::uint32_t link = 0; link < cube_.pes(); ++link) {
      for (unsigned stage = last; stage < first; ++stage)
        from_[place(stage, link)] = place(stage + 1, link);
      from_[place(first, link)] = link;
      exit_[link] = place(last, link);
    }
    for (const Fault& fault : faults) cut(fault);
  }

  /// Empties it. `seed` is seed_i of esc_network.
  void reset(std::uint16_t seed) {
    std::vector<std::uint16_t> seeds(boxes_->blocks());
    const std::uint32_t skipped = stages_.last() * cube_.boxes_per_stage();
    for (std::uint32_t b = 0; b < seeds.size(); ++b)
      seeds[b] = static_cast<std::uint16_t>(seed ^ ((b + skipped) * 40503u));
    boxes_->reset(seeds);
    for (const std::uint32_t e : exit_) boxes_->tx_ready()[e] = 1;
    std::ranges::fill(arrivals_, 0);
    digest_ = 0;
  }

  /// What the last stage delivers in this cycle, by link; 0 for none. Always accepted.
  std::span<const BoxPacket> arrivals() const { return arrivals_; }
  /// One cycle up to the edge: carry, settle, carry back. `offers` by link, tags complete.
  /// Throws InternalError if packets are offered and none moves, which section 2 excludes.
  void settle(std::uint64_t cycle, std::span<const BoxPacket> offers) {
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

    for (DeadWire& wire : dead_) wire.packet = std::exchange(rx[wire.port], 0);
    const auto ready = boxes_->rx_ready();
    const auto back = boxes_->tx_ready();
    const unsigned passes = boxes_->config().refill ? stages_.count(cube_) : 1;
    std::uint64_t moved = 0;
    for (unsigned pass = 0; pass < passes; ++pass) {
      boxes_->settle();
      moved = delivered;
      for (std::size_t k = 0; k < inner_; ++k) moved += back[from_[k]] = ready[k];
    }
    for (std::size_t k = inner_; k < from_.size(); ++k) {
      taken_[from_[k]] = ready[k];
      moved += ready[k];
    }
    for (const DeadWire& wire : dead_) {
      if (wire.packet == 0) continue;
      (wire.port < inner_ ? back[from_[wire.port]] : taken_[from_[wire.port]]) = 1;
      ++moved;
    }
    if (offered != 0 && moved == 0)
      throw InternalError(
          "esc network, cycle {}: {} packets are offered and none moves; "
          "box 0: {}",
          cycle, offered, boxes_->describe(0));
  }
  /// After settle(): height of the saturation tree of these coordinators (section 4.3), links on
  /// the longest way on which each buffer refuses what the one before offers, the last one a packet
  /// for a coordinator; 0 if none does.
  unsigned saturation_height(std::span<const std::uint32_t> hot) {
    const auto rx = std::as_const(*boxes_).rx();
    const auto ready = boxes_->rx_ready();
    std::ranges::fill(depth_, 0);
    unsigned height = 0;
    for (std::size_t k = 0; k < inner_; ++k) {  // from the last stage to the first
      if (rx[k] == 0 || ready[k] != 0) continue;
      const std::uint32_t tag = tag_of(rx[k]);
      const unsigned stage = stages_.last() + static_cast<unsigned>(k / cube_.pes());
      const unsigned below = depth_[k / cube_.size() * cube_.size() + cube_.digit(tag, stage)];
      if (below == 0 && std::ranges::find(hot, cube_.destination(tag)) == hot.end()) continue;
      depth_[from_[k]] = static_cast<std::uint8_t>(below + 1);
      height = std::max(height, below + 1);
    }
    return height;
  }
  /// By link, after settle(): the offer is taken at this edge.
  std::span<const std::uint8_t> taken() const { return taken_; }
  void clock(std::uint64_t cycle) {
    boxes_->clock(cycle);
    const auto tx = boxes_->tx();
    for (std::uint32_t link = 0; link < cube_.pes(); ++link) arrivals_[link] = tx[exit_[link]];
    for (const std::uint32_t link : dead_exits_) arrivals_[link] = 0;
  }
  /// No packet is in any box.
  bool empty() const {
    return std::ranges::all_of(boxes_->tx(), [](BoxPacket p) { return p == 0; });
  }

  /// The boxes' part of a view of this cycle.
  void show(CycleView& view) const {
    view.taken = taken_;
    view.arrivals = arrivals_;
    view.rx = std::as_const(*boxes_).rx();
    view.tx = boxes_->tx();
    view.rx_ready = boxes_->rx_ready();
    view.tx_ready = std::as_const(*boxes_).tx_ready();
  }
  /// Hash of all that was on the links since the last reset.
  std::uint64_t digest() const { return digest_; }
  const BoxBank& boxes() const { return *boxes_; }

 private:
  /// One word for a packet at a place; the sum over places is the hash of a cycle.
  static constexpr std::uint64_t trace(BoxPacket packet, std::uint64_t place) {
    return (packet ^ (packet >> 31)) * (place * 0xD6E8FEB86659FD93u + 0x9E3779B97F4A7C15u);
  }
  /// Of the first port of a stage.
  std::uint32_t base(unsigned stage) const { return (stage - stages_.last()) * cube_.pes(); }
  std::uint32_t place(unsigned stage, std::uint32_t link) const {
    return base(stage) + cube_.place(stage, link);
  }

  /// Wires belong to the box behind them, except those to the PEs.
  void cut(const Fault& fault) {
    const unsigned first = stages_.first(cube_), last = stages_.last();
    const bool enabled = fault.stage >= last && fault.stage <= first;
    const auto into = [&](unsigned stage) { dead_.push_back({place(stage, fault.index)}); };
    switch (fault.kind) {
      case FaultKind::kBox:
        for (std::uint32_t port = 0; enabled && port < cube_.size(); ++port)
          dead_.push_back({base(fault.stage) + fault.index * cube_.size() + port});
        break;
      case FaultKind::kLink:
        if (fault.stage > last && fault.stage <= first + 1)
          into(fault.stage - 1);
        else if (fault.stage == last)
          dead_exits_.push_back(fault.index);
        break;
      case FaultKind::kBypass:
        if (enabled) break;
        if (fault.stage == cube_.input_stage())
          into(first);
        else
          dead_exits_.push_back(fault.index);
        break;
    }
  }

  /// A wire into a box that leads nowhere, and what has been sent into it in this cycle.
  struct DeadWire {
    std::uint32_t port = 0;  ///< [block * n + port]
    BoxPacket packet = 0;
  };
  Cube cube_;
  OuterStages stages_;
  std::unique_ptr<BoxBank> boxes_;
  std::vector<std::uint32_t> from_;  ///< tx that leads to an rx; of the first stage: the link
  std::vector<std::uint32_t> exit_;  ///< tx of the last stage, by link
  std::size_t inner_ = 0;            ///< rx below this are fed by boxes, the others by PEs
  std::vector<std::uint8_t> depth_;  ///< in a saturation tree, by tx; 0: not in it
  std::vector<DeadWire> dead_;
  std::vector<std::uint32_t> dead_exits_;  ///< links to PEs
  std::vector<BoxPacket> arrivals_;
  std::vector<std::uint8_t> taken_;
  std::uint64_t digest_ = 0;
};

}  // namespace muster::esc
