// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "muster/core/provenance.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/scheme/occupancy.hpp"
#include "systems/esc/scheme/session.hpp"

namespace muster::esc {

/// One session with every buffer followed, from a little before the active session to a little
/// after it.
struct SessionRecording {
  static constexpr std::uint64_t kBefore = 20, kAfter = 100;  ///< cycles

  Spec spec;
  SessionPlan plan;
  SessionResult result;
  std::unique_ptr<Occupancy> occupancy;

  /// Kept cycles that are shown.
  std::size_t frames() const;
  std::uint64_t first() const { return occupancy->from(); }  ///< cycle of the first frame
};

/// Rows of a page that still have a pixel each.
inline constexpr std::uint32_t kMostShownPes = 1024;

/// Of the session with this number. Throws as SessionRunner::run().
SessionRecording record_session(const Spec& spec, const BoxFactory& factory, std::uint32_t session);

/// The data of a page (docs/reference/formats.md, The page).
std::string page_data(const SessionRecording& recording, const Provenance& origin);

}  // namespace muster::esc
