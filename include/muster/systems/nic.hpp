// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Barriers by network interface cards: what a run may ask of them, and what they cost.

#include <cstdint>
#include <optional>
#include <string_view>

#include "muster/run/fields.hpp"
#include "muster/run/own.hpp"

namespace muster::nic {

/// Who walks the step list of a NIC barrier.
enum class NicLevel : std::uint8_t {
  kRdma,       ///< the program, by remote writes that nothing acknowledges
  kHost,       ///< the program, through the NIC's point-to-point path
  kDirect,     ///< the NIC, through its point-to-point path
  kCollective  ///< the NIC, past its point-to-point path
};

/// What a NIC does with a step list.
enum class ListForm : std::uint8_t {
  kList,    ///< it walks the list, step s in entry s
  kChained  ///< events that remote writes count, descriptors that they fire, as on Quadrics
};

/// Faults of the packets before their NIC, each by its own draw. Rates: shares of packets, 0 to 1.
struct FaultRates {
  double drop = 0.0;                   ///< lost
  double duplicate = 0.0;              ///< duplicated
  double delay = 0.0;                  ///< held back, with all that come after
  double reorder = 0.0;                ///< later ones overtake them
  double corrupt = 0.0;                ///< 1 to 3 bits of the payload flipped
  std::uint32_t longest_delay = 1000;  ///< cycles, 1 to 1000000; of delay and reorder

  /// There are faults.
  bool any() const { return drop + duplicate + delay + reorder + corrupt > 0.0; }
};

/// What faults have done.
struct FaultCounts {
  std::uint64_t packets = 0;     ///< that came
  std::uint64_t dropped = 0;     ///< packets
  std::uint64_t duplicated = 0;  ///< packets
  std::uint64_t delayed = 0;     ///< packets
  std::uint64_t reordered = 0;   ///< packets
  std::uint64_t corrupted = 0;   ///< packets

  /// Of two links together.
  FaultCounts& operator+=(const FaultCounts& other) {
    packets += other.packets;
    dropped += other.dropped;
    duplicated += other.duplicated;
    delayed += other.delayed;
    reordered += other.reordered;
    corrupted += other.corrupted;
    return *this;
  }
};

/// The choices of a run with NIC barriers; RunSpec::own. Times in cycles.
struct NicSpec : run::Own<run::SystemSpec, NicSpec> {
  static constexpr std::string_view kSystem = "nic";  ///< System::name()

  NicLevel level = NicLevel::kCollective;  ///< who walks the step list
  /// Of gather-broadcast's tree (without: 4), radix of dissemination (without: 2); 1 or 2 to 32.
  std::optional<std::uint32_t> degree = {};
  ListForm form = ListForm::kList;            ///< of the step lists
  std::optional<std::uint32_t> timeout = {};  ///< T, 0 to 65535, 0: never; without: by the network
  std::uint32_t retries = 15;                 ///< R, 0 to 15 silent timeouts of a peer
  std::uint32_t gap = 16;                     ///< between two NACKs of a NIC
  std::optional<FaultRates> faults = {};      ///< none: every packet arrives once and whole
  /// Of a program that walks the list, before each of its sends: it has found what it waits for.
  std::uint32_t host_step = 0;
  std::uint32_t data_passes = 6;  ///< queues that a DATA passes in the NICs at both ends, 2 to 6
};

/// The options of NICs and of faults of their packets, and the parameters in JSON.
void describe(run::Fields& f, NicSpec& s);
void describe(run::Fields& f, FaultRates& s);  ///< the same

/// What a run with NIC barriers has cost; RunResult::own.
struct NicCost : run::Own<run::SystemResult, NicCost> {
  static constexpr std::string_view kSystem = "nic";  ///< System::name()

  std::uint64_t steps = 0;             ///< packets sent by NICs
  std::uint64_t nacks = 0;             ///< packets sent by NICs
  std::uint64_t not_yets = 0;          ///< packets sent by NICs
  std::uint64_t acks = 0;              ///< packets sent by NICs
  std::uint64_t data = 0;              ///< packets sent by NICs
  std::uint64_t doorbells = 0;         ///< host bus crossings, to the NIC
  std::uint64_t events = 0;            ///< host bus crossings, from the NIC
  std::uint64_t malformed = 0;         ///< messages dropped
  std::uint64_t unknown = 0;           ///< messages dropped
  std::uint64_t stale = 0;             ///< messages dropped
  std::uint64_t limited = 0;           ///< messages dropped
  std::uint32_t timeout = 0;           ///< T of the run, cycles
  std::uint64_t messages_planned = 0;  ///< STEPs or DATAs of a barrier of all groups together
  FaultCounts faults;                  ///< of all links
};

}  // namespace muster::nic
