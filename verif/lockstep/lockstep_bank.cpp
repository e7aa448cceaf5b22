// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_bank.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace muster::verif {

using core::BlockWires;
using core::Flit;

LockstepBank::LockstepBank(std::unique_ptr<Bank> reference, std::unique_ptr<Bank> device)
    : Bank(device->blocks(), device->ports()),
      reference_(std::move(reference)),
      device_(std::move(device)),
      history_(blocks()) {
  for (std::uint32_t b = 0; b < blocks(); ++b) quiescent_[b] = device_->quiescent(b);
}

void LockstepBank::give_inputs(std::uint32_t b, std::uint64_t cycle) {
  BlockWires& in = wires_[b];
  for (Bank* bank : {reference_.get(), device_.get()}) {
    bank->wires(b).rx_valid = in.rx_valid;
    bank->wires(b).tx_back = in.tx_back;
  }
  for (std::uint32_t rest = in.rx_valid; rest != 0; rest &= rest - 1) {
    const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
    const Flit& flit = rx_[index(b, p)];
    reference_->rx(b, p) = flit;
    device_->rx(b, p) = flit;
    history_[b].add({cycle, p, flit});
  }
  in.rx_valid = 0;
  in.tx_back = 0;
}

void LockstepBank::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t b : awake) give_inputs(b, cycle);
  reference_->clock(cycle, awake);
  device_->clock(cycle, awake);
  for (const std::uint32_t b : awake) compare(b, cycle);
}

void LockstepBank::compare(std::uint32_t b, std::uint64_t cycle) {
  const BlockWires& want = reference_->wires(b);
  const BlockWires& have = device_->wires(b);
  comparisons_ += 3;
  if (want.tx_valid != have.tx_valid)
    differ(b, cycle,
           fmt::format("tx_valid: golden {:#x}, RTL {:#x}", want.tx_valid, have.tx_valid));
  if (want.rx_back != have.rx_back)
    differ(b, cycle,
           fmt::format("rx_credit by port (4 bits each): golden {:#x}, RTL {:#x}", want.rx_back,
                       have.rx_back));
  if (reference_->quiescent(b) != device_->quiescent(b))
    differ(b, cycle,
           fmt::format("quiescent: golden {}, RTL {}", reference_->quiescent(b),
                       device_->quiescent(b)));
  for (std::uint32_t rest = have.tx_valid; rest != 0; rest &= rest - 1) {
    const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
    ++comparisons_;
    if (reference_->tx(b, p) != device_->tx(b, p))
      differ(b, cycle,
             fmt::format("port {}: golden sends {}, RTL sends {}", p, show(reference_->tx(b, p)),
                         show(device_->tx(b, p))));
    tx_[index(b, p)] = device_->tx(b, p);
  }
  wires_[b].tx_valid = have.tx_valid;
  wires_[b].rx_back = have.rx_back;
  quiescent_[b] = device_->quiescent(b);
}

void LockstepBank::differ(std::uint32_t b, std::uint64_t cycle, const std::string& what) const {
  report_difference(fmt::format("after the edge of cycle {}, sw{}, {}", cycle, b, what),
                    reference_->describe(b), device_->describe(b),
                    "last flits in:" + history_[b].lines([](const Seen& s) {
                      return fmt::format("cycle {} port {}: {}", s.cycle, s.port, show(s.flit));
                    }));
}

void LockstepBank::write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) {
  reference_->write_register(b, address, value);
  device_->write_register(b, address, value);
  quiescent_[b] = device_->quiescent(b);
}

std::uint32_t LockstepBank::read_register(std::uint32_t b, std::uint32_t address) {
  const std::uint32_t want = reference_->read_register(b, address);
  const std::uint32_t have = device_->read_register(b, address);
  ++comparisons_;
  if (want != have)
    throw InternalError(
        fmt::format("lockstep: sw{} register {:#05x}: golden {:#x}, RTL {:#x}\n"
                    "  golden: {}",
                    b, address, want, have, reference_->describe(b)));
  return have;
}

void LockstepBank::request(const core::RegisterRequest& request) {
  for (Bank* bank : {reference_.get(), device_.get()}) *bank.request(request);
}

std::string LockstepBank::describe(std::uint32_t b) const {
  return "golden " + reference_->describe(b) + "; RTL " + device_->describe(b);
}

}  // namespace muster::verif
