// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/switch_kinds.hpp"

#include "core/error.hpp"
#include "fabric/golden/plain_bank.hpp"
#include "fabric/golden/switch_bank.hpp"
#include "systems/packets/golden/multicast_switch.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"

namespace muster::golden {
namespace {

using Make = std::unique_ptr<core::Bank> (*)(std::uint32_t, const fabric::SwitchConfig&);

template <class BankOfKind>
std::unique_ptr<core::Bank> make(std::uint32_t blocks, const fabric::SwitchConfig& config) {
  return std::make_unique<BankOfKind>(blocks, config);
}

struct Registered {
  fabric::SwitchKind kind;
  Make make;
};
constexpr Registered kBanks[] = {
    {fabric::SwitchKind::kBarrier, make<GoldenSwitchBank>},
    {fabric::SwitchKind::kMulticast, make<PlainBank<MulticastSwitch>>},
    {fabric::SwitchKind::kBsr1, make<PlainBank<PreemptSwitch>>},
    {fabric::SwitchKind::kBsr2, make<PlainBank<PreemptSwitch>>},
    {fabric::SwitchKind::kBsr3, make<PlainBank<PreemptSwitch>>},
};

}  // namespace

std::unique_ptr<core::Bank> make_switch_bank(std::uint32_t blocks,
                                             const fabric::SwitchConfig& config) {
  for (const Registered& bank : kBanks)
    if (bank.kind == config.kind) return bank.make(blocks, config);
  throw InternalError("no golden bank of this kind of switch");
}

}  // namespace muster::golden
