// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/deaths/deaths.hpp"

namespace muster::run {

/// Switches and nodes, with the devices that the scheme wants at them, joined as the graph says.
/// Loads routes and permits through the register ports. `wires`: see make_wires().
std::unique_ptr<fabric::Network> build_network(const ResolvedRun& run,
                                               std::shared_ptr<WireFaults> wires);

/// The same of any switches, without devices: a network that no scheme works on.
std::unique_ptr<fabric::Network> build_network(const RunSpec& spec,
                                               const fabric::SwitchConfig& config);

/// The network of one run and all that works on it, in the order in which they need each other.
class RunParts {
 public:
  /// `resolved` outlives this.
  explicit RunParts(const ResolvedRun& resolved);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  const ResolvedRun& resolved;
  std::shared_ptr<WireFaults> wires;  ///< nullptr if the links do not retry
  std::unique_ptr<fabric::Network> network;
  Health health;
  std::shared_ptr<const Arrivals> arrivals;
  Members members;
  std::unique_ptr<Scheme> scheme;
  Lifecycle* lifecycle;  ///< of the scheme; nullptr if its groups do not change
  std::unique_ptr<Congestion> congestion;
  core::Digest digest;
  std::unique_ptr<DataTraffic> traffic;             ///< nullptr without background data
  std::optional<topology::Routes> routes;           ///< in force, if something dies
  std::unique_ptr<checkers::CheckerList> checkers;  ///< nullptr without
  std::unique_ptr<Deaths> deaths;                   ///< nullptr if nothing dies

 private:
  void make_checkers();
};

}  // namespace muster::run
