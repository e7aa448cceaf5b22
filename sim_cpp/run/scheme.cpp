// SPDX-License-Identifier: Apache-2.0
#include "muster/run/scheme.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"

namespace muster::run {

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
