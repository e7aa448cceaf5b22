// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "muster/topology/graph.hpp"
#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

/// The network as everybody knows it, and as it was: version v is without the first v links that
/// have been declared dead. Trees are planned on one version, which the group's members are told.
class NetworkVersions {
 public:
  explicit NetworkVersions(const topology::Graph& whole) : whole_(whole) {}

  const topology::Graph& at(std::uint32_t version) const {
    return version == 0 ? whole_ : later_[version - 1];
  }
  std::uint32_t newest() const { return static_cast<std::uint32_t>(later_.size()); }
  /// A link, named by one end, is dead; `rest` is the newest version without it.
  void add(topology::PortRef link, topology::Graph rest) {
    dead_.push_back(link);
    later_.push_back(std::move(rest));
  }
  /// If a tree planned on `version` uses a link that is dead now.
  bool uses_dead_link(std::span<const RegisterImage> images, std::uint32_t version) const {
    for (std::uint32_t v = version; v < newest(); ++v)
      if (uses(images, dead_[v])) return true;
    return false;
  }
  /// If a tree uses a link, named by one end.
  static bool uses(std::span<const RegisterImage> images, topology::PortRef link) {
    for (const RegisterImage& i : images) {
      if (i.sw != link.sw) continue;
      return (i.child_mask >> link.port & 1) != 0 || (!i.reflect && i.parent_port == link.port);
    }
    return false;
  }

 private:
  const topology::Graph& whole_;
  std::vector<topology::PortRef> dead_;
  std::deque<topology::Graph> later_;
};

}  // namespace muster::btin
