// SPDX-License-Identifier: Apache-2.0
#include "workload/scheme.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace muster::workload {

void Scheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const network::Flit& flit) {
  throw InternalError(fmt::format(
      "cycle {}, node {}: barrier message {:#x} for a scheme that has none", cycle, node, flit.lo));
}

void Scheme::receive_packet(std::uint64_t cycle, std::uint32_t node,
                            std::span<const network::Flit> flits) {
  throw InternalError(
      fmt::format("cycle {}, node {}: packet with opcode {} for a scheme that has none", cycle,
                  node, network::Formats::opcode(flits.front())));
}

}  // namespace muster::workload
