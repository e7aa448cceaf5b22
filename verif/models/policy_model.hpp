// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/lockstep_box.hpp"
#include "lockstep/lockstep_pe.hpp"
#include "models/verilated_settled_bank.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::verif {

/// How the banks of a model of kind `policy` are made. With `skip_idle` policies without an input
/// are skipped, which changes only the time.
struct PolicyMakers {
  static constexpr std::string_view kKind = "policy";
  std::unique_ptr<esc::PolicyBank> (*rtl)(const esc::PolicyConfig& config, std::uint32_t pes,
                                          bool skip_idle);
  std::unique_ptr<esc::PolicyBank> (*lockstep)(std::unique_ptr<esc::PolicyBank> golden,
                                               std::unique_ptr<esc::PolicyBank> rtl,
                                               const esc::PolicyConfig& config);
};

struct PolicyModel {
  std::uint32_t size;  ///< n of the boxes
};

/// Those of listed_models() that are input policies.
std::vector<PolicyModel> policy_models();

/// The ports of an input policy. `ModelClass` is the class Verilator makes of input_policy with
/// AddrW = 16.
template <class ModelClass>
class PolicyPorts : public esc::PolicyBank {
 protected:
  using Model = ModelClass;

  /// With `skip_idle` policies without an input are skipped.
  PolicyPorts(const esc::PolicyConfig& config, std::uint32_t pes, bool skip_idle)
      : PolicyBank(config, pes), skip_idle_(skip_idle) {}

  static std::string name(std::uint32_t pe) { return policy_name(pe); }
  void configure(std::uint32_t pe, Model& m) {
    m.policy_i = static_cast<CData>(config_.policy);
    m.link_i = static_cast<CData>(pe % config_.size);
  }
  static void idle(Model& m, std::uint16_t seed) {
    m.seed_i = seed;
    m.set_i = m.clear_i = m.valid_i = 0;
  }

  bool sleeps(std::uint32_t pe) const {
    return skip_idle_ && (offer_[pe] | set_[pe] | clear_[pe]) == 0;
  }
  void rest(std::uint32_t) {}  // without a packet its digit is unused

  void drive(std::uint32_t pe, Model& model) {
    const esc::BoxPacket packet = offer_[pe];
    auto& m = *model.rootp;
    m.hot_i = static_cast<SData>(hot_[pe]);
    m.section_mask_i = static_cast<SData>(sections_[pe]);
    m.set_i = set_[pe];
    m.clear_i = clear_[pe];
    m.valid_i = packet != 0;
    m.kind_i = static_cast<CData>(esc::kind_of(packet));
    m.destination_i = static_cast<SData>(esc::tag_of(packet) & ((1u << config_.address_bits) - 1));
  }
  void take_settled(std::uint32_t pe, const Model& m) { digit_[pe] = m.digit_o; }
  void drive_late(std::uint32_t, Model&) {}
  void collect(std::uint32_t pe, const Model& m) { flag_[pe] = m.flag_o; }

 private:
  const bool skip_idle_;
};

template <class Model>
using VerilatedPolicyBank = VerilatedSettledBank<PolicyPorts<Model>>;

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr PolicyMakers policy_makers = {
    [](const esc::PolicyConfig& config, std::uint32_t pes,
       bool skip_idle) -> std::unique_ptr<esc::PolicyBank> {
      static_assert(P::AddrW == 16, "PolicyConfig allows numbers of 16 bits");
      return std::make_unique<VerilatedPolicyBank<V>>(config, pes, skip_idle);
    },
    [](std::unique_ptr<esc::PolicyBank> golden, std::unique_ptr<esc::PolicyBank> rtl,
       const esc::PolicyConfig& config) -> std::unique_ptr<esc::PolicyBank> {
      return std::make_unique<LockstepPolicyBank>(std::move(golden), std::move(rtl), config);
    }};

}  // namespace muster::verif
