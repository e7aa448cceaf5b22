// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/register_image.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"

namespace muster::btin {

std::vector<RegisterImage> register_images(const BarrierTree& tree, std::uint32_t gid, bool reflect,
                                           fabric::ReduceOp op) {
  if (gid > kMaxGid)
    throw InputError(fmt::format("group identifier {} is too large; choose 0 to {}", gid, kMaxGid));
  std::vector<RegisterImage> images;
  if (tree.alone()) return images;
  images.reserve(tree.order.size());
  for (const SwitchId s : tree.order) {
    const TreeSwitch& here = tree.switches[s];
    images.push_back({s, gid, false, here.parent_port, here.child_mask, op});
  }
  RegisterImage& root = images.front();
  if (reflect) {
    root.reflect = true;
    root.parent_port = 0;
  } else {
    root.child_mask &= static_cast<std::uint16_t>(~(1u << root.parent_port));
  }
  return images;
}

}  // namespace muster::btin
