// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "muster/core/digest.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "muster/run/resolve.hpp"
#include "run/congestion.hpp"
#include "run/data_traffic.hpp"
#include "run/deaths/deaths.hpp"
#include "run/deaths/health.hpp"

namespace muster::run {

/// The network of one run and all that works on it, in the order in which they need each other.
class RunParts {
 public:
  /// `resolved` outlives this.
  explicit RunParts(const ResolvedRun& resolved);
  RunParts(const RunParts&) = delete;
  RunParts& operator=(const RunParts&) = delete;

  const ResolvedRun& resolved;
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
  void make_traffic();
  void make_checkers();
};

}  // namespace muster::run
