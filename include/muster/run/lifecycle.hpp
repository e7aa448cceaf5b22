// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/run/dead_links.hpp"

namespace muster::run {

/// Groups that are created, changed and released by messages while the network runs. A run calls
///
///   create      once; then steps until settled(); refusals() ends the run,
///   go          the members may arrive from now on,
///   step        before every cycle,
///   release     when all members have left their last barrier; then steps until settled() and
///               finished(),
///   residue     with the network empty.
///
/// All texts are empty if there is nothing to report. Cycles are those of the engine.
class Lifecycle {
 public:
  virtual ~Lifecycle() = default;
  virtual void create(std::uint64_t cycle) = 0;   ///< begins to create all groups
  virtual void go() = 0;                          ///< members may arrive
  virtual void release(std::uint64_t cycle) = 0;  ///< begins to release all groups
  virtual void step(std::uint64_t cycle) = 0;     ///< before every cycle
  /// All members have been told the outcome of create(), or of release().
  virtual bool settled() const = 0;
  /// Which groups are still being created or released.
  virtual std::string unsettled() const = 0;
  /// Which groups could not be created, and why.
  virtual std::string refusals() const = 0;
  /// No change is under way but what waits for the groups' release.
  virtual bool unchanging() const { return true; }
  /// Nothing is left that waited for the groups' release.
  virtual bool finished() const { return true; }
  /// A change that makes no progress for longer than `hang_limit` cycles. `released`: after
  /// release(), when nothing waits for the groups any more.
  virtual std::string trouble(std::uint64_t /*cycle*/, std::uint64_t /*hang_limit*/,
                              bool /*released*/) const {
    return {};
  }
  /// What has become of RunSpec::killed.
  virtual std::vector<LinkResult> links() const { return {}; }
  /// What has been left behind in a switch or a node.
  virtual std::string residue() const = 0;
};

}  // namespace muster::run
