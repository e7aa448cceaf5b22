// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/topology/graph.hpp"
#include "support/mutant_bank.hpp"

namespace muster::checkers {

/// One defect, tried once: it lets `skip` opportunities pass and strikes at the next.
struct Strike {
  const topology::Graph& graph;
  fabric::Formats formats;
  std::uint32_t vcs;
  std::vector<std::uint32_t> gids;
  std::uint32_t skip;
  Rng rng;

  bool struck = false;
  std::uint64_t struck_at = 0;
  std::uint32_t block = 0, port = 0;  ///< where
  std::uint8_t vc = 0;
  bool recording = false;
  std::deque<core::Flit> held{};     ///< flits kept back, or to be sent again
  std::vector<int> uncredited{};     ///< by switch and port
  std::vector<std::uint8_t> open{};  ///< by switch, port, virtual channel: inside a packet
};

/// A way to break a switch.
struct Mutant {
  const char* name;
  /// Called in every cycle with the outputs that the switches are about to drive.
  void (*act)(Strike& strike, std::uint64_t cycle, MutantBank& outputs);
  /// The checkers that may be the first to object; the first one must be in some trial.
  std::vector<std::string> caught_by;
};

const std::vector<Mutant>& mutants();

}  // namespace muster::checkers
