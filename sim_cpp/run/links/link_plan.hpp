// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/link_config.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/resolve.hpp"

namespace muster::run {

/// What is asked of links, without the switches. Throws InputError naming the option.
void check_links(const RunSpec& spec);

/// The ends of all links of a run whose links retry: those of `rtl/configurations.json` that suit
/// its switches, in `golden` else ends as large as they need. Throws InputError if the switches'
/// links cannot retry, or the engine has no such ends.
fabric::LinkConfig link_config(const RunSpec& spec, const fabric::SwitchConfig& config);

/// The longest that two ends hold a flit while the link is up, cycles: RunSpec::links.
std::uint32_t link_delay(const RunSpec& spec, const fabric::LinkConfig& link);

/// Ends and wires of the run; nothing if its links do not retry.
fabric::LinkEnds make_links(const RunSpec& spec, const fabric::SwitchConfig& config);

/// All ends are up. REQUIRES: links that retry.
bool links_up(fabric::Network& network);

/// What has happened on the wires until now, and which links are down. REQUIRES: links that retry.
LinkCounts count_links(fabric::Network& network);

}  // namespace muster::run
