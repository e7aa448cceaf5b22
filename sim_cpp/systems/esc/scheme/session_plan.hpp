// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// What is drawn before a session begins.
struct SessionPlan {
  std::uint64_t seed = 0;
  std::uint16_t box_seed = 0;       ///< seed_i of esc_network
  std::vector<std::uint32_t> hot;   ///< coordinator of group g
  std::vector<std::uint64_t> time;  ///< cycle of each PE's synchronization message; kNever for
                                    ///< coordinators
  std::uint64_t first = 0;          ///< earliest of them: the active session begins

  std::uint32_t group(std::uint32_t pe) const {
    return pe & (static_cast<std::uint32_t>(hot.size()) - 1);
  }
  std::uint32_t hot_of(std::uint32_t pe) const { return hot[group(pe)]; }
};

/// A function of the spec's seed, workload and the session's number: the policy, the boxes and the
/// rate do not enter, so that policies are compared on the same arrivals.
SessionPlan plan_session(const Spec& spec, std::uint32_t session);

}  // namespace muster::esc
