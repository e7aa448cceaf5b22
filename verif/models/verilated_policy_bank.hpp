// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "models/block_names.hpp"
#include "models/model_context.hpp"
#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::verif {

/// Verilated input policies as a bank. `Model` is the class Verilator makes of input_policy with
/// AddrW = 16.
template <class Model>
class VerilatedPolicyBank final : public esc::PolicyBank {
 public:
  VerilatedPolicyBank(const esc::PolicyConfig& config, std::uint32_t pes, bool skip_idle)
      : PolicyBank(config, pes), skip_idle_(skip_idle) {
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      models_.push_back(std::make_unique<Model>(context_.get(), policy_name(pe).c_str()));
      Model& m = *models_.back();
      m.policy_i = static_cast<CData>(config.policy);
      m.link_i = static_cast<CData>(pe % config.size);
      m.section_mask_i = static_cast<SData>(config.section_mask);
    }
    awake_.reserve(pes);
  }
  ~VerilatedPolicyBank() override {
    Verilated::threadContextp(context_.get());
    for (auto& model : models_) model->final();
    models_.clear();  // before their context
  }

  void settle() override {
    awake_.clear();
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      if (skip_idle_ && (offer_[pe] | set_[pe] | clear_[pe]) == 0) continue;
      awake_.push_back(pe);
      const esc::BoxPacket packet = offer_[pe];
      auto& m = *models_[pe]->rootp;
      m.hot_i = static_cast<SData>(hot_[pe]);
      m.set_i = set_[pe];
      m.clear_i = clear_[pe];
      m.valid_i = packet != 0;
      m.kind_i = static_cast<CData>(esc::kind_of(packet));
      m.destination_i =
          static_cast<SData>(esc::tag_of(packet) & ((1u << config_.address_bits) - 1));
      models_[pe]->eval();
      digit_[pe] = m.digit_o;
    }
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (const std::uint32_t pe : awake_) {
      rise(*models_[pe]);
      flag_[pe] = models_[pe]->flag_o;
    }
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      Model& m = *models_[pe];
      m.seed_i = seeds[pe];
      m.set_i = m.clear_i = m.valid_i = 0;
      reset_model(m);
      flag_[pe] = m.flag_o;
    }
  }

 private:
  const bool skip_idle_;
  ModelContext context_;
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<std::uint32_t> awake_;  ///< between settle and clock: those that have settled
};

}  // namespace muster::verif
