// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/formats.hpp"

/// Packets that read and write the registers of a switch, docs/reference/formats.md and
/// docs/systems/groups.md.
namespace muster::fabric {

/// A word of every flit of these packets.
inline std::uint32_t word_of(const core::Flit& flit) {
  return static_cast<std::uint32_t>(flit.lo & 0xffffu);
}

/// Flits of virtual channel `vc` that carry one word each.
inline std::vector<core::Flit> word_packet(std::span<const std::uint32_t> words, std::uint8_t vc) {
  std::vector<core::Flit> flits;
  for (const std::uint32_t word : words) flits.push_back({word & 0xffffu, 0, vc, 0, 0});
  flits.front().kind |= core::Flit::kHead;
  flits.back().kind |= core::Flit::kTail;
  return flits;
}

/// A read, or a write that is done if the word is `old`.
struct RegisterAccess {
  std::uint32_t destination = 0;  ///< of the switch
  std::uint32_t source = 0;       ///< where the answer goes
  std::uint32_t tag = 0;          ///< 0..31
  bool write = false;
  std::uint32_t address = 0;
  std::uint32_t old = 0, value = 0;
};

inline std::vector<core::Flit> register_request(const RegisterAccess& a, std::uint8_t vc) {
  const std::uint32_t words[kRequestFlits] = {
      a.destination | std::uint32_t{kOpcodeRequest} << kDestinationWidth,
      a.source | a.tag << kSourceWidth,
      a.address | (a.write ? 0x8000u : 0u),
      a.old,
      a.old >> 16,
      a.value,
      a.value >> 16};
  return word_packet(words, vc);
}

struct RegisterAnswer {
  std::uint32_t destination = 0;  ///< that of the request's source
  std::uint32_t by = 0;           ///< destination number of the switch
  std::uint32_t tag = 0;
  AccessStatus status = AccessStatus::kDone;
  std::uint32_t address = 0;
  std::uint32_t before = 0;  ///< the word before the write
};

/// REQUIRES: kAnswerFlits flits of a packet with kOpcodeAnswer.
inline RegisterAnswer register_answer(std::span<const core::Flit> flits) {
  return {Formats::destination(flits[0]),    word_of(flits[1]) & ((1u << kSourceWidth) - 1),
          word_of(flits[1]) >> kSourceWidth, static_cast<AccessStatus>(word_of(flits[2]) >> 12),
          word_of(flits[2]) & 0xfffu,        word_of(flits[3]) | word_of(flits[4]) << 16};
}

}  // namespace muster::fabric
