// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/topology/graph.hpp"

namespace muster::fabric {

struct SwitchConfig;

/// What the last virtual channel of a switch's links carries.
enum class LastChannel : std::uint8_t {
  kAny,   ///< data, unless the run keeps it for the packets of devices
  kWorms  ///< packets of kOpcodeWorm and nothing else
};

/// A parameter of the RTL that makes a variant of a kind of switch; 0: switches without it.
struct VariantParameter {
  std::string_view param;          ///< in the RTL and rtl/configurations.json, "Spill"
  std::string_view name;           ///< in messages, "spill"
  std::string_view suffix = name;  ///< of the name of a switch that gets it, "sw8-spill"
  std::uint32_t most = 1;          ///< its greatest value
  std::uint32_t min_depth = 1;     ///< flits in each input queue
  std::uint32_t message_bits = 0;  ///< of a flit besides the group identifier, at least
  std::uint32_t most_ports = topology::kMaxPorts;  ///< that such a switch has
  bool pockets = false;  ///< a barrier message may wait where it comes in, in a pocket of its port
  bool queued = false;   ///< barrier messages come and go with the packets of virtual channel 0
  bool repeats = false;  ///< barrier messages are sent again
  bool buffers = false;  ///< the value is a number of barrier buffers of each port beyond the first
  /// Barrier messages name a register of the switch that they enter, not their group.
  bool labels = false;
  /// The value is a number of groups, a power of two, which are in a memory instead of registers,
  /// each at the place that is its identifier; with no other variant.
  bool group_memory = false;
  bool in_rdl = false;         ///< a parameter of the kind's register description too
  std::uint32_t excludes = 0;  ///< bit i: not with variant i of the kind
  std::uint32_t needs = 0;     ///< bit i: not without variant i of the kind
};

/// Of a kind that can count what its ports do, and nothing else (docs/systems/barrier-switch.md,
/// Counters).
inline constexpr VariantParameter kCountersAlone[] = {{.param = "Counters", .name = "counters"}};

/// That one kind can have.
inline constexpr std::size_t kMostVariantParameters = 11;
/// A value for each of SwitchKind::variants, in their order, and then 0. The system that has the
/// kind says what they mean.
using VariantValues = std::array<std::uint32_t, kMostVariantParameters>;

/// A kind of switch that networks are made of. Each is one constant of the system that has it,
/// and is the same kind as another if it is the same object.
struct SwitchKind {
  std::string_view name;    ///< in results and messages
  std::string_view module;  ///< top module of its RTL: `top` in rtl/configurations.json
  /// Parameter Architecture of a module that has several kinds; 0: `module` has this one alone.
  std::uint32_t architecture = 0;
  std::uint32_t number = 0;     ///< in the identity word, docs/reference/registers.md
  std::uint32_t min_vcs = 1;    ///< virtual channels, 1..4
  std::uint32_t max_vcs = 4;    ///< virtual channels, min_vcs..4
  std::uint32_t usual_vcs = 1;  ///< fewest with which the kind is worth comparing with others
  std::uint32_t min_regs = 1;   ///< barrier registers or table entries
  std::uint32_t max_regs = 16;  ///< barrier registers or table entries
  std::uint32_t max_gid_w = kMaxGidWidth;           ///< bits of a group identifier
  std::span<const VariantParameter> variants = {};  ///< at most kMostVariantParameters
  LastChannel last_channel = LastChannel::kAny;     ///< of every link
  /// Of what is not data; variants with pockets or queued messages differ, see
  /// fabric::sync_credits().
  SyncCredits sync_credits = SyncCredits::kNone;
  /// Flits of the barrier message that this flit, of kind core::Flit::kFirst, begins; 0 if it
  /// begins none. Of kinds with a barrier buffer.
  std::uint32_t (*message_flits)(const core::Flit& first, const Formats& formats) = nullptr;
  std::uint32_t min_depth = 1;                    ///< flits in each input queue
  std::uint32_t max_ports = topology::kMaxPorts;  ///< that a switch of the kind has
  std::uint32_t max_rtl_ports = 16;               ///< that its RTL has
  /// A credit of a flit is spent again 2 L + this many cycles after it was, on a link of latency L.
  std::uint32_t credit_turn = 3;
  /// Virtual channels that a node may take or cut for a barrier message, bits 0..3; those that the
  /// switch has count. Of kinds with a barrier buffer.
  std::uint8_t cuttable = 0;
  bool pads = false;    ///< puts pads (core::Flit::kPad) between the flits of a packet
  bool units = false;   ///< takes and begins packets of fabric::is_unit_opcode()
  bool phases = false;  ///< golden ones take routes on which packets change their virtual channel
  /// A write of the host is done at the edge of the cycle after its request.
  bool late_writes = false;
  /// Makes the golden bank, all switches as after reset, their routing tables empty. Throws
  /// InputError if the configuration is out of range.
  std::unique_ptr<core::Bank> (*golden)(std::uint32_t blocks, const SwitchConfig& config) = nullptr;
  /// What a sync flit on a link says, for reports. `flits`: those of its message that have come, it
  /// is the last; the function clears them when the message is whole. Empty if nothing is known
  /// yet. Null: reports show the bits only.
  std::string (*sync_text)(std::vector<core::Flit>& flits, const Formats& formats) = nullptr;
};

/// The parameters of a built switch, one entry of rtl/configurations.json. The names and ranges are
/// those of the RTL. GidW of at most 12 leaves FlitW - 2 - GidW >= 2 bits of data in any barrier
/// message.
struct SwitchConfig {
  std::string name;                  ///< for `--config` and results
  std::uint32_t ports = 8;           ///< k: 3..64, the most is the kind's
  std::uint32_t vcs = 2;             ///< virtual channels: 1..4, the range is the kind's
  std::uint32_t depth = 4;           ///< flits in each input queue: 1..16, the least is the kind's
  std::uint32_t regs = 4;            ///< barrier registers: 1..16, the range is the kind's
  std::uint32_t flit_w = 16;         ///< bits of payload: 16..80; with 16 dests is 2048 at most
  std::uint32_t gid_w = 8;           ///< bits of a group identifier: 4..12, the most is the kind's
  std::uint32_t dests = 2048;        ///< entries of the routing table: 16..65536, see flit_w
  const SwitchKind* kind = nullptr;  ///< always set; a constant of a system
  VariantValues variant = {};        ///< of SwitchKind::variants

  friend bool operator==(const SwitchConfig&, const SwitchConfig&) = default;
};

/// One of the variants that it is has this property.
inline bool has(const SwitchConfig& config, bool VariantParameter::*property) {
  for (std::size_t i = 0; i < config.kind->variants.size(); ++i)
    if (config.variant[i] != 0 && config.kind->variants[i].*property) return true;
  return false;
}

/// A barrier message may wait where it comes in, in a pocket of its port.
inline bool has_pockets(const SwitchConfig& config) {
  return has(config, &VariantParameter::pockets);
}
/// Its barrier messages are sent again.
inline bool repeats(const SwitchConfig& config) { return has(config, &VariantParameter::repeats); }

/// Its barrier messages name registers, not groups.
inline bool labels(const SwitchConfig& config) { return has(config, &VariantParameter::labels); }

/// Groups that a SwitchConfig has, or a Requirement needs, in a memory; 0: groups in registers.
inline std::uint32_t group_memory(const auto& of) {
  for (std::size_t i = 0; i < of.kind->variants.size(); ++i)
    if (of.kind->variants[i].group_memory) return of.variant[i];
  return 0;
}

/// Groups that a switch holds at once, without those that it hands to others.
inline std::uint32_t group_places(const SwitchConfig& config) {
  const std::uint32_t memory = group_memory(config);
  return memory != 0 ? memory : config.regs;
}

/// Which credits sync flits take on the links of the switches.
inline SyncCredits sync_credits(const SwitchConfig& config) {
  if (has(config, &VariantParameter::queued)) return SyncCredits::kQueued;
  return has_pockets(config) ? SyncCredits::kPocket : config.kind->sync_credits;
}

/// Barrier buffers of each input port, and so the credits for messages on a link.
inline std::uint32_t barrier_buffers(const SwitchConfig& config) {
  std::uint32_t buffers = 1;
  for (std::size_t i = 0; i < config.kind->variants.size(); ++i)
    if (config.kind->variants[i].buffers) buffers += config.variant[i];
  return buffers;
}

/// What the links of the switches carry.
inline Formats formats(const SwitchConfig& config) {
  return {config.flit_w, config.gid_w, config.dests};
}

/// The configuration itself. Throws InputError if a parameter is outside its range, InternalError
/// if it has no kind.
inline const SwitchConfig& validate(const SwitchConfig& config) {
  if (config.kind == nullptr)
    throw InternalError("switch configuration '{}' has no kind", config.name);
  const auto check = [&](std::string_view parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value >= low && value <= high) return;
    throw InputError("switch configuration '{}': {} = {} is not in {}..{}", config.name, parameter,
                     value, low, high);
  };
  check("ports", config.ports, 3, config.kind->max_ports);
  check("vcs", config.vcs, config.kind->min_vcs, config.kind->max_vcs);
  check("depth", config.depth, config.kind->min_depth, 16);
  check("regs", config.regs, config.kind->min_regs, config.kind->max_regs);
  check("flit_w", config.flit_w, kMinFlitWidth, kMaxFlitWidth);
  check("gid_w", config.gid_w, kMinGidWidth, config.kind->max_gid_w);
  check("dests", config.dests, 16, std::min(addresses(config.flit_w), kMostDestinations));
  if (has_pockets(config)) check("vcs", config.vcs, config.kind->min_vcs, 3);  // and its credit
  const std::size_t known = config.kind->variants.size();
  for (std::size_t i = known; i < config.variant.size(); ++i)
    check("variant", config.variant[i], 0, 0);
  for (std::size_t i = 0; i < known; ++i) {
    const VariantParameter& p = config.kind->variants[i];
    const std::uint32_t value = config.variant[i];
    if (value == 0) continue;
    bool excluded = !p.group_memory && group_memory(config) != 0;
    for (std::size_t other = 0; other < known; ++other)
      excluded |= (((config.variant[other] != 0) ? p.excludes : p.needs) >> other & 1) != 0;
    const std::uint32_t most = p.group_memory ? std::min(p.most, 1u << config.gid_w) : p.most;
    check(p.name, value, p.group_memory ? 2 : 0, excluded ? 0 : most);
    if (p.group_memory && !std::has_single_bit(value))
      throw InputError("switch configuration '{}': {} = {} is no power of two", config.name, p.name,
                       value);
    check("depth", config.depth, p.min_depth, 16);
    check("ports", config.ports, 3, p.most_ports);
    if (p.message_bits != 0)
      check("flit_w", config.flit_w, config.gid_w + p.message_bits, kMaxFlitWidth);
  }
  return config;
}

/// What the largest switch of a run needs.
struct Requirement {
  std::uint32_t ports = 0;  ///< at least
  std::uint32_t regs = 0;   ///< barrier registers or table entries, at least
  std::uint32_t dests = 0;  ///< entries of the routing table, at least
  std::uint32_t vcs = 1;    ///< 2 if barrier messages or worms have a virtual channel of their own
  std::uint32_t usual_vcs = 1;       ///< virtual channels, at least, if there is such a switch
  std::uint32_t depth = 0;           ///< flits in each input queue, exactly; 0: any
  const SwitchKind* kind = nullptr;  ///< always set
  std::uint32_t data_w = 0;          ///< bits of data in a barrier message, at least
  std::uint32_t flit_w = 0;          ///< bits of payload, at least
  VariantValues variant = {};        ///< of SwitchKind::variants: 0, or at least
};

}  // namespace muster::fabric
