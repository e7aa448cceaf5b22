// SPDX-License-Identifier: Apache-2.0
#include "muster/run/scheme.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "muster/run/plan.hpp"

namespace muster::run {

std::vector<topology::PortRef> SchemePlan::ports(std::uint32_t group,
                                                 const topology::Routes& /*routes*/) const {
  std::vector<topology::PortRef> ports;
  for (const fabric::RegisterImage& image : waiting()) {
    if (image.gid != group) continue;
    std::uint32_t mask = image.child_mask;
    if (!image.reflect) mask |= 1u << image.parent_port;
    for (std::uint32_t p = 0; mask >> p != 0; ++p)
      if (mask >> p & 1) ports.push_back({image.sw, p});
  }
  return ports;
}

void Scheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  throw InternalError(fmt::format(
      "cycle {}, node {}: barrier message {:#x} for a scheme that has none", cycle, node, flit.lo));
}

void Scheme::receive_message(std::uint64_t cycle, std::uint32_t node,
                             std::span<const core::Flit> flits) {
  throw InternalError(
      fmt::format("cycle {}, node {}: barrier message {:#x} of {} flits for a scheme that has none",
                  cycle, node, flits.front().lo, flits.size()));
}

void Scheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                            std::span<const core::Flit> flits) {
  throw InternalError(
      fmt::format("cycle {}, node {}: packet with opcode {} for a scheme that has none", cycle,
                  node, fabric::Formats::opcode(flits.front())));
}

}  // namespace muster::run
