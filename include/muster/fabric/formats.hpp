// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"

/// The C++ mirror of rtl/common/muster_pkg.sv; the prose is docs/reference/formats.md. A test
/// compares the constants with the package one by one.
namespace muster::fabric {

inline constexpr unsigned kMinFlitWidth = 16;  ///< FlitW, bits
inline constexpr unsigned kMaxFlitWidth = 80;  ///< FlitW, bits
inline constexpr unsigned kMinGidWidth = 4;    ///< GidW, bits
inline constexpr unsigned kMaxGidWidth = 12;   ///< GidW, bits

inline constexpr unsigned kTypeWidth = 2;  ///< bits of a barrier message's type
/// Types of barrier messages.
enum class MessageType : std::uint8_t {
  kReduction = 0,     ///< towards the root
  kDistribution = 1,  ///< from the root
  kSpillPlace = 2,    ///< between a switch and its spill node, before the data
  kSpillData = 3      ///< the message itself
};

/// Bits of data that a barrier message begins with where registers repeat: phase, fail, epoch.
inline constexpr unsigned kRetryWidth = 4;

inline constexpr unsigned kDestinationWidth = 11;   ///< bits, of a head of 16 bits
inline constexpr unsigned kDestinationHighAt = 16;  ///< bit of a head where those above begin
inline constexpr unsigned kOpcodeWidth = 5;         ///< bits, of a head
inline constexpr unsigned kSourceWidth = 11;        ///< bits, of flit 1 of 16 bits
inline constexpr unsigned kStreamWidth = 5;         ///< bits, of flit 1
/// Destinations that addresses can name at most.
inline constexpr std::uint32_t kMostDestinations = 1u << 16;

/// An address, of a node or a switch, in a flit: bits 10..0 of the payload are its bits 10..0, bits
/// 20..16 its bits 15..11, as far as FlitW reaches.
constexpr std::uint64_t address_bits(std::uint32_t address) {
  return (address & 0x7ffu) | std::uint64_t{address >> 11 & 31u} << kDestinationHighAt;
}
/// What address_bits() has made of an address, whatever lies between.
constexpr std::uint32_t address_of(std::uint64_t payload) {
  return static_cast<std::uint32_t>((payload & 0x7ffu) | (payload >> kDestinationHighAt & 31u)
                                                             << 11);
}
/// Addresses that flits of so many bits can name.
constexpr std::uint32_t addresses(unsigned flit_width) {
  return flit_width >= 21 ? 1u << 16 : 1u << (flit_width - kOpcodeWidth);
}
/// The least FlitW that can name so many addresses, at most 2^16.
constexpr unsigned flit_width_for(std::uint32_t count) {
  unsigned width = kMinFlitWidth;
  while (addresses(width) < count) ++width;
  return width;
}
inline constexpr unsigned kWayAt = 21;         ///< bit of a head where its way begins
inline constexpr unsigned kWayWidth = 11;      ///< bits of it, with FlitW of at least kWayFlitWidth
inline constexpr unsigned kWayFlitWidth = 32;  ///< bits
inline constexpr unsigned kSequenceWidth = 16;     ///< bits, of flit 2
inline constexpr std::uint8_t kOpcodeData = 0;     ///< background data
inline constexpr std::uint8_t kOpcodeArrival = 8;  ///< of a barrier by packets
inline constexpr std::uint8_t kOpcodeRelease = 9;  ///< of a barrier by packets
inline constexpr std::uint8_t kOpcodeWorm = 10;    ///< to several nodes
inline constexpr std::uint8_t kOpcodeAck = 11;     ///< of a worm
inline constexpr std::uint8_t kOpcodeRequest = 1;  ///< to the registers of a switch
inline constexpr std::uint8_t kOpcodeAnswer = 2;   ///< of a switch
inline constexpr std::uint8_t kOpcodeGroup = 3;    ///< between nodes, about a group
/// Of switches with a barrier unit (docs/systems/baselines.md), which have no RTL: messages of a
/// member to its switch, of a switch to a member, and between switches.
inline constexpr std::uint8_t kOpcodeUnitArrival = 12;
inline constexpr std::uint8_t kOpcodeUnitRelease = 13;  ///< see there
inline constexpr std::uint8_t kOpcodeUnitAck = 14;      ///< see there
/// Between two devices of nodes (muster/fabric/network.hpp).
inline constexpr std::uint8_t kOpcodeDevice = 16;
inline constexpr std::uint32_t kRequestFlits = 7;  ///< of a register request, at most
inline constexpr std::uint32_t kAnswerFlits = 5;   ///< of its answer
/// What a switch says in its answer to a register request.
enum class AccessStatus : std::uint8_t {
  kDone = 0,         ///< read or written
  kDiffers = 1,      ///< the word is not the expected one
  kNoPermit = 2,     ///< at the port where the request came in
  kNotWritable = 3,  ///< by packets
  kBusy = 4  ///< not done, not even a read: the host was at the registers all the time; repeat it
};
inline constexpr std::uint32_t kMinDataFlits = 3;  ///< head, source, sequence (tail)

/// FlitW bits of a flit's payload.
struct Payload {
  std::uint64_t lo = 0;  ///< bits 63..0
  std::uint16_t hi = 0;  ///< bits 79..64
  friend bool operator==(const Payload&, const Payload&) = default;
};

__extension__ using Wide = unsigned __int128;  ///< a payload as one number
constexpr Wide wide(const Payload& p) { return Wide{p.hi} << 64 | p.lo; }  ///< as one number
/// Of the low bits of a number.
constexpr Payload payload_of(Wide wide) {
  return {static_cast<std::uint64_t>(wide), static_cast<std::uint16_t>(wide >> 64)};
}

/// A barrier message in its fields. `data` has FlitW - 2 - GidW bits, up to 74.
struct BarrierMessage {
  MessageType type = MessageType::kReduction;  ///< 2 bits
  std::uint32_t gid = 0;                       ///< group, GidW bits
  Payload data;                                ///< synchronization data
  friend bool operator==(const BarrierMessage&, const BarrierMessage&) = default;
};

/// What a spill place says beside the group: a message's type, and the port of the switch where it
/// came in or is to go out.
struct SpillPlace {
  MessageType type = MessageType::kReduction;  ///< of the message that follows
  std::uint32_t port = 0;                      ///< of the switch
};
inline constexpr unsigned kSpillPlaceWidth = 5;  ///< bits of data it needs

/// The first of the two messages that carry a reduction or distribution message to or from a node.
inline BarrierMessage spill_place(const BarrierMessage& of, std::uint32_t port) {
  return {MessageType::kSpillPlace, of.gid, {static_cast<std::uint64_t>(of.type) << 4 | port, 0}};
}
/// What such a message says.
inline SpillPlace spill_place(const BarrierMessage& place) {
  return {static_cast<MessageType>(place.data.lo >> 4 & 1),
          static_cast<std::uint32_t>(place.data.lo & 0xf)};
}

/// A packet as its source sees it. Flits 0, 1, 2 are head, source and stream, sequence. One that
/// changes its virtual channel is numbered with those of its stream, which is its first, and way.
struct Packet {
  std::uint32_t source = 0;              ///< node
  std::uint32_t destination = 0;         ///< nodes first, then switches
  std::uint32_t length = kMinDataFlits;  ///< flits
  std::uint16_t sequence = 0;            ///< of source, destination and channel, modulo 2^16
  std::uint8_t vc = 0;                   ///< virtual channel in which it begins, 0..3
  std::uint8_t opcode = kOpcodeData;     ///< 0..31
  std::uint16_t way = 0;                 ///< see topology::Phases; 0: none
};

/// A barrier message between two nodes as a packet: an arrival to the root node, or a release from
/// it.
struct BarrierPacket {
  std::uint32_t source = 0;              ///< node
  std::uint32_t destination = 0;         ///< node
  std::uint32_t gid = 0;                 ///< group, GidW bits
  std::uint32_t number = 0;              ///< of the barrier, modulo 2^Formats::number_width()
  std::uint8_t opcode = kOpcodeArrival;  ///< of is_barrier_opcode() or is_unit_opcode()
  friend bool operator==(const BarrierPacket&, const BarrierPacket&) = default;
};
inline constexpr std::uint32_t kBarrierPacketFlits = 3;  ///< head, source, number and group
/// A worm is a barrier packet with up to so many address flits for a head; at a node it has one.
inline constexpr std::uint32_t kWormAddresses = 64;

/// True for the opcodes of BarrierPacket.
constexpr bool is_barrier_opcode(std::uint8_t opcode) {
  return opcode == kOpcodeArrival || opcode == kOpcodeRelease || opcode == kOpcodeWorm ||
         opcode == kOpcodeAck;
}

/// True for the opcodes of barrier units; their packets are as a BarrierPacket, between addresses.
constexpr bool is_unit_opcode(std::uint8_t opcode) {
  return opcode >= kOpcodeUnitArrival && opcode <= kOpcodeUnitAck;
}

/// The word that flit i > 2 of a data packet carries; both ends compute it, the low FlitW bits
/// count. Bits 79..64 of a wider flit are the low 16 bits of mix64 of this word.
inline std::uint64_t data_word(std::uint32_t source, std::uint32_t destination,
                               std::uint16_t sequence, std::uint32_t i) {
  const std::uint64_t where = (std::uint64_t{source} << 48) | (std::uint64_t{destination} << 32);
  return mix64(where | (std::uint64_t{sequence} << 16) | (i & 0xffffu));
}

/// Builds and reads the flits of links with one flit and group id width.
class Formats {
 public:
  /// FlitW and GidW in bits, in their ranges; entries of the routing tables.
  constexpr Formats(unsigned flit_width, unsigned gid_width,
                    std::uint32_t dests = 1u << kDestinationWidth)
      : flit_width_(flit_width), gid_width_(gid_width), dests_(dests) {}

  constexpr unsigned flit_width() const { return flit_width_; }  ///< FlitW, bits
  constexpr unsigned gid_width() const { return gid_width_; }    ///< GidW, bits
  constexpr std::uint32_t dests() const { return dests_; }       ///< destinations of the network
  /// Bits of synchronization data in a barrier message.
  constexpr unsigned data_width() const { return flit_width_ - kTypeWidth - gid_width_; }

  /// The low `width` (1..80) bits of a payload.
  static constexpr Payload low_bits(Payload p, unsigned width) {
    if (width <= 64) return {width == 64 ? p.lo : p.lo & ((std::uint64_t{1} << width) - 1), 0};
    return {p.lo, static_cast<std::uint16_t>(p.hi & ((1u << (width - 64)) - 1))};
  }

  /// The one flit of a barrier message; fields are cut to their widths.
  core::Flit barrier_flit(const BarrierMessage& message, std::uint8_t vc) const {
    const Wide head = (Wide{static_cast<std::uint8_t>(message.type)} << gid_width_) |
                      (message.gid & ((1u << gid_width_) - 1));
    const Payload all =
        payload_of(head << data_width() | wide(low_bits(message.data, data_width())));
    return {.lo = all.lo, .hi = all.hi, .vc = vc, .kind = core::Flit::kSync};
  }

  /// The fields of a barrier message. REQUIRES: a sync flit.
  BarrierMessage barrier_message(const core::Flit& flit) const {
    const auto head = static_cast<std::uint32_t>(wide({flit.lo, flit.hi}) >> data_width());
    return {static_cast<MessageType>((head >> gid_width_) & 3u), head & ((1u << gid_width_) - 1),
            low_bits({flit.lo, flit.hi}, data_width())};
  }

  /// Flit `i` < length of a data packet.
  core::Flit packet_flit(const Packet& packet, std::uint32_t i) const {
    core::Flit flit;
    flit.vc = packet.vc;
    if (i == 0) {
      flit.kind = core::Flit::kHead;
      flit.lo = address_bits(packet.destination) |
                (std::uint64_t{packet.opcode} << kDestinationWidth) |
                std::uint64_t{packet.way} << kWayAt;
    } else if (i == 1) {
      flit.lo = address_bits(packet.source) | (std::uint64_t{packet.vc & 31u} << kSourceWidth);
    } else if (i == 2) {
      flit.lo = packet.sequence;
    } else {
      const Payload word = body(packet.source, packet.destination, packet.sequence, i);
      flit.lo = word.lo;
      flit.hi = word.hi;
    }
    if (i + 1 == packet.length) flit.kind |= core::Flit::kTail;
    return flit;
  }

  /// The payload of flit i > 2 of a data packet.
  Payload body(std::uint32_t source, std::uint32_t destination, std::uint16_t sequence,
               std::uint32_t i) const {
    const std::uint64_t word = data_word(source, destination, sequence, i);
    if (flit_width_ <= 64) return low_bits({word, 0}, flit_width_);
    return low_bits({word, static_cast<std::uint16_t>(mix64(word))}, flit_width_);
  }

  /// Bits of a barrier's number in a barrier packet.
  constexpr unsigned number_width() const { return kSequenceWidth - gid_width_; }

  /// The flits of a barrier packet in virtual channel `vc`.
  std::vector<core::Flit> barrier_packet(const BarrierPacket& packet, std::uint8_t vc) const {
    std::vector<core::Flit> flits(kBarrierPacketFlits);
    flits[0].kind = core::Flit::kHead;
    flits[0].lo =
        address_bits(packet.destination) | (std::uint64_t{packet.opcode} << kDestinationWidth);
    flits[1].lo = address_bits(packet.source) | (std::uint64_t{vc} << kSourceWidth);
    flits[2].kind = core::Flit::kTail;
    const std::uint32_t number = packet.number & ((1u << number_width()) - 1);
    flits[2].lo = packet.gid | (std::uint64_t{number} << gid_width_);
    for (core::Flit& flit : flits) flit.vc = vc;
    return flits;
  }

  /// The flits of a worm: an address flit for each destination (1 to kWormAddresses), then what the
  /// packet says of source and barrier.
  std::vector<core::Flit> worm(std::span<const std::uint32_t> destinations,
                               const BarrierPacket& packet, std::uint8_t vc) const {
    const std::vector<core::Flit> one = barrier_packet(packet, vc);
    std::vector<core::Flit> flits(destinations.size(), one[0]);
    for (std::size_t i = 0; i < flits.size(); ++i) {
      flits[i].lo =
          address_bits(destinations[i]) | (std::uint64_t{kOpcodeWorm} << kDestinationWidth);
      flits[i].kind = i == 0 ? core::Flit::kHead : std::uint8_t{0};
    }
    flits.insert(flits.end(), one.begin() + 1, one.end());
    return flits;
  }

  /// What the last flit of a barrier packet says.
  struct BarrierOf {
    std::uint32_t gid;     ///< group
    std::uint32_t number;  ///< of the barrier, modulo 2^number_width()
  };
  /// The fields of the last flit of a barrier packet.
  BarrierOf barrier_of(const core::Flit& last) const {
    const auto word = static_cast<std::uint32_t>(last.lo & 0xffffu);
    return {word & ((1u << gid_width_) - 1), word >> gid_width_};
  }

  /// The fields of a barrier packet. REQUIRES: kBarrierPacketFlits flits.
  BarrierPacket barrier_packet(std::span<const core::Flit> flits) const {
    const BarrierOf of = barrier_of(flits[2]);
    return {source(flits[1]), destination(flits[0]), of.gid, of.number, opcode(flits[0])};
  }

  /// The barrier nearest to `near` whose number in a packet is `number`.
  std::uint64_t barrier_near(std::uint64_t near, std::uint32_t number) const {
    const std::uint64_t modulus = std::uint64_t{1} << number_width();
    const std::uint64_t ahead = (number - near) & (modulus - 1);
    return ahead > modulus / 2 && near + ahead >= modulus ? near + ahead - modulus : near + ahead;
  }

  /// Of the head of a packet.
  static std::uint32_t destination(const core::Flit& head) { return address_of(head.lo); }
  /// Of the head of a packet.
  static std::uint8_t opcode(const core::Flit& head) { return opcode(head.lo); }
  /// Of its payload.
  static std::uint8_t opcode(std::uint64_t head) {
    return static_cast<std::uint8_t>((head >> kDestinationWidth) & ((1u << kOpcodeWidth) - 1));
  }
  /// Of the head of a packet; 0 where heads name none.
  static std::uint32_t way(const core::Flit& head) { return way(head.lo); }
  /// Of its payload.
  static std::uint32_t way(std::uint64_t head) {
    return static_cast<std::uint32_t>(head >> kWayAt & ((1u << kWayWidth) - 1));
  }
  /// Of flit 1 of a data packet.
  static std::uint32_t source(const core::Flit& flit) { return address_of(flit.lo); }
  /// Of flit 1 of a packet.
  static std::uint8_t stream(const core::Flit& flit) { return stream(flit.lo); }
  /// Of its payload.
  static std::uint8_t stream(std::uint64_t second) {
    return static_cast<std::uint8_t>((second >> kSourceWidth) & ((1u << kStreamWidth) - 1));
  }
  /// Of flit 2 of a data packet.
  static std::uint16_t sequence(const core::Flit& flit) {
    return static_cast<std::uint16_t>(flit.lo);
  }

 private:
  unsigned flit_width_, gid_width_;
  std::uint32_t dests_;
};

}  // namespace muster::fabric
