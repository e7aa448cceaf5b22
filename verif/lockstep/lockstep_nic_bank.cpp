// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_nic_bank.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace muster::verif {

using nic::HostWires;
using nic::NicBank;

LockstepNicBank::LockstepNicBank(std::unique_ptr<NicBank> reference,
                                 std::unique_ptr<NicBank> device)
    : NicBank(device->blocks()),
      reference_(std::move(reference)),
      device_(std::move(device)),
      history_(blocks()) {
  for (std::uint32_t b = 0; b < blocks(); ++b) quiescent_[b] = device_->quiescent(b);
}

void LockstepNicBank::give_inputs(std::uint32_t b, std::uint64_t cycle) {
  HostWires& host = hosts_[b];
  for (NicBank* bank : {reference_.get(), device_.get()}) {
    bank->wires(b).rx_valid = wires_[b].rx_valid;
    bank->wires(b).tx_back = wires_[b].tx_back;
    bank->rx(b, 0) = rx_[b];
    HostWires& to = bank->host(b);
    to.access = host.access;
    to.write = host.write;
    to.address = host.address;
    to.data = host.data;
    to.ready = host.ready;
  }
  if (wires_[b].rx_valid != 0 || host.access)
    history_[b].add({cycle, wires_[b].rx_valid != 0, rx_[b], host});
  wires_[b].rx_valid = 0;
  wires_[b].tx_back = 0;
  host.access = host.write = host.ready = false;
}

void LockstepNicBank::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t b : awake) give_inputs(b, cycle);
  reference_->clock(cycle, awake);
  device_->clock(cycle, awake);
  for (const std::uint32_t b : awake) compare(b, cycle);
}

void LockstepNicBank::compare(std::uint32_t b, std::uint64_t cycle) {
  const auto same = [&](const char* output, std::uint64_t want, std::uint64_t have) {
    ++comparisons_;
    if (want != have)
      differ(b, cycle, fmt::format("{}: golden {:#x}, RTL {:#x}", output, want, have));
  };
  NicBank &want = *reference_, &have = *device_;
  same("tx_valid", want.wires(b).tx_valid, have.wires(b).tx_valid);
  same("rx_credit", want.wires(b).rx_back, have.wires(b).rx_back);
  same("event_valid", want.host(b).event, have.host(b).event);
  if (have.host(b).event) same("event", want.host(b).word, have.host(b).word);
  if (have.wires(b).tx_valid != 0) {
    ++comparisons_;
    if (want.tx(b, 0) != have.tx(b, 0))
      differ(b, cycle,
             fmt::format("golden sends {}, RTL {}", show(want.tx(b, 0)), show(have.tx(b, 0))));
    tx_[b] = have.tx(b, 0);
  }
  same("quiescent", want.quiescent(b), have.quiescent(b));
  wires_[b].tx_valid = have.wires(b).tx_valid;
  wires_[b].rx_back = have.wires(b).rx_back;
  hosts_[b].event = have.host(b).event;
  hosts_[b].word = have.host(b).word;
  quiescent_[b] = have.quiescent(b);
}

void LockstepNicBank::differ(std::uint32_t b, std::uint64_t cycle, const std::string& what) const {
  const auto line = [](const Seen& s) {
    std::string text = fmt::format("cycle {}:", s.cycle);
    if (s.comes) text += fmt::format(" {}", show(s.flit));
    if (s.host.access)
      text += fmt::format(" {} {:#05x} {:#010x}", s.host.write ? "write" : "read", s.host.address,
                          s.host.data);
    return text;
  };
  report_difference(fmt::format("after the edge of cycle {}, nic{}, {}", cycle, b, what),
                    reference_->describe(b), device_->describe(b),
                    "last flits and requests in:" + history_[b].lines(line));
}

void LockstepNicBank::write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) {
  reference_->write_register(b, address, value);
  device_->write_register(b, address, value);
  quiescent_[b] = device_->quiescent(b);
}

std::uint32_t LockstepNicBank::read_register(std::uint32_t b, std::uint32_t address) {
  const std::uint32_t want = reference_->read_register(b, address);
  const std::uint32_t have = device_->read_register(b, address);
  ++comparisons_;
  if (want != have)
    throw InternalError(
        fmt::format("lockstep: nic{} register {:#05x}: golden {:#x}, RTL {:#x}\n"
                    "  golden: {}",
                    b, address, want, have, reference_->describe(b)));
  return have;
}

std::string LockstepNicBank::describe(std::uint32_t b) const {
  return "golden " + reference_->describe(b) + "; RTL " + device_->describe(b);
}

}  // namespace muster::verif
