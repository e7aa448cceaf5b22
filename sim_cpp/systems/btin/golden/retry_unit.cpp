// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/retry_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace muster::golden {

using fabric::RetryMessage;

RetryUnit::RetryUnit(const fabric::SwitchConfig& config)
    : formats_(config.flit_w, config.gid_w),
      ports_(config.ports),
      registers_(config.regs,
                 RetryRegister(static_cast<std::uint8_t>(fabric::retry_data_width(formats_)))) {}

fabric::BarrierMessage RetryUnit::message(std::uint32_t port) const {
  return fabric::barrier_message(formats_, registers_[candidate(port)].message());
}

std::size_t RetryUnit::find(std::uint32_t gid) const {
  const auto at = std::find_if(registers_.begin(), registers_.end(),
                               [&](const RetryRegister& r) { return r.valid() && r.gid() == gid; });
  return static_cast<std::size_t>(at - registers_.begin());
}

bool RetryUnit::under_way() const {
  return std::any_of(registers_.begin(), registers_.end(),
                     [](const RetryRegister& r) { return r.under_way(); });
}

bool RetryUnit::suspect() const {
  return std::any_of(registers_.begin(), registers_.end(),
                     [](const RetryRegister& r) { return r.suspect(); });
}

RetryUnit::Fates RetryUnit::edge(std::uint16_t ports, const PortMessages& messages,
                                 std::uint16_t departed) {
  Fates fates{};
  std::array<RetryMessage, kMaxPorts> by_port;
  std::array<std::uint16_t, kMaxRegisters> arriving{}, left{};
  for_each_bit(ports, [&](std::uint32_t port) {
    by_port[port] = fabric::retry_message(formats_, formats_.barrier_message(messages.at(port)));
    const std::size_t r = find(by_port[port].gid);
    if (r == registers_.size()) {
      fates[port] = Fate::kUnknown;
    } else if (!registers_[r].accepts(by_port[port], port)) {
      fates[port] = Fate::kRefused;
    } else {
      arriving[r] |= static_cast<std::uint16_t>(bit(port));
    }
  });
  for_each_bit(departed, [&](std::uint32_t port) {
    const std::uint32_t r = candidate(port);
    pointer_[port] = static_cast<std::uint8_t>((r + 1) % registers_.size());
    left[r] |= static_cast<std::uint16_t>(bit(port));
  });
  const bool counting = under_way();
  for (std::uint32_t r = 0; r < registers_.size(); ++r)
    registers_[r].edge({arriving[r], by_port.data(), left[r], ticks_.repeat(), ticks_.age()},
                       ports_);
  ticks_.edge(counting);
  look();
  return fates;
}

/// What the state says of the next cycle.
void RetryUnit::look() {
  requests_.fill(0);
  requested_ = 0;
  bool changes = false;
  for (std::uint32_t r = 0; r < registers_.size(); ++r) {
    const std::uint16_t requests = registers_[r].requests(ports_);
    requested_ |= requests;
    for_each_bit(requests, [&](std::uint32_t port) {
      requests_[port] |= static_cast<std::uint16_t>(bit(r));
    });
    changes = changes || registers_[r].busy();
  }
  busy_ = changes || ticks_.busy(under_way());
}

void RetryUnit::write_ticks(std::uint32_t value) {
  ticks_.write(value);
  look();
}

void RetryUnit::write(std::uint32_t word, std::uint32_t value) {
  registers_[word / kWords].write(word % kWords, value, ports_, formats_.gid_width());
  look();
}

std::uint32_t RetryUnit::read(std::uint32_t word) const {
  return registers_[word / kWords].read(word % kWords);
}

std::string RetryUnit::describe() const {
  std::string all;
  for (std::uint32_t r = 0; r < registers_.size(); ++r) {
    if (!registers_[r].valid()) continue;
    const std::uint32_t progress = registers_[r].read(2), state = registers_[r].read(3);
    fmt::format_to(std::back_inserter(all),
                   "{}register {}: group {} children {:#x} arrived {:#x} serve {:#x} phase {}{}{}"
                   "{}",
                   all.empty() ? "" : "; ", r, registers_[r].gid(), registers_[r].read(1),
                   progress & 0xffff, progress >> 16, state >> 1 & 1, has(state, 0) ? " sent" : "",
                   has(state, 2) ? " failed" : "", has(state, 3) ? " suspect" : "");
  }
  return all;
}

}  // namespace muster::golden
