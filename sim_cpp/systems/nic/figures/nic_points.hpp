// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/figures/figure.hpp"
#include "muster/run/profile.hpp"
#include "muster/systems/nic.hpp"
#include "muster/topology/graph.hpp"

namespace muster::nic {

/// One way to run a barrier over NICs, on the smallest network of its kind that holds the group.
struct NicCase {
  run::Profile profile;  ///< `elan3`: a quaternary fat tree; others: crossbars
  std::string scheme = "nic-dissemination";
  NicSpec choice = {};
  std::uint32_t members = 2;
  std::uint32_t barriers = 20;  ///< measured, after some to warm up
};

struct NicPoint {
  double latency_us = 0.0;  ///< of consecutive barriers, mean
  double packets = 0.0;     ///< sent by NICs for each barrier
  std::uint64_t violations = 0;
};

/// Crossbars of 16 ports: one, a Clos network, a tree of three levels (up to 512 nodes). Of 8
/// ports: the same, up to 64 nodes.
topology::Graph myrinet(std::uint32_t nodes, std::uint32_t ports);
/// The smallest quaternary fat tree (up to 256 nodes).
topology::Graph quadrics(std::uint32_t nodes);

/// Members follow each other without work between, as in section 8 of the paper. Crossbars have 16
/// ports, or 8 where no others are built.
NicPoint measure_nic(const NicCase& what, const figures::FigureSetting& setting);

}  // namespace muster::nic
