// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::nic {

/// The parameters of a built NIC barrier engine (docs/systems/nic-engine.md); names and ranges are
/// those of the RTL.
struct NicConfig {
  std::string name = "nic";
  std::uint32_t contexts = 4;  ///< groups served at once: 1..8
  std::uint32_t steps = 16;    ///< entries or events of a context: 2..32
  std::uint32_t conns = 16;    ///< connections of the point-to-point path: 1..32
  std::uint32_t records = 4;   ///< its send packets and records: 1..8
  std::uint32_t seq_w = 8;     ///< bits of all sequence numbers: 2..8
  std::uint32_t vcs = 1;       ///< of the link: 1..4
  std::uint32_t depth = 4;     ///< places in each queue of the switch: 1..16
  std::uint32_t flit_w = 16;   ///< bits of payload: 16..80
  std::uint32_t chained = 0;   ///< 1: an event unit (docs/systems/nic-engine.md): 0..1
  std::uint32_t addr_w = 11;   ///< bits of an address: 11, of golden alone up to 16

  friend bool operator==(const NicConfig&, const NicConfig&) = default;
};

/// The configuration itself. Throws InputError if a parameter is outside its range.
inline const NicConfig& validate(const NicConfig& config) {
  const auto check = [&](const char* parameter, std::uint32_t value, std::uint32_t low,
                         std::uint32_t high) {
    if (value >= low && value <= high) return;
    throw InputError("NIC configuration '{}': {} = {} is not in {}..{}", config.name, parameter,
                     value, low, high);
  };
  check("contexts", config.contexts, 1, 8);
  check("steps", config.steps, 2, 32);
  check("conns", config.conns, 1, 32);
  check("records", config.records, 1, 8);
  check("seq_w", config.seq_w, 2, 8);
  check("vcs", config.vcs, 1, 4);
  check("depth", config.depth, 1, 16);
  check("flit_w", config.flit_w, 16, 80);
  check("chained", config.chained, 0, 1);
  check("addr_w", config.addr_w, 11, std::min(config.flit_w - 5, 16u));
  return config;
}

inline constexpr std::uint32_t kNicFlits = 5;
inline constexpr unsigned kNicTypeWidth = 3, kNicSlotWidth = 5, kNicGroupWidth = 8,
                          kNicSequenceWidth = 8;
/// Of the number of counts that fire an event; 16 is written as 0.
inline constexpr unsigned kNicCountWidth = 4;

enum class NicType : std::uint8_t { kStep = 0, kNack = 1, kNotYet = 2, kAck = 3, kData = 4 };

/// A message between two NICs; docs/systems/nic-engine.md, Packets.
struct NicMessage {
  NicType type = NicType::kStep;
  std::uint32_t source = 0, destination = 0;  ///< nodes
  std::uint8_t slot = 0, group = 0;
  std::uint8_t barrier = 0;  ///< its sequence number
  std::uint8_t packet = 0;   ///< sequence number in its connection, or 0
  friend bool operator==(const NicMessage&, const NicMessage&) = default;
};

/// CRC-16, x^16 + x^12 + x^5 + 1, of the low 16 bits of `flits`, one by one from bit 15 down, from
/// all ones. Before them goes a word of the upper bits of both addresses, which is 0 where 11 bits
/// name all nodes and changes nothing then.
inline std::uint16_t nic_crc(std::span<const core::Flit> flits) {
  const auto add = [](std::uint32_t crc, std::uint64_t word) {
    crc ^= static_cast<std::uint32_t>(word & 0xffff);
    for (int bit = 0; bit < 16; ++bit) crc = (crc << 1) ^ (crc & 0x8000 ? 0x11021u : 0u);
    return crc;
  };
  const auto upper = [&](std::size_t i) { return fabric::address_of(flits[i].lo) >> 11; };
  std::uint32_t crc = 0xffff ^ add(0, upper(0) << 5 | upper(1));
  for (const core::Flit& flit : flits) crc = add(crc, flit.lo);
  return static_cast<std::uint16_t>(crc);
}

/// The flits of a message in virtual channel `vc`.
inline std::array<core::Flit, kNicFlits> nic_flits(const NicMessage& m, std::uint8_t vc) {
  std::array<core::Flit, kNicFlits> flits;
  for (core::Flit& flit : flits) flit.vc = vc;
  flits[0].kind = core::Flit::kHead;
  flits[0].lo = std::uint64_t{fabric::kOpcodeDevice} << fabric::kDestinationWidth |
                fabric::address_bits(m.destination);
  flits[1].lo = std::uint64_t{vc} << fabric::kSourceWidth | fabric::address_bits(m.source);
  flits[2].lo = std::uint64_t{static_cast<std::uint8_t>(m.type)} << 13 |
                std::uint64_t{m.slot} << kNicGroupWidth | m.group;
  flits[3].lo = std::uint64_t{m.packet} << kNicSequenceWidth | m.barrier;
  flits[4].kind = core::Flit::kTail;
  flits[4].lo = nic_crc(std::span(flits).first(kNicFlits - 1));
  return flits;
}

/// The message of a whole packet of opcode fabric::kOpcodeDevice, or none if it is not well formed:
/// length, CRC, type. A NIC with addresses of 11 bits clears those above first.
inline std::optional<NicMessage> nic_message(std::span<const core::Flit> flits) {
  if (flits.size() != kNicFlits || nic_crc(flits.first(kNicFlits - 1)) != (flits[4].lo & 0xffff))
    return std::nullopt;
  const auto word = [&](unsigned i) { return static_cast<std::uint32_t>(flits[i].lo & 0xffff); };
  if (word(2) >> 13 > static_cast<std::uint32_t>(NicType::kData)) return std::nullopt;
  return NicMessage{
      static_cast<NicType>(word(2) >> 13),    fabric::address_of(flits[1].lo),
      fabric::address_of(flits[0].lo),        static_cast<std::uint8_t>(word(2) >> 8 & 31),
      static_cast<std::uint8_t>(word(2)),     static_cast<std::uint8_t>(word(3)),
      static_cast<std::uint8_t>(word(3) >> 8)};
}

/// Puts the packets of NICs on one virtual channel of a link together.
class NicAssembly {
 public:
  /// The flits of the packet of a NIC that this one ends.
  std::optional<std::vector<core::Flit>> add(const core::Flit& flit) {
    if (flit.head()) flits_.clear();
    const bool ours =
        flit.head() ? fabric::Formats::opcode(flit) == fabric::kOpcodeDevice : !flits_.empty();
    if (!ours) return std::nullopt;
    flits_.push_back(flit);
    if (!flit.tail()) return std::nullopt;
    return std::exchange(flits_, {});
  }
  /// The sender of the packet in progress is gone.
  void clear() { flits_.clear(); }

 private:
  std::vector<core::Flit> flits_;
};

/// The barrier nearest to `barrier` whose sequence number is `number`. Barriers of a group that are
/// on the links at once are near each other.
inline std::uint64_t nearest_barrier(std::uint64_t barrier, std::uint8_t number) {
  return fabric::Formats(16, 16 - kNicSequenceWidth).barrier_near(barrier, number);
}

/// The host's side of a NIC, all that stands on its register port and event port in one cycle.
struct HostWires {
  bool access = false, write = false;  ///< in: a request on the register port
  std::uint32_t address = 0, data = 0;
  bool ready = false;      ///< in: the host takes the event of this cycle
  bool event = false;      ///< out, registered: an event word stands there
  std::uint32_t word = 0;  ///< out: it; see systems/nic/nic_registers.hpp
};

/// A bank of NIC barrier engines (docs/systems/nic-engine.md): blocks with one port, to the switch,
/// and a host's side. The host reads the outputs of a cycle and sets the inputs for its clock()
/// between two steps of the engine, and wakes the block if it has set any; clock() clears them.
class NicBank : public core::Bank {
 public:
  explicit NicBank(std::uint32_t nics) : core::Bank(nics, 1), hosts_(nics) {}
  HostWires& host(std::uint32_t nic) { return hosts_[nic]; }
  const HostWires& host(std::uint32_t nic) const { return hosts_[nic]; }

 protected:
  std::vector<HostWires> hosts_;
};

}  // namespace muster::nic
