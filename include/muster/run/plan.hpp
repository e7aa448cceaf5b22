// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "muster/fabric/barrier_registers.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/network.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/own.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

class GtkwaveRows;

/// What a scheme is started with. The references outlive it.
struct SchemeParts {
  fabric::Network& network;            ///< as after reset, routes loaded
  const fabric::SwitchConfig& config;  ///< of its switches
  const RunSpec& spec;                 ///< of the run
  const fabric::HomeNodes& homes;      ///< of its switches
  Members& members;                    ///< who arrive and are released

  /// Of the links.
  fabric::Formats formats() const { return fabric::formats(config); }
};

/// What the messages of a scheme add to the times that a run allows and counts.
struct PlanTimes {
  /// Flits of its packets that can be under way at the same time, of all groups.
  std::uint64_t packet_flits = 0;
  /// Cycles for which a switch may owe a barrier message, whatever data there are; 0: its switches
  /// never owe one.
  std::uint64_t owed_cycles = 0;
  /// Barrier messages wait with packets: a switch may owe one for as long as a packet may wait.
  bool queued = false;
  /// Of switches that cut data for barrier messages.
  std::optional<checkers::HopWait> hop = {};
  /// Cycles without any message after which a node still has to act, for instance to repeat one.
  std::uint64_t silence = 0;
  /// They go between links and network interfaces, past the hosts: what hosts and buses take
  /// (Profile::send, Profile::receive) is not added to them.
  bool past_hosts = false;
};

/// Barrier registers of the largest switch that may be chosen and fits what `need` asks so far.
using Available = std::function<std::uint32_t(const fabric::Requirement& need)>;

/// How a scheme is going to serve the groups of a run, settled before there is a network. Group g
/// of the run has the identifier g; its members count as in the ascending list of their nodes.
class SchemePlan {
 public:
  virtual ~SchemePlan() = default;
  /// The switches that it needs.
  virtual const fabric::SwitchKind& switch_kind() const = 0;
  /// Adds to `need` the variant of the switch that it takes, the registers or table entries of the
  /// busiest switch and, if its messages name switches, an address for each destination; a network
  /// has such addresses for its switches only if flits can name all destinations. Throws InputError
  /// if the registers are too few, naming switch and groups.
  virtual void require(fabric::Requirement& /*need*/, const Available& /*available*/) const {}
  /// Links that the messages of one barrier traverse in both phases, node links included.
  virtual std::uint32_t hops(std::uint32_t group) const = 0;
  /// See PlanTimes.
  virtual PlanTimes times(const fabric::SwitchConfig& /*config*/) const { return {}; }
  /// Cycles of a hop of its messages over a link of latency 1, from wires to wires, with nothing in
  /// their way: of the head of a packet, and of a message of several flits from first to first. 0:
  /// it does not say, and a profile with Profile::hop is refused.
  virtual std::uint32_t hop_cycles(const fabric::SwitchConfig& /*config*/) const { return 0; }
  /// The barrier registers that it will occupy, of all switches. A run is refused if its channels
  /// and these can wait for each other in a cycle.
  virtual std::vector<fabric::RegisterImage> waiting() const { return {}; }
  /// The ports of switches at which messages of the group come or leave while `routes` are in
  /// force: without their switches and links it cannot go on. By default those in its registers.
  virtual std::vector<topology::PortRef> ports(std::uint32_t group,
                                               const topology::Routes& routes) const;
  /// Blocks that stand between the endpoints and the network; none of both without.
  virtual fabric::NodeDevices node_devices(const fabric::SwitchConfig&) const { return {}; }
  /// Name of such a block at each node, as in rtl/configurations.json; empty: none.
  virtual std::string node_block(const fabric::SwitchConfig&) const { return {}; }
  /// What checkers must know of the groups: what the system's System::add_checkers gets.
  virtual std::unique_ptr<const CheckedGroups> checked() const = 0;
  /// What a person is shown of the plan before the run's results; empty if there is nothing.
  virtual std::string describe() const { return {}; }
  /// Adds the rows of a GTKWave view of the run's waveform (muster/run/gtkwave.hpp), and returns
  /// the words for its translation file.
  virtual std::string add_wave_rows(GtkwaveRows&, const fabric::SwitchConfig&,
                                    const RunResult&) const {
    return {};
  }
  /// Loads what the switches must hold through their register ports, and puts the scheme to work.
  /// The plan must outlive it.
  virtual std::unique_ptr<Scheme> start(const SchemeParts& parts) const = 0;
};

}  // namespace muster::run
