// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "models/model.hpp"
#include "models/names.hpp"
#include "models/verilated_settled_bank.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::verif {

/// Input policies.
struct PolicyModels : Models<esc::PolicyBank, esc::PolicyConfig, std::uint32_t, SettledOptions> {
  static constexpr std::string_view kName = "policy";
};

/// The ports of an input policy. `ModelClass` is the class Verilator makes of muster_input_policy
/// with the parameters `P`.
template <class ModelClass, class P>
class PolicyPorts : public esc::PolicyBank {
  static_assert(P::AddrW == 16, "PolicyConfig allows numbers of 16 bits");

 public:
  using Model = ModelClass;
  using PolicyBank::PolicyBank;

  static std::string name(std::uint32_t pe) { return policy_name(pe); }
  void configure(std::uint32_t pe, Model& m) {
    m.policy_i = static_cast<CData>(config_.policy);
    m.link_i = static_cast<CData>(pe % config_.size);
  }
  static void idle(Model& m, std::uint16_t seed) {
    m.seed_i = seed;
    m.set_i = m.clear_i = m.valid_i = 0;
  }

  bool idles(std::uint32_t pe) const { return (offer[pe] | set[pe] | clear[pe]) == 0; }
  void rest(std::uint32_t) {}  // without a packet its digit is unused

  void drive(std::uint32_t pe, Model& model) {
    const esc::BoxPacket packet = offer[pe];
    auto& m = *model.rootp;
    m.hot_i = static_cast<SData>(hot[pe]);
    m.section_mask_i = static_cast<SData>(sections[pe]);
    m.set_i = set[pe];
    m.clear_i = clear[pe];
    m.valid_i = packet != 0;
    m.kind_i = static_cast<CData>(esc::kind_of(packet));
    m.destination_i = static_cast<SData>(esc::tag_of(packet) & ((1u << config_.address_bits) - 1));
  }
  void take_settled(std::uint32_t pe, const Model& m) { digit[pe] = m.digit_o; }
  void drive_late(std::uint32_t, Model&) {}
  void collect(std::uint32_t pe, const Model& m) { flag[pe] = m.flag_o; }
};

template <class V, class P>
inline constexpr MakeBank<PolicyModels> policy_maker =
    make_verilated<PolicyModels, VerilatedSettledBank<PolicyPorts<V, P>>>;

}  // namespace muster::verif
