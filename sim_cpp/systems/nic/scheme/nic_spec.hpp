// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "systems/nic/host/packet_faults.hpp"
#include "systems/nic/scheme/step_list.hpp"

namespace muster::nic {

/// Who walks the step list of a NIC barrier, and through which path (docs/systems/nic-engine.md).
enum class NicLevel : std::uint8_t { kHost, kDirect, kCollective };

/// Queues that a packet passes in the NICs at both ends (docs/systems/nic-link.md, Queue passes).
inline constexpr std::uint32_t kStepPasses = 2, kDataPasses = 6, kAckPasses = 2;

/// The choices of a run with NIC barriers, a part of RunSpec::parts. Times in cycles.
struct NicSpec {
  NicLevel level = NicLevel::kCollective;
  std::optional<std::uint32_t> degree;  ///< of gather-broadcast's tree (4), radix (2)
  ListForm form = ListForm::kList;
  std::optional<std::uint32_t> timeout;  ///< T; without: see nic_timeout
  std::uint32_t retries = 15;            ///< R
  std::uint32_t gap = 16;                ///< between two NACKs of a NIC
  std::optional<nic::FaultRates> faults;
};

/// What a run with NIC barriers has cost, a part of RunResult::parts.
struct NicCost {
  std::uint64_t steps = 0, nacks = 0, not_yets = 0, acks = 0, data = 0;  ///< packets sent by NICs
  std::uint64_t doorbells = 0, events = 0;                               ///< host bus crossings
  std::uint64_t malformed = 0, unknown = 0, stale = 0, limited = 0;      ///< messages dropped
  std::uint32_t timeout = 0;
  std::uint64_t messages_planned = 0;  ///< STEPs or DATAs of a barrier of all groups together
  nic::FaultCounts faults;
};

}  // namespace muster::nic
