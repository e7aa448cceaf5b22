// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "fabric/golden/lanes.hpp"
#include "fabric/golden/switch_bank.hpp"
#include "support/test.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/packets/golden/unit_switch.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {

/// One switch, driven by hand. What is sent or returned is on the wires of the present cycle, and
/// so is what `out` shows; step() is the clock edge.
template <class Switch>
class BenchOf {
 public:
  explicit BenchOf(const fabric::SwitchConfig& config)
      : formats(config.flit_w, config.gid_w), config_(config), bank_(1, config) {}

  std::uint64_t now() const { return cycle_; }
  void step(std::uint32_t cycles = 1) {
    const std::uint32_t block[] = {0};
    while (cycles-- > 0) bank_.clock(cycle_++, block);
  }

  void send(std::uint32_t port, core::Flit flit, std::uint8_t vc = 0) {
    flit.vc = vc;
    bank_.rx(0, port) = flit;
    bank_.wires(0).rx_valid |= 1u << port;
  }
  /// In this cycle, behind which `cycles` edges come.
  void take(std::uint32_t port, const core::Flit& flit, std::uint32_t cycles = 1) {
    send(port, flit);
    step(cycles);
  }
  /// One flit a cycle. The cycle of the last one.
  std::uint64_t send_all(const std::vector<core::Flit>& flits, std::uint32_t port,
                         std::uint8_t vc = 0) {
    for (const core::Flit& flit : flits) {
      send(port, flit, vc);
      step();
    }
    return cycle_ - 1;
  }
  void give_credit(std::uint32_t port, std::uint32_t vc = 0) {
    bank_.wires(0).tx_back |= bit(lane_of(port, vc));
  }

  void free_pocket(std::uint32_t port) { give_credit(port, config_.vcs); }

  bool valid(std::uint32_t port) const { return has(wires().tx_valid, port); }
  std::uint32_t outputs() const { return wires().tx_valid; }
  const core::Flit& out(std::uint32_t port) { return bank_.tx(0, port); }
  fabric::BarrierMessage message(std::uint32_t port) { return formats.barrier_message(out(port)); }
  /// Lanes that return a credit.
  std::uint64_t credits() const { return wires().rx_back; }
  bool quiescent() const { return bank_.quiescent(0); }
  bool irq() const { return bank_.irq(0); }

  void write(std::uint32_t address, std::uint32_t value) {
    bank_.write_register(0, address, value);
  }
  /// A write that stands on the register port in the present cycle.
  void request(std::uint32_t address, std::uint32_t value) {
    bank_.request({0, true, address, value});
  }
  std::uint32_t read(std::uint32_t address) { return bank_.read_register(0, address); }
  std::string describe() const { return bank_.describe(0); }

  void route(std::uint32_t destination, std::uint32_t port_mask) {
    write(0x800 + destination, port_mask);
  }
  /// Loads barrier register r.
  void load(std::uint32_t r, std::uint32_t gid, std::uint32_t children, std::uint32_t parent,
            bool reflect = false) {
    write(0x102 + 16 * r, children);
    write(0x100 + 16 * r, 1u << 31 | std::uint32_t{reflect} << 30 | parent << 16 | gid);
  }
  std::uint32_t arrived(std::uint32_t r) { return read(0x104 + 16 * r); }
  std::uint32_t to_serve(std::uint32_t r) { return read(0x106 + 16 * r); }
  bool sent(std::uint32_t r) { return read(0x101 + 16 * r) == 1; }

  core::Flit reduction(std::uint32_t gid, std::uint64_t data = 0) const {
    return formats.barrier_flit({fabric::MessageType::kReduction, gid, {data, 0}}, 0);
  }
  core::Flit distribution(std::uint32_t gid, std::uint64_t data = 0) const {
    return formats.barrier_flit({fabric::MessageType::kDistribution, gid, {data, 0}}, 0);
  }
  static core::Flit head(std::uint32_t destination) {
    return {destination, 0, 0, core::Flit::kHead, 0};
  }
  static core::Flit body(std::uint64_t payload) { return {payload, 0, 0, 0, 0}; }
  static core::Flit tail(std::uint64_t payload) { return {payload, 0, 0, core::Flit::kTail, 0}; }
  static core::Flit single(std::uint32_t destination) {
    return {destination, 0, 0, core::Flit::kHead | core::Flit::kTail, 0};
  }

  /// A packet of `flits`; the others than the head are numbered from 1.
  static std::vector<core::Flit> packet(std::uint32_t destination, std::uint32_t flits) {
    std::vector<core::Flit> all = {head(destination)};
    for (std::uint32_t i = 1; i < flits; ++i) all.push_back(body(i));
    all.back().kind |= core::Flit::kTail;
    return all;
  }
  /// What a request asks of the access unit of a switch, and who asks.
  struct Request {
    std::uint32_t self, source, address;
    bool write = false;
    std::uint32_t old = 0, value = 0, tag = 0;
  };
  static std::vector<core::Flit> packet(const Request& r) {
    return {head(r.self | 1u << 11),
            body(r.source | r.tag << 11),
            body(r.address | (r.write ? 0x8000u : 0u)),
            body(r.old & 0xffff),
            body(r.old >> 16),
            body(r.value & 0xffff),
            tail(r.value >> 16)};
  }

  const fabric::Formats formats;

 private:
  const core::BlockWires& wires() const { return const_cast<SwitchBank<Switch>&>(bank_).wires(0); }
  fabric::SwitchConfig config_;
  SwitchBank<Switch> bank_;
  std::uint64_t cycle_ = 0;
};

using SwitchBench = BenchOf<BarrierSwitch>;

inline fabric::SwitchConfig sw(std::uint32_t ports, std::uint32_t vcs, std::uint32_t depth = 4,
                               std::uint32_t regs = 4) {
  return {"test", ports, vcs, depth, regs, 16, 8, 64, &btin::kBarrierSwitch};
}

/// The same of a variant.
inline fabric::SwitchConfig sw(std::uint32_t ports, std::uint32_t vcs, const btin::Variant& variant,
                               std::uint32_t depth = 4, std::uint32_t regs = 4) {
  fabric::SwitchConfig config = sw(ports, vcs, depth, regs);
  config.variant = btin::values(variant);
  return config;
}

/// A switch whose packets go the way of DataPath, with its bench.
using UnitBench = BenchOf<UnitSwitch>;
inline fabric::SwitchConfig unit(std::uint32_t ports, std::uint32_t vcs, std::uint32_t depth = 4) {
  return {"test", ports, vcs, depth, 4, 16, 8, 64, &packets::kUnitSwitch};
}

/// The configuration of a bench's switch. What both kinds of data path do alike is tested with
/// both.
template <class Bench>
fabric::SwitchConfig sized(std::uint32_t ports, std::uint32_t vcs, std::uint32_t depth = 4) {
  return std::is_same_v<Bench, UnitBench> ? unit(ports, vcs, depth) : sw(ports, vcs, depth);
}

}  // namespace muster::golden
