// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_congestion.hpp"
#include "systems/preempt/figures/preempt_figures.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kQueuedMessages = 2;  // buffer of a unit in a switch

}  // namespace

std::unique_ptr<figures::Figure> make_pre_15() {
  return std::make_unique<PreemptCongestion>(
      "pre-15", "congestion", PreemptSystem{.mesh = true, .size = 20},
      std::vector<std::uint32_t>{20, 200},
      std::vector<PreemptBaseline>{
          {"bsr-1", "bsr-1"},
          {"bsr-2", "bsr-2"},
          {"bsr-3", "bsr-3"},
          {"btin", "btin"},
          {"units [4], messages that queue with data", "tree-units", kQueuedMessages}});
}

}  // namespace muster::preempt
