// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_policy_bank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "models/block_names.hpp"

namespace muster::verif {

LockstepPolicyBank::LockstepPolicyBank(const esc::PolicyConfig& config,
                                       std::unique_ptr<PolicyBank> reference,
                                       std::unique_ptr<PolicyBank> device)
    : PolicyBank(config, device->blocks()),
      reference_(std::move(reference)),
      device_(std::move(device)) {}

void LockstepPolicyBank::reset_blocks(std::span<const std::uint16_t> seeds) {
  reference_->reset(seeds);
  device_->reset(seeds);
  settled_ = 0;
}

void LockstepPolicyBank::give_inputs(PolicyBank& bank) {
  std::copy(hot_.begin(), hot_.end(), bank.hot().begin());
  std::copy(offer_.begin(), offer_.end(), bank.offer().begin());
  std::copy(set_.begin(), set_.end(), bank.set().begin());
  std::copy(clear_.begin(), clear_.end(), bank.clear().begin());
}

void LockstepPolicyBank::settle() {
  for (PolicyBank* bank : {reference_.get(), device_.get()}) {
    give_inputs(*bank);
    bank->settle();
  }
  for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
    if (offer_[pe] == 0) continue;
    ++comparisons_;
    digit_[pe] = device_->digit()[pe];
    if (reference_->digit()[pe] != digit_[pe])
      throw InternalError(
          fmt::format("lockstep: in cycle {}, {}, packet {:#018x}: digit: golden {}, RTL {}",
                      settled_, policy_name(pe), offer_[pe], reference_->digit()[pe], digit_[pe]));
  }
}

void LockstepPolicyBank::clock(std::uint64_t cycle) {
  for (PolicyBank* bank : {reference_.get(), device_.get()}) bank->clock(cycle);
  settled_ = cycle + 1;
  for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
    ++comparisons_;
    flag_[pe] = device_->flag()[pe];
    if (reference_->flag()[pe] != flag_[pe])
      throw InternalError(
          fmt::format("lockstep: after the edge of cycle {}, {}: flag: golden {}, RTL {}", cycle,
                      policy_name(pe), reference_->flag()[pe], flag_[pe]));
  }
}

}  // namespace muster::verif
