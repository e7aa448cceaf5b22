// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/watched.hpp"

#include "systems/nic/blocks/nic_message.hpp"

namespace muster::nic {

std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits, const fabric::Formats&) {
  using Kind = run::SeenMessage::Kind;
  if (flits.front().sync() || fabric::Formats::opcode(flits.front()) != fabric::kOpcodeDevice)
    return std::nullopt;
  const std::optional<NicMessage> message = nic_message(flits);
  if (!message) return std::nullopt;
  switch (message->type) {
    case NicType::kStep:
      return run::SeenMessage{Kind::kStep, message->group};
    case NicType::kNack:
    case NicType::kNotYet:
      return run::SeenMessage{Kind::kRetry, message->group};
    case NicType::kAck:
      return run::SeenMessage{Kind::kAck, message->group};
    case NicType::kData:
      return run::SeenMessage{Kind::kDown, message->group};
  }
  return std::nullopt;
}

}  // namespace muster::nic
