// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "systems/nic/blocks/nic_registers.hpp"
#include "systems/nic/golden/nic_engine.hpp"

namespace muster::golden {

using nic::HostWires;
namespace regs = nic::registers;

namespace {

constexpr std::uint32_t kNicContexts = regs::control(0), kNicConnections = regs::connection(0),
                        kNicEntries = regs::entry(0, 0);

bool writes(const HostWires& host) { return host.access && host.write; }

}  // namespace

std::optional<std::uint32_t> NicEngine::overruled(const HostWires& host) const {
  const std::uint32_t c = (host.address - kNicContexts) / 4, word = host.address % 4;
  if (!writes(host) || host.address < kNicContexts || c >= config_.contexts || word > 1)
    return std::nullopt;
  const bool releases =
      (host.data & regs::kContextsDoorbellReleases.mask()) && accepts(c, host.data);
  return word == 0 || releases ? std::optional(c) : std::nullopt;
}

bool NicEngine::accepts(std::uint32_t c, std::uint32_t doorbell) const {
  return unit_ ? unit_->accepts(c, doorbell) : contexts_[c].accepts(doorbell);
}

bool NicEngine::rings_in_vain(const HostWires& host) const {
  const std::uint32_t c = (host.address - kNicContexts) / 4;
  return writes(host) && host.address >= kNicContexts && c < config_.contexts &&
         host.address % 4 == 1 && !accepts(c, host.data);
}

std::optional<std::uint32_t> NicEngine::started(const HostWires& host) const {
  const std::uint32_t c = (host.address - kNicContexts) / 4;
  const bool starts = writes(host) && host.address >= kNicContexts && c < config_.contexts &&
                      host.address % 4 == 1 &&
                      (host.data & regs::kContextsDoorbellReleases.mask()) == 0 &&
                      accepts(c, host.data);
  return starts ? std::optional(c) : std::nullopt;
}

void NicEngine::count(NicDrop drop) {
  std::uint8_t& counter = drops_[static_cast<std::size_t>(drop)];
  if (drop != NicDrop::kNone && counter != 255) ++counter;
}

bool NicEngine::quiet() const {
  return !transmit_.busy() && !receive_.message() && replies_.empty() && events_.empty() &&
         !event_ && gap_ == 0 && direct_.quiet(times_) && (!unit_ || unit_->quiet()) &&
         std::all_of(contexts_.begin(), contexts_.end(),
                     [&](const NicContext& c) { return c.quiet(times_); });
}

void NicEngine::write_register(std::uint32_t address, std::uint32_t value) {
  if (address == regs::kAddress) {
    address_ = fabric::address_of(value) & ((1u << config_.addr_w) - 1);
    channel_ = static_cast<std::uint8_t>(value >> 12 & 3);
  } else if (address == regs::kTimes) {
    times_.timeout = value & 0xffff;
    times_.retries = value >> 16 & 15;
    times_.gap = value >> 20;
  } else if (address == regs::kQuiet) {
    times_.quiet = value & 0xffffff;
  } else if (address == regs::kSend) {
    const Pick pick =
        choose_token({.access = true, .write = true, .address = address, .data = value});
    if (pick.token) direct_.push(pick.peer, *pick.token);
    if (pick.refused && refused_ != 255) ++refused_;
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
  if (word == 1 && !accepts(c, value)) {
    if (refused_ != 255) ++refused_;
  } else if (!unit_) {
    if (word == 0)
      contexts_[c].write_control(value);
    else
      contexts_[c].ring(value);
  } else if (word == 0) {
    unit_->write_control(c, value);
  } else if (value & regs::kContextsDoorbellReleases.mask()) {
    unit_->release(c);
  } else {
    unit_->clock({.started = c});
  }
}

std::uint32_t NicEngine::read_context(std::uint32_t c, std::uint32_t word) const {
  if (unit_) return word == 0 ? unit_->control(c) : 0;
  const NicContext& context = contexts_[c];
  if (word == 0) return context.control();
  if (word == 2) return context.received();
  return word == 3 ? context.sent() : 0;
}

std::uint32_t NicEngine::read_register(std::uint32_t address) const {
  if (address == regs::kIdentity)
    return fabric::registers::identity_word(regs::kKind, regs::kIdentityVersionValue);
  if (address == regs::kSizes)
    return config_.chained << 31 | config_.contexts << 24 | config_.steps << 16 |
           config_.conns << 8 | config_.records;
  if (address == regs::kWidths)
    return config_.vcs << 24 | config_.depth << 16 | config_.seq_w << 8 | config_.flit_w;
  if (address == regs::kAddress) return regs::address_word(address_, channel_);
  if (address == regs::kTimes) return regs::times_word(times_.timeout, times_.retries, times_.gap);
  if (address == regs::kQuiet) return times_.quiet;
  if (address == regs::kRefused) return refused_;
  if (address == regs::kDrops)
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
