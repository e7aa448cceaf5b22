// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "Vmuster_mesh.h"
#include "Vmuster_mesh___024root.h"
#include "Vmuster_pair.h"
#include "Vmuster_pair___024root.h"
#include "Vmuster_tree.h"
#include "Vmuster_tree___024root.h"
#include "muster/core/flit.hpp"
#include "muster/fabric/switch_config.hpp"
#include "verif/generated/packed.hpp"

namespace muster::test {

// Verilator names a signal for its module: out_valid(top) and so on are the wires of either.
#define MUSTER_WIRE(module, wire) \
  inline const auto& wire(const V##module& top) { return top.rootp->module##__DOT__##wire; }
#define MUSTER_WIRES(module)       \
  MUSTER_WIRE(module, out_valid)   \
  MUSTER_WIRE(module, out_vc)      \
  MUSTER_WIRE(module, out_kind)    \
  MUSTER_WIRE(module, out_payload) \
  MUSTER_WIRE(module, out_credit)  \
  MUSTER_WIRE(module, in_valid)    \
  MUSTER_WIRE(module, in_vc)       \
  MUSTER_WIRE(module, in_kind)     \
  MUSTER_WIRE(module, in_payload)  \
  MUSTER_WIRE(module, in_credit)
MUSTER_WIRES(muster_mesh)
MUSTER_WIRES(muster_pair)
MUSTER_WIRES(muster_tree)
#undef MUSTER_WIRES
#undef MUSTER_WIRE

/// One direction of the wires at an end of a link.
struct EndWires {
  bool valid = false;
  core::Flit flit;         ///< empty if not valid
  std::uint32_t back = 0;  ///< credits, bit Vcs that of a pocket
  friend bool operator==(const EndWires&, const EndWires&) = default;
};

template <class Valid, class Vc, class Kind, class Payload, class Credit>
EndWires wires_at(const fabric::SwitchConfig& config, unsigned end, const Valid& valid,
                  const Vc& vc, const Kind& kind, const Payload& payload, const Credit& credit) {
  EndWires wires;
  wires.valid = element(valid, end, 1) != 0;
  if (wires.valid) {
    wires.flit.vc = static_cast<std::uint8_t>(element(vc, end, config.vcs > 2 ? 2 : 1));
    wires.flit.kind = static_cast<std::uint8_t>(element(kind, end, 3));
    wires.flit.lo = element(payload, end, config.flit_w);
  }
  wires.back = element(credit, end, config.vcs + (fabric::has_pockets(config) ? 1 : 0));
  return wires;
}

/// What the block at this end puts on its wires.
template <class Top>
EndWires out_wires(const Top& top, const fabric::SwitchConfig& config, unsigned end) {
  return wires_at(config, end, out_valid(top), out_vc(top), out_kind(top), out_payload(top),
                  out_credit(top));
}
/// What comes to it.
template <class Top>
EndWires in_wires(const Top& top, const fabric::SwitchConfig& config, unsigned end) {
  return wires_at(config, end, in_valid(top), in_vc(top), in_kind(top), in_payload(top),
                  in_credit(top));
}

}  // namespace muster::test
