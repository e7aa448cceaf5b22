// SPDX-License-Identifier: Apache-2.0
#include "golden/switch_kinds.hpp"

#include "common/error.hpp"
#include "golden/multicast_switch.hpp"
#include "golden/plain_bank.hpp"
#include "golden/preempt_switch.hpp"
#include "golden/switch_bank.hpp"

namespace muster::golden {
namespace {

using Make = std::unique_ptr<network::Bank> (*)(std::uint32_t, const network::SwitchConfig&);

template <class BankOfKind>
std::unique_ptr<network::Bank> make(std::uint32_t blocks, const network::SwitchConfig& config) {
  return std::make_unique<BankOfKind>(blocks, config);
}

struct Registered {
  network::SwitchKind kind;
  Make make;
};
constexpr Registered kBanks[] = {
    {network::SwitchKind::kBarrier, make<GoldenSwitchBank>},
    {network::SwitchKind::kMulticast, make<PlainBank<MulticastSwitch>>},
    {network::SwitchKind::kBsr1, make<PlainBank<PreemptSwitch>>},
    {network::SwitchKind::kBsr2, make<PlainBank<PreemptSwitch>>},
    {network::SwitchKind::kBsr3, make<PlainBank<PreemptSwitch>>},
};

}  // namespace

std::unique_ptr<network::Bank> make_switch_bank(std::uint32_t blocks,
                                                const network::SwitchConfig& config) {
  for (const Registered& bank : kBanks)
    if (bank.kind == config.kind) return bank.make(blocks, config);
  throw InternalError("no golden bank of this kind of switch");
}

}  // namespace muster::golden
