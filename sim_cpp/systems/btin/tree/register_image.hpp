// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/register_image.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

using fabric::RegisterImage;

/// Of a field of 12 bits at most (docs/reference/formats.md).
inline constexpr std::uint32_t kMaxGid = 4095;

/// One image for every switch of the tree, root first; none for a group of one, whose member is
/// released at once. Throws InputError if `gid` is above kMaxGid.
std::vector<RegisterImage> register_images(const BarrierTree& tree, std::uint32_t gid, bool reflect,
                                           fabric::ReduceOp op = fabric::ReduceOp::kOr);

}  // namespace muster::btin
