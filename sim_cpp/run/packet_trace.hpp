// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"

namespace muster::run {

/// Reads lines "CYCLE SOURCE DESTINATION FLITS" in any order, and # for the rest of a line that is
/// a comment. Throws InputError "file: line N: reason; how to fix it".
std::shared_ptr<const PacketTrace> read_packets(const std::string& file, std::uint32_t nodes);
/// What they are on average, flits per node and cycle, until the cycle of the last.
double offered_flits(const PacketTrace& trace);

/// "4:3,64:1". Throws InputError naming --packet-mix.
std::vector<PacketShare> parse_mix(const std::string& text);
std::string mix_text(const std::vector<PacketShare>& mix);

/// Flits of a data packet of the run: on average, and at most.
double mean_flits(const RunSpec& spec);
std::uint32_t most_flits(const RunSpec& spec);

}  // namespace muster::run
