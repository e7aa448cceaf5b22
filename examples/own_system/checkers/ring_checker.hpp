// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <muster/system.hpp>

#include "ring.hpp"

namespace token_ring {

/// What the checker knows of the group of a run.
struct CheckedRing : muster::run::CheckedGroups {
  Ring ring;
};

/// No member is released before all have arrived, each link of the ring carries every barrier's
/// token once, and each member is released once. Without a ring there must be no message at all.
std::unique_ptr<muster::checkers::LinkChecker> make_ring_checker(
    const muster::checkers::Subject& subject, const Ring& ring);

}  // namespace token_ring
