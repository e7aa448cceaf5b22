// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "muster/run/gtkwave.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/group_spec.hpp"

namespace muster::run {

/// Rows of a view on the switches of a run and their links. Only of switches in the waveform.
class SwitchRows {
 public:
  SwitchRows(const RunSpec& spec, const fabric::SwitchConfig& config, GtkwaveRows& rows)
      : spec_(spec), config_(config), rows_(rows) {}

  /// The links of a group's members at their switches.
  void members(const std::string& group, std::span<const topology::NodeId> members) {
    rows_.section(fmt::format("Group {}: members (arrival in, release out)", group));
    for (const topology::NodeId n : members) {
      const topology::PortRef& at = spec_.graph->node(n).at;
      if (shown(at.sw)) link(at.sw, at.port, "node " + topology::node_name(*spec_.graph, n));
    }
  }

 protected:
  /// Rows of {valid, kind, payload} of what comes in and goes out at one port. Of all that is on
  /// the wires in, whether or not it enters a queue.
  void link(topology::SwitchId s, std::uint32_t port, const std::string& who) {
    constexpr std::uint32_t kKindWidth = 3;
    for (const auto& [what, end, way] : {std::tuple{" in", "rx", "i"}, {" out", "tx", "o"}}) {
      std::string bits;
      for (const auto& [name, width] :
           {std::pair{"valid", 1u}, {"kind", kKindWidth}, {"payload", config_.flit_w}})
        bits += port_bits(fmt::format("{}{}_{}_{}", scope(s), end, name, way), config_.ports, port,
                          width);
      rows_.translated(who + what, bits);
    }
  }
  /// The waveform has switches that the user has chosen.
  bool named() const { return !spec_.bank.wave_blocks.empty(); }
  bool shown(topology::SwitchId s) const { return in_waveform(spec_, s); }
  /// What names of signals of a switch, or of a block in it, begin with.
  std::string scope(topology::SwitchId s, const char* block = "") const {
    return fmt::format("sw{}.{}.{}", s, config_.kind->module, block);
  }
  /// A vector of one bit for each port.
  std::string of_ports(const std::string& name) const {
    return fmt::format("{}[{}:0]", name, config_.ports - 1);
  }

  const RunSpec& spec_;
  const fabric::SwitchConfig& config_;
  GtkwaveRows& rows_;
};

}  // namespace muster::run
