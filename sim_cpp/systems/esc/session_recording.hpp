// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/core/outputs.hpp"
#include "systems/esc/box_factory.hpp"
#include "systems/esc/session.hpp"
#include "systems/esc/sources.hpp"
#include "systems/esc/spec.hpp"

namespace muster::esc {

/// Packets in every output buffer of an ESC network over time, as BufferCounts have them.
class Occupancy final : public esc::Observer {
 public:
  /// Keeps the cycles from `from` to `to`.
  Occupancy(const esc::Spec& spec, std::uint64_t from, std::uint64_t to);
  void start(const esc::SessionPlan& plan) override;
  void observe(const esc::CycleView& view) override;

  std::size_t cycles() const { return frames_.size(); }
  /// Packets in the buffer in front of output link `link` of `stage` at the beginning of kept
  /// cycle `frame`.
  std::uint8_t packets(std::size_t frame, unsigned stage, std::uint32_t link) const;

 private:
  std::uint32_t pes_;
  unsigned last_stage_;
  std::uint64_t from_, to_;
  std::vector<BufferCounts> stages_;               ///< from the last one on
  std::vector<std::vector<std::uint8_t>> frames_;  ///< of each kept cycle, by stage and link
};

/// Rows of a page that still have a pixel each.
inline constexpr std::uint32_t kMostShownPes = 1024;

/// The data of a page (docs/reference/formats.md, The page): the session with this number, every
/// buffer followed from a little before the active session to a little after it. Throws as
/// SessionRunner::run().
std::string page_data(const Spec& spec, const BoxFactory& factory, std::uint32_t session,
                      const Provenance& origin);

}  // namespace muster::esc
