// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "lockstep/lockstep_bank.hpp"
#include "lockstep/lockstep_switch.hpp"

namespace muster::verif {

/// "ack 3 count 1 0 news ask, flit 5: head vc 1 payload 0x8005, CRC 0x1234"
std::string frame_text(const fabric::LinkConfig& config, const core::Flit& frame);

/// The inputs and outputs of link ends: flits and credits of the block, frames of the wires.
class LinkEndOutputs : public LinkOutputs<fabric::LinkBank, LinkMessage> {
 public:
  explicit LinkEndOutputs(const Side& device) : LinkOutputs(device.config(), device.blocks()) {}

  static std::string name(std::uint32_t b) { return link_name(b); }
  static std::string register_name(std::uint32_t address);

  /// A frame whose fields a report tells.
  struct Frame {
    core::Flit flit;
    fabric::LinkConfig config;
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  using LinkOutputs::show;
  static std::string show(const Frame& frame) { return frame_text(frame.config, frame.flit); }

  template <class Same>
  void compare(std::uint32_t b, Side& golden, Side& rtl, Same&& same) {
    const core::BlockWires &want = golden.wires(b), &have = rtl.wires(b);
    same(Output{"tx_valid"}, want.tx_valid >> kBlockPort & 1, have.tx_valid >> kBlockPort & 1);
    same(Output{"frame_valid"}, want.tx_valid >> kWirePort & 1, have.tx_valid >> kWirePort & 1);
    same(Output{"rx_credit"}, want.rx_back, have.rx_back);
    if (have.tx_valid >> kBlockPort & 1)
      same(Output{"tx"}, golden.tx(b, kBlockPort), rtl.tx(b, kBlockPort));
    if (have.tx_valid >> kWirePort & 1)
      same(Output{"frame"}, Frame{golden.tx(b, kWirePort), config_},
           Frame{rtl.tx(b, kWirePort), config_});
  }

  static std::vector<StateWord> state(std::uint32_t b, Side& side);
  static Teller teller(std::uint32_t b, Side& side);
};

using LockstepLinkBank = LockstepBank<LinkEndOutputs>;

}  // namespace muster::verif
