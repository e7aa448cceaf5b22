// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/block_list.hpp"
#include "lockstep/esc/lockstep_box_bank.hpp"
#include "models/box_models.hpp"
#include "models/esc/verilated_box_bank.hpp"
#include "systems/esc/blocks/box_blocks.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr BoxMakers box_makers = {
    [](std::vector<std::uint8_t> stages, bool skip_idle) -> std::unique_ptr<esc::BoxBank> {
      static_assert(P::PacketW == 64, "a packet is one word of 64 bits");
      constexpr bool kCombining = P::kTop == esc::kCombiningBox;
      return std::make_unique<VerilatedBoxBank<V, P::Size, P::Depth, kCombining>>(std::move(stages),
                                                                                  skip_idle);
    },
    [](std::unique_ptr<esc::BoxBank> golden, std::unique_ptr<esc::BoxBank> rtl,
       std::vector<std::uint8_t> stages) -> std::unique_ptr<esc::BoxBank> {
      return std::make_unique<LockstepBoxBank>(std::move(golden), std::move(rtl),
                                               std::move(stages));
    }};

}  // namespace muster::verif
