// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"
#include "run/links/host_writes.hpp"

namespace muster::run {

/// Which links are down in a run with deaths, as hosts see it.
class Health {
 public:
  /// `network` outlives this.
  explicit Health(fabric::Network& network);
  /// Every time that an end of a link has gone down until now, in the order in which hosts saw it.
  /// Of runs with deaths; nothing of ends that are dead themselves.
  std::span<const DownEnd> down() const { return down_; }
  /// That end is down now: `irq_o`.
  bool is_down(core::ChannelId end) const { return seen_[end] != 0; }

  /// Before every cycle of a run with deaths: what hosts see.
  void look(std::uint64_t cycle);

 private:
  fabric::Network& network_;
  std::vector<std::uint8_t> seen_;  ///< by channel: down when last looked at
  std::vector<DownEnd> down_;
};

/// What is left of a network.
struct Survivors {
  std::vector<std::uint8_t> switches;  ///< that live, by switch
  std::vector<std::uint8_t> links;     ///< that are up, as Graph::links
};

/// A message gets to the node and back to its switch: both answer, and the link is up.
bool answers(fabric::Network& network, topology::NodeId node);

/// What answers now, as hosts see it: switches whose registers can be read, links of which no end
/// says that it is down.
Survivors what_answers(fabric::Network& network);
/// An end of the link of this channel that lives says that the link is down.
bool is_down(fabric::Network& network, core::ChannelId channel);

/// The graph without the links that are lost and those of switches that do not live, with all its
/// switches and nodes.
topology::Graph rest_of(const topology::Graph& graph, const Survivors& left);

/// Routes around what is lost.
struct SurvivingRoutes {
  topology::Routes routes;
  bool by_file = false;  ///< by the levels of the network's file, else by new ones
};

/// up*/down* by the levels of the file, if each living switch with nodes reaches all others and the
/// neighbours of dead ones by them, else by levels of what is left, for every switch that lives. To
/// a dead switch and its nodes they lead to a neighbour and out of its port, behind which packets
/// are discarded. Rows of dead switches are those of `before`. Nothing if what lives is not
/// connected. Throws InternalError if they had a cycle of channel dependencies.
std::optional<SurvivingRoutes> surviving_routes(const topology::Graph& graph,
                                                const topology::Routes& before,
                                                const Survivors& left);

/// The manager's part after deaths (docs/systems/deaths.md, Routes). Some time after the first end
/// of a link between switches has gone down, which is long enough for all others to follow, it
/// plans routes around what is down, has packets held until none is in the network, writes the
/// tables and lets packets go again. It goes by ends of links, and by which switches answer.
/// Barriers go on.
class Reroute {
 public:
  /// `settling`: cycles from the first end to the plan. `routes` are those in force and are kept
  /// so. All outlive this. REQUIRES: before the first cycle.
  Reroute(const RunSpec& spec, fabric::Network& network, const Health& health,
          topology::Routes& routes, std::uint64_t settling);
  /// Before every cycle. `free`: no other change restarts links or holds packets. True if in this
  /// one the tables stand and packets may go again.
  bool step(std::uint64_t cycle, bool free);
  /// Packets are to be held.
  bool holds() const { return step_ == Step::kEmptying || step_ == Step::kWriting; }
  const std::vector<Casualties::Rerouting>& results() const { return results_; }

 private:
  enum class Step : std::uint8_t { kNone, kSettling, kEmptying, kWriting };
  void look_for_losses();
  void plan(std::uint64_t cycle);
  double bound_of(const topology::Routes& routes) const;

  fabric::Network& network_;
  const Health& health_;
  topology::Routes& routes_;
  std::uint64_t settling_;
  DrainWatch drain_;
  SwitchWrites rewrite_;
  std::size_t seen_ = 0;     ///< of Health::down()
  std::uint64_t first_ = 0;  ///< cycle in which the first of those went down
  Step step_ = Step::kNone;
  std::vector<Casualties::Rerouting> results_;
};

}  // namespace muster::run
