// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/figures/figure.hpp"
#include "muster/run/profile.hpp"
#include "muster/systems/nic.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::figures {

/// A way to do a barrier, of one of the four papers or without help of any.
struct System {
  std::string name;    ///< of its curve
  std::string scheme;  ///< of `muster run`
  std::optional<nic::NicLevel> level = std::nullopt;
  bool own = true;       ///< may have a virtual channel of its own
  bool reflect = false;  ///< --turn
};

/// Barrier switch, NIC, host, preempting switch.
const std::vector<System>& systems();

/// A network on which all of them run.
struct SystemNetwork {
  std::string name;
  topology::Graph graph;
  topology::Routes routes;
};

/// One run: consecutive barriers of one group.
struct SystemCase {
  System system;
  std::uint32_t members = 64;   ///< drawn from the nodes
  double load = 0.0;            ///< of data, as --load
  bool own = false;             ///< --barrier-vc own
  std::uint32_t barriers = 40;  ///< after one that is not counted
};

struct SystemPoint {
  double mean_us = 0.0, longest_us = 0.0;  ///< latency, the first barrier not counted
  double messages = 0.0;                   ///< of a barrier, counted on each link
  double flits = 0.0;                      ///< the same, with ACKs and all else that is not data
  bool stands_still = false;               ///< a barrier takes longer than the run waits
};

/// Every case, in their order. All switches have two virtual channels of depth 4, whether one of
/// them is the barriers' own or not. Violations are added to `data`.
std::vector<SystemPoint> measure_systems(const SystemNetwork& network,
                                         const std::vector<SystemCase>& cases,
                                         const run::Profile& profile, const FigureSetting& setting,
                                         FigureData& data);

}  // namespace muster::figures
