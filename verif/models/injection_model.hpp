// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "models/model.hpp"
#include "models/names.hpp"
#include "models/verilated_settled_bank.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::verif {

/// Injection blocks.
struct InjectionModels
    : Models<esc::InjectionBank, esc::InjectionConfig, std::uint32_t, SettledOptions> {
  static constexpr std::string_view kName = "injection";
};

/// The ports of an injection block. `ModelClass` is the class Verilator makes of injection with
/// the parameters `P`.
template <class ModelClass, class P>
class InjectionPorts : public esc::InjectionBank {
  static_assert(P::AddrW == 16, "InjectionConfig allows numbers of 16 bits");

 public:
  using Model = ModelClass;
  using InjectionBank::InjectionBank;

  static std::string name(std::uint32_t pe) { return injection_name(pe); }
  void configure(std::uint32_t pe, Model& m) {
    m.scheme_i = static_cast<CData>(config_.scheme);
    m.link_i = static_cast<CData>(pe % config_.size);
    m.turn_i = static_cast<SData>(turn(pe));
    m.turn_mask_i = static_cast<SData>(turns() - 1);
    m.address_mask_i = static_cast<SData>((1u << config_.address_bits) - 1);
  }
  static void idle(Model& m, std::uint16_t /*seed*/) {
    m.busy_i = m.flag_i = m.head_valid_i = m.ready_i = 0;
  }

  /// The counter of turns runs in every cycle.
  static bool idles(std::uint32_t) { return false; }
  static void rest(std::uint32_t) {}

  void drive(std::uint32_t pe, Model& model) {
    auto& m = *model.rootp;
    m.busy_i = busy[pe];
    constexpr unsigned kCountW = 7;
    std::uint64_t fills = 0;
    const std::uint8_t* const held = &fill[pe & ~(config_.size - 1)];
    for (std::uint32_t x = 0; x < config_.size; ++x)
      fills |= std::uint64_t{held[x]} << (kCountW * x);
    m.fill_i = static_cast<std::remove_reference_t<decltype(m.fill_i)>>(fills);
    m.head_valid_i = head[pe] != 0;
    m.head_i = head[pe];
  }
  void take_settled(std::uint32_t pe, const Model& m) {
    offer[pe] = m.valid_o != 0 ? esc::BoxPacket{m.packet_o} : 0;
    digit[pe] = m.digit_o;
  }
  /// Whether the head leaves depends on inputs that are known now.
  void drive_late(std::uint32_t pe, Model& model) {
    auto& m = *model.rootp;
    m.ready_i = taken[pe];
    m.flag_i = flag[pe];
    m.digit_i = asked[pe];
    model.eval();
    leaves[pe] = model.head_leaves_o;
  }
  void collect(std::uint32_t pe, const Model& m) { sections[pe] = m.section_mask_o; }
};

template <class V, class P>
inline constexpr MakeBank<InjectionModels> injection_maker =
    make_verilated<InjectionModels, VerilatedSettledBank<InjectionPorts<V, P>>>;

}  // namespace muster::verif
