// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/fabric/sync_credits.hpp"

namespace muster::fabric {

class Formats;
struct SwitchConfig;

/// What the last virtual channel of a switch's links carries.
enum class LastChannel : std::uint8_t {
  kAny,   ///< data, unless the run keeps it for the packets of devices
  kWorms  ///< packets of kOpcodeWorm and nothing else
};

/// A kind of switch that networks are made of. Each is one constant of the system that has it,
/// and is the same kind as another if it is the same object.
struct SwitchKind {
  std::string_view name;         ///< in results and messages
  std::string_view module;       ///< top module of its RTL: `top` in rtl/configurations.json
  std::uint32_t number = 0;      ///< in the identity word, docs/reference/registers.md
  std::uint32_t min_vcs = 1;     ///< virtual channels, 1..4
  std::uint32_t max_vcs = 4;     ///< likewise
  std::uint32_t usual_vcs = 1;   ///< fewest with which the kind is worth comparing with others
  std::uint32_t min_regs = 1;    ///< barrier registers or table entries
  std::uint32_t max_regs = 16;   ///< likewise
  std::uint32_t max_gid_w = 12;  ///< bits of a group identifier
  bool serial = false;           ///< there is a variant that takes one barrier message a cycle
  bool spill = false;            ///< there is a variant with a spill port
  bool retry = false;            ///< there is a variant whose registers repeat messages
  bool guard = false;            ///< there is a variant that guards itself, docs/systems/guard.md
  std::uint32_t max_groups = 0;  ///< of a variant with groups in block RAM; 0: there is none
  LastChannel last_channel = LastChannel::kAny;  ///< of every link
  /// Of what is not data; a variant with pockets differs, see fabric::sync_credits().
  SyncCredits sync_credits = SyncCredits::kNone;
  /// Flits of the barrier message that this flit, of kind core::Flit::kFirst, begins; 0 if it
  /// begins none. Of kinds with a barrier buffer.
  std::uint32_t (*message_flits)(const core::Flit& first) = nullptr;
  std::uint32_t min_depth = 1;  ///< flits in each input queue
  /// A credit of a flit is spent again 2 L + this many cycles after it was, on a link of latency L.
  std::uint32_t credit_turn = 3;
  /// Virtual channels that a node may take or cut for a barrier message, bits 0..3; those that the
  /// switch has count. Of kinds with a barrier buffer.
  std::uint8_t cuttable = 0;
  bool pads = false;   ///< puts pads (core::Flit::kPad) between the flits of a packet
  bool units = false;  ///< takes and begins packets of fabric::is_unit_opcode()
  /// Makes the golden bank, all switches as after reset, their routing tables empty. Throws
  /// InputError if the configuration is out of range.
  std::unique_ptr<core::Bank> (*golden)(std::uint32_t blocks, const SwitchConfig& config) = nullptr;
  /// What a sync flit on a link says, for reports. `flits`: those of its message that have come, it
  /// is the last; the function clears them when the message is whole. Empty if nothing is known
  /// yet. Null: reports show the bits only.
  std::string (*sync_text)(std::vector<core::Flit>& flits, const Formats& formats) = nullptr;
};

}  // namespace muster::fabric
