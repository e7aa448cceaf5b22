// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "systems/esc/box_factory.hpp"
#include "systems/esc/cube.hpp"
#include "systems/esc/faults.hpp"
#include "systems/esc/sources.hpp"

namespace muster::esc {

/// Boxes of the enabled stages and the links between them: wires by the index algebra of Cube, a
/// bypassed stage being none. It knows nothing of PEs but their links.
class Network {
 public:
  /// `boxes` must be supported by the factory. What is sent into a faulty box, link or bypass is
  /// accepted and gone.
  Network(const Cube& cube, const OuterStages& stages, const BoxConfig& box,
          const BoxFactory& factory, std::span<const Fault> faults = {});

  /// Empties it. `seed` is seed_i of esc_network.
  void reset(std::uint16_t seed);

  /// What the last stage delivers in this cycle, by link; 0 for none. Always accepted.
  std::span<const BoxPacket> arrivals() const { return arrivals_; }
  /// One cycle up to the edge: carry, settle, carry back. `offers` by link, tags complete.
  /// Throws InternalError if packets are offered and none moves, which section 2 excludes.
  void settle(std::uint64_t cycle, std::span<const BoxPacket> offers);
  /// By link, after settle(): the offer is taken at this edge.
  std::span<const std::uint8_t> taken() const { return taken_; }
  void clock(std::uint64_t cycle);
  /// No packet is in any box.
  bool empty() const;

  /// The boxes' part of a view of this cycle.
  void show(CycleView& view) const;
  /// Hash of all that was on the links since the last reset.
  std::uint64_t digest() const { return digest_; }
  const BoxBank& boxes() const { return *boxes_; }

 private:
  std::uint32_t block(unsigned stage, std::uint32_t box) const {
    return (stage - stages_.last()) * cube_.boxes_per_stage() + box;
  }
  std::uint32_t place(unsigned stage, std::uint32_t link) const {
    return block(stage, cube_.box(stage, link)) * cube_.size() + cube_.port(stage, link);
  }

  void cut(const Fault& fault);

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
  std::vector<DeadWire> dead_;
  std::vector<std::uint32_t> dead_exits_;  ///< links to PEs
  std::vector<BoxPacket> arrivals_;
  std::vector<std::uint8_t> taken_;
  std::uint64_t digest_ = 0;
};

}  // namespace muster::esc
