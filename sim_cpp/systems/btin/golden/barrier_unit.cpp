// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_unit.hpp"

#include <optional>

namespace muster::golden {

using core::Flit;
using fabric::BarrierMessage;
using fabric::MessageType;

BarrierUnit::BarrierUnit(const fabric::SwitchConfig& config)
    : formats_(config.flit_w, config.gid_w),
      ports_(config.ports),
      regs_(config.regs),
      registers_(config.regs) {
  for (BarrierRegister& r : registers_) {
    r.data.width = static_cast<std::uint8_t>(formats_.data_width());
    r.data.serial = config.serial;
  }
  if (config.groups != 0) many_ = std::make_unique<ManyUnit>(config);
  if (config.retry) retry_ = std::make_unique<RetryUnit>(config);
}

Flit BarrierUnit::message(std::uint32_t port) const {
  if (many_) return formats_.barrier_flit(many_->message(), 0);
  if (retry_) return formats_.barrier_flit(retry_->message(port), 0);
  return formats_.barrier_flit(registers_[candidate(port)].message(port), 0);
}

std::uint32_t BarrierUnit::find(std::uint32_t gid) const {
  std::uint32_t r = 0;
  while (r < regs_ && !(registers_[r].valid && registers_[r].gid == gid)) ++r;
  return r;
}

void BarrierUnit::edge_of_many(std::uint16_t ports, const PortMessages& messages,
                               std::uint16_t departed) {
  std::optional<ManyUnit::Taken> taken;
  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    taken = {port, message};
  });
  const auto verdict = many_->edge(taken, departed);
  if (verdict && verdict->fate != ManyUnit::Fate::kTaken) {
    drop(verdict->of.port, verdict->of.message, verdict->fate == ManyUnit::Fate::kRefused);
  }
  requested_ = many_->requested();
}

void BarrierUnit::edge_of_retry(std::uint16_t ports, const PortMessages& messages,
                                std::uint16_t departed) {
  std::uint16_t formed = 0;
  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    formed |= static_cast<std::uint16_t>(bit(port));
  });
  const RetryUnit::Fates fates = retry_->edge(formed, messages, departed);
  for_each_bit(formed, [&](std::uint32_t port) {
    if (fates[port] == RetryUnit::Fate::kTaken) return;
    drop(port, formats_.barrier_message(messages.at(port)),
         fates[port] == RetryUnit::Fate::kRefused);
  });
}

void BarrierUnit::edge(std::uint16_t ports, const PortMessages& messages, std::uint16_t departed,
                       std::uint16_t malformed) {
  if (many_) return edge_of_many(ports, messages, departed);
  if (retry_) return edge_of_retry(ports, messages, departed);
  std::array<Arrivals, kMaxRegisters> arrivals{};
  std::array<std::uint16_t, kMaxRegisters> left{};
  std::array<fabric::Payload, kMaxPorts> data;  // by port: one message each that counts
  std::uint16_t touched = busy_;

  for_each_bit(ports, [&](std::uint32_t port) {
    const BarrierMessage message = formats_.barrier_message(messages.at(port));
    if (message.type > MessageType::kDistribution) return drop(port, message, false);
    const std::uint32_t r = find(message.gid);
    if (r == regs_) return drop(port, message, false);
    if (!registers_[r].accepts(message.type, port)) return drop(port, message, true);

    touched |= static_cast<std::uint16_t>(bit(r));
    if (message.type == MessageType::kReduction) {
      arrivals[r].reductions |= static_cast<std::uint16_t>(bit(port));
      arrivals[r].data = data.data();
      data[port] = message.data;
    } else {
      arrivals[r].distribution = true;
      arrivals[r].down = message.data;
    }
  });
  for_each_bit(malformed, [&](std::uint32_t port) {
    drop(port, formats_.barrier_message(messages.at(port)), false);
  });

  for_each_bit(departed, [&](std::uint32_t port) {
    const std::uint32_t r = candidate(port);
    pointer_[port] = static_cast<std::uint8_t>(r + 1 == regs_ ? 0 : r + 1);
    left[r] |= static_cast<std::uint16_t>(bit(port));
    touched |= static_cast<std::uint16_t>(bit(r));
  });
  for_each_bit(touched, [&](std::uint32_t r) {
    registers_[r].edge(arrivals[r], left[r]);
    update_requests(r);
  });
}

void BarrierUnit::drop(std::uint32_t port, const BarrierMessage& message, bool known) {
  constexpr std::uint32_t kKnownShift = 22, kTypeShift = 20;
  drops_.note(port, std::uint32_t{known} << kKnownShift |
                        static_cast<std::uint32_t>(message.type) << kTypeShift | message.gid);
}

BarrierRegister BarrierUnit::written(std::uint32_t r) const {
  if (!retry_) return registers_[r];
  const std::uint32_t control = retry_->read(4 * r);
  BarrierRegister kept;
  kept.valid = has(control, 31);
  kept.reflect = has(control, 30);
  kept.claimed = has(control, 29);
  kept.parent = static_cast<std::uint8_t>(control >> 16 & 0xf);
  kept.gid = static_cast<std::uint16_t>(control & 0xfff);
  kept.children = static_cast<std::uint16_t>(retry_->read(4 * r + 1));
  return kept;
}

void BarrierUnit::write(std::uint32_t r, const BarrierRegister& value) {
  registers_[r] = value;
  update_requests(r);
}

void BarrierUnit::update_requests(std::uint32_t r) {
  const auto here = static_cast<std::uint16_t>(bit(r));
  busy_ = static_cast<std::uint16_t>(registers_[r].busy() ? busy_ | here : busy_ & ~here);
  const std::uint16_t now = registers_[r].requests(ports_);
  for_each_bit(now ^ announced_[r], [&](std::uint32_t port) {
    requests_[port] ^= static_cast<std::uint16_t>(bit(r));
    if (requests_[port] != 0) {
      requested_ |= static_cast<std::uint16_t>(bit(port));
    } else {
      requested_ &= static_cast<std::uint16_t>(~bit(port));
    }
  });
  announced_[r] = now;
}

}  // namespace muster::golden
