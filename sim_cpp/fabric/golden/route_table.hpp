// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fabric/golden/lanes.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/topology/routes.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The routing table of a switch. Until the host writes one of its entries it has those of the
/// network, which all switches read and none keeps: a large network needs no memory for tables.
class RouteTable {
 public:
  /// Without a route.
  explicit RouteTable(std::uint32_t dests) : dests_(dests) {}

  /// As if the host had written the routes of switch `s`, `addressed` if packets can be for the
  /// switch itself. They outlive the table.
  void share(const topology::Routes& routes, topology::SwitchId s, bool addressed) {
    routes_ = &routes;
    ways_ = routes.phases() != nullptr && routes.phases()->ways() != 0;
    switch_ = s;
    own_.clear();
    here_.clear();
    if (addressed) here_.push_back(routes.destination_of(s));
  }
  void write(std::uint32_t d, Ports mask, bool local) {
    if (own_.empty()) copy();
    own_[d] = mask;
    const auto at = std::lower_bound(here_.begin(), here_.end(), d);
    const bool was = at != here_.end() && *at == d;
    if (local && !was) here_.insert(at, d);
    if (!local && was) here_.erase(at);
  }

  std::uint32_t dests() const { return dests_; }
  /// The mask of next ports to a destination; 0 without a route.
  Ports mask(std::uint32_t d) const {
    if (!own_.empty()) return own_[d];
    if (routes_ == nullptr || d >= routes_->destinations()) return 0;
    return routes_->mask(switch_, d);
  }
  /// The same of the head of a packet for `d` < dests(), as it is in the switch.
  Ports mask(std::uint32_t d, const core::Flit& head) const {
    if (!ways_ || head.vc != 0) return mask(d);
    return routes_->mask_by(fabric::Formats::way(head), switch_, d);
  }
  /// Packets for destination d, if they have no route, are for this switch.
  bool local(std::uint32_t d) const { return std::binary_search(here_.begin(), here_.end(), d); }

 private:
  void copy() {
    std::vector<Ports> masks(dests_);
    for (std::uint32_t d = 0; d < dests_; ++d) masks[d] = mask(d);
    own_ = std::move(masks);
  }

  std::uint32_t dests_;
  bool ways_ = false;  // heads may name one
  topology::SwitchId switch_ = 0;
  const topology::Routes* routes_ = nullptr;
  std::vector<Ports> own_;           // by destination; empty: as in the network
  std::vector<std::uint32_t> here_;  // destinations that are this switch, ascending
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
