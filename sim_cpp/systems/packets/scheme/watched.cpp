// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/watched.hpp"

namespace muster::packets {

std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                     const fabric::Formats& formats) {
  using Kind = run::SeenMessage::Kind;
  if (flits.front().sync()) return std::nullopt;
  const auto message = [&](Kind kind) {
    return run::SeenMessage{kind, formats.barrier_of(flits.back()).gid};
  };
  switch (fabric::Formats::opcode(flits.front())) {
    case fabric::kOpcodeArrival:
    case fabric::kOpcodeUnitArrival:
      return message(Kind::kUp);
    case fabric::kOpcodeRelease:
    case fabric::kOpcodeWorm:
    case fabric::kOpcodeUnitRelease:
      return message(Kind::kDown);
    case fabric::kOpcodeAck:
    case fabric::kOpcodeUnitAck:
      return message(Kind::kAck);
    default:
      return std::nullopt;
  }
}

}  // namespace muster::packets
