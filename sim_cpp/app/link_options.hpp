// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "muster/fabric/layout.hpp"
#include "muster/run/spec.hpp"

namespace muster::app {

/// The options of `muster run` about links and about deaths, which link ends notice, as typed.
struct LinkOptions {
  bool retry = false;
  double drop = 0.0, corrupt = 0.0, duplicate = 0.0, ack_drop = 0.0;
  std::vector<std::string> flaps;            ///< "3:0-0:0@500+20": nothing arrives for 20 cycles
  std::vector<std::string> stopped;          ///< "3:0-0:0@500": that link is dead from cycle 500 on
  std::vector<std::string> cut;              ///< "3:0-0:0@500": likewise, and the run goes on
  std::vector<std::string> killed_switches;  ///< "sw3@500": dead from cycle 500 on
  std::vector<std::string> killed_nodes;     ///< "n5@500": likewise
  std::vector<std::string> reset_switches;   ///< "sw3@500": as after reset in cycle 500
};

void add_link_options(CLI::App& command, LinkOptions& options);

/// REQUIRES: the graph of `spec`. Throws InputError naming the option that is wrong.
void set_links(const LinkOptions& options, run::RunSpec& spec);

}  // namespace muster::app
