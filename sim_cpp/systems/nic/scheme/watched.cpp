// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/watched.hpp"

#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/blocks/nic_registers.hpp"

namespace muster::nic {

namespace regs = registers;

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

void add_contexts(core::Bank& devices, topology::NodeId node, std::vector<run::NodeContext>& out) {
  using Context = run::NodeContext;
  const std::uint32_t sizes = devices.read_register(node, regs::kSizes);
  const bool events = regs::kSizesChained.of(sizes) != 0;
  for (std::uint32_t c = 0; c < regs::kSizesContexts.of(sizes); ++c) {
    const std::uint32_t control = devices.read_register(node, regs::control(c));
    if (regs::kContextsControlValid.of(control) == 0) continue;
    std::uint32_t flags = Context::kValid | (events ? Context::kEvents : 0);
    if (regs::kContextsControlDirect.of(control) != 0) flags |= Context::kDirect;
    out.push_back({.place = c,
                   .gid = regs::kContextsControlGid.of(control),
                   .flags = static_cast<std::uint16_t>(flags),
                   .phase = static_cast<Context::Phase>(regs::kContextsControlPhase.of(control)),
                   .number = regs::kContextsControlSeq.of(control),
                   .entry = regs::kContextsControlPc.of(control),
                   .received = devices.read_register(node, regs::received(c)),
                   .sent = devices.read_register(node, regs::sent(c))});
  }
}

}  // namespace muster::nic
