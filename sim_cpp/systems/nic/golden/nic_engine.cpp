// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_engine.hpp"

namespace muster::golden {

void NicEngine::write_register(std::uint32_t address, std::uint32_t value) {
  if (address == nic_regs::kAddress) {
    address_ = fabric::address_of(value) & ((1u << config_.addr_w) - 1);
    channel_ = static_cast<std::uint8_t>(value >> 12 & 3);
  } else if (address == nic_regs::kTimes) {
    times_.timeout = value & 0xffff;
    times_.retries = value >> 16 & 15;
    times_.gap = value >> 20;
  } else if (address == nic_regs::kQuiet) {
    times_.quiet = value & 0xffffff;
  } else if (address == nic_regs::kSend) {
    const Pick pick =
        choose_token({.access = true, .write = true, .address = address, .data = value});
    if (pick.token) direct_.push(pick.peer, *pick.token);
    if (pick.refused) count_up(refused_);
  } else if (address >= kNicEntries && address < kNicEntries + 32 * config_.contexts) {
    const std::uint32_t c = (address - kNicEntries) / 32, s = address % 32;
    if (s >= config_.steps) return;
    if (unit_)
      unit_->write_event(c, s, value);
    else
      contexts_[c].write_entry(s, value);
  } else if (address >= kNicConnections && address < kNicConnections + config_.conns) {
    direct_.write(address - kNicConnections, value);
  } else if (address >= kNicContexts && address < kNicContexts + 4 * config_.contexts) {
    write_context((address - kNicContexts) / 4, address % 4, value);
  }
}

void NicEngine::write_context(std::uint32_t c, std::uint32_t word, std::uint32_t value) {
  if (word > 1) return;
  if (word == 1 && !accepts(c, value))
    count_up(refused_);
  else if (!unit_)
    if (word == 0)
      contexts_[c].write_control(value);
    else
      contexts_[c].ring(value);
  else if (word == 0)
    unit_->write_control(c, value);
  else if (value & nic_regs::kContextsDoorbellReleases.mask())
    unit_->release(c);
  else
    unit_->clock({.started = c});
}

std::uint32_t NicEngine::read_context(std::uint32_t c, std::uint32_t word) const {
  if (unit_) return word == 0 ? unit_->control(c) : 0;
  const NicContext& context = contexts_[c];
  if (word == 0) return context.control();
  if (word == 2) return context.received();
  return word == 3 ? context.sent() : 0;
}

std::uint32_t NicEngine::read_register(std::uint32_t address) const {
  if (address == nic_regs::kIdentity)
    return fabric::registers::identity_word(nic_regs::kKind, nic_regs::kIdentityVersionValue);
  if (address == nic_regs::kSizes)
    return config_.chained << 31 | config_.contexts << 24 | config_.steps << 16 |
           config_.conns << 8 | config_.records;
  if (address == nic_regs::kWidths)
    return config_.vcs << 24 | config_.depth << 16 | config_.seq_w << 8 | config_.flit_w;
  if (address == nic_regs::kAddress) return nic_regs::address_word(address_, channel_);
  if (address == nic_regs::kTimes)
    return nic_regs::times_word(times_.timeout, times_.retries, times_.gap);
  if (address == nic_regs::kQuiet) return times_.quiet;
  if (address == nic_regs::kRefused) return refused_;
  if (address == nic_regs::kDrops)
    return std::uint32_t{drops_[3]} << 24 | std::uint32_t{drops_[2]} << 16 |
           std::uint32_t{drops_[1]} << 8 | drops_[0];
  if (address >= kNicConnections && address < kNicConnections + config_.conns)
    return direct_.read(address - kNicConnections);
  if (address >= kNicContexts && address < kNicContexts + 4 * config_.contexts)
    return read_context((address - kNicContexts) / 4, address % 4);
  return 0;
}

std::string NicEngine::describe() const {
  std::string text =
      fmt::format("NIC n{}: {} replies, {} events, {} credits{}", address_, replies_.size(),
                  events_.size(), transmit_.credits(), transmit_.busy() ? ", sending" : "");
  for (std::uint32_t c = 0; c < contexts_.size(); ++c)
    if (contexts_[c].valid()) text += fmt::format("; context {}: {}", c, contexts_[c].describe());
  if (unit_) text += unit_->describe();
  return text + "; " + direct_.describe();
}

}  // namespace muster::golden
