// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/lockstep_bank.hpp"
#include "lockstep/lockstep_switch.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::verif {

/// A flit, or what the host does or is told in a cycle.
struct NicSeen {
  LinkMessage link;
  nic::HostWires host;
  bool by_host = false;  ///< `host` counts, its event or its request; else the flit

  NicSeen() = default;
  NicSeen(const LinkMessage& flit) : link(flit) {}
  NicSeen(std::uint64_t cycle, const nic::HostWires& wires, bool event)
      : host(wires), by_host(true) {
    link.cycle = cycle;
    host.event = event;
  }
};

/// The inputs and outputs of NIC barrier engines: their links, and the host's side.
class NicOutputs : public LinkOutputs<nic::NicBank, NicSeen> {
 public:
  explicit NicOutputs(const Side& device) : LinkOutputs(device.blocks()) {}

  static std::string name(std::uint32_t b) { return nic_name(b); }
  static std::string register_name(std::uint32_t address);

  void give(std::uint32_t b, Side& side) const {
    LinkOutputs::give(b, side);
    nic::HostWires host = hosts_[b];
    host.event = side.host(b).event;
    host.word = side.host(b).word;
    side.host(b) = host;
  }
  template <class See>
  void consume(std::uint32_t b, std::uint64_t cycle, See&& see) {
    LinkOutputs::consume(b, cycle, see);
    nic::HostWires& host = hosts_[b];
    if (host.access) see(NicSeen(cycle, host, false));
    host.access = host.write = host.ready = false;
  }
  template <class Same>
  void compare(std::uint32_t b, Side& golden, Side& rtl, Same&& same) {
    LinkOutputs::compare(b, golden, rtl, same);
    same(Output{"event_valid"}, golden.host(b).event, rtl.host(b).event);
    if (rtl.host(b).event) same(Output{"event"}, golden.host(b).word, rtl.host(b).word);
  }
  template <class See>
  void take(std::uint32_t b, std::uint64_t cycle, Side& rtl, See&& see) {
    LinkOutputs::take(b, cycle, rtl, see);
    nic::HostWires& host = hosts_[b];
    const nic::HostWires& out = rtl.host(b);
    const bool stood = host.event && host.word == out.word;
    host.event = out.event;
    host.word = out.word;
    if (host.event && !stood) see(NicSeen(cycle, host, true));
  }

  static std::vector<StateWord> state(std::uint32_t b, Side& side);
  static Teller teller(std::uint32_t b, Side& side);
};

using LockstepNicBank = LockstepBank<NicOutputs>;

}  // namespace muster::verif
