// SPDX-License-Identifier: Apache-2.0
#include "golden/ring_bank.hpp"

#include <fmt/format.h>

#include "registers.hpp"

namespace token_ring {

using namespace muster;
using fabric::MessageType;

RingBank::RingBank(std::uint32_t blocks, const fabric::SwitchConfig& config)
    : Bank(blocks, config.ports),
      config_(config),
      formats_(config.flit_w, config.gid_w),
      switches_(blocks) {
  quiescent_.assign(blocks, 1);
}

RingBank::Step RingBank::next(const Switch& s) {
  if (s.home()) {
    if (s.token) return Step::kRelease;
    return s.all_arrived() && !s.under_way ? Step::kSendToken : Step::kNothing;
  }
  if (s.released) return Step::kRelease;
  return s.token && s.all_arrived() ? Step::kSendToken : Step::kNothing;
}

void RingBank::send(std::uint32_t block, std::uint32_t ports, MessageType type) {
  wires_[block].tx_valid = ports;
  for (std::uint32_t p = 0; p < ports_; ++p)
    if (ports >> p & 1) tx_[index(block, p)] = formats_.barrier_flit({type, 0, {}}, 0);
}

void RingBank::receive(std::uint32_t block) {
  Switch& s = switches_[block];
  core::BlockWires& wires = wires_[block];
  wires.rx_back = 0;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    if ((wires.rx_valid >> p & 1) == 0) continue;
    const MessageType type = formats_.barrier_message(rx_[index(block, p)]).type;
    const bool previous = s.in_use() && p == previous_port(s.control);
    if (type == MessageType::kReduction && (s.members >> p & 1) != 0)
      s.arrived |= 1u << p;
    else if (type == MessageType::kReduction && previous)
      s.token = true;
    else if (type == MessageType::kDistribution && previous)
      s.released = true;
  }
  wires.rx_valid = 0;
  wires.tx_back = 0;
}

void RingBank::clock(std::uint64_t /*cycle*/, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t b : awake) {
    Switch& s = switches_[b];
    const Step step = next(s);
    const std::uint32_t ring = 1u << next_port(s.control) & ((1u << ports_) - 1);
    if (s.home() && s.released) s.under_way = false;
    s.released = false;
    if (step == Step::kNothing) {
      send(b, 0, {});
    } else if (step == Step::kSendToken) {
      if (s.home()) s.under_way = true;
      s.token = false;
      send(b, ring, MessageType::kReduction);
    } else {
      s.token = false;
      s.arrived &= ~s.members;
      send(b, ring | s.members, MessageType::kDistribution);
    }
    receive(b);
    quiescent_[b] = wires_[b].tx_valid == 0 && !s.released && next(s) == Step::kNothing;
  }
}

void RingBank::write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) {
  Switch& s = switches_[block];
  if (address == kControl) s.control = value & control_bits(ports_);
  if (address == kMembers) s.members = value & ((1u << ports_) - 1);
}

std::uint32_t RingBank::read_register(std::uint32_t block, std::uint32_t address) {
  if (address == kWidths) return config_.gid_w << 8 | config_.flit_w;
  const Switch& s = switches_[block];
  if (address == kControl) return s.control;
  if (address == kMembers) return s.members;
  return address == kProgress ? std::uint32_t{s.token} << 31 | s.arrived : 0;
}

std::string RingBank::describe(std::uint32_t block) const {
  const Switch& s = switches_[block];
  return fmt::format("ring switch {}: arrived {:#x} of {:#x}{}{}{}", block, s.arrived, s.members,
                     s.home() ? ", home" : "", s.token ? ", has the token" : "",
                     s.under_way ? ", token under way" : "");
}

}  // namespace token_ring
