// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "systems/esc/blocks/box_bank.hpp"

namespace muster::verif {

/// How the banks of a model of kind `box` are made. `stages` as in BoxBank. With `skip_idle` boxes
/// that are quiescent and have no packet at an input are skipped, which changes only the
/// time it takes.
struct BoxMakers {
  static constexpr std::string_view kKind = "box";
  std::unique_ptr<esc::BoxBank> (*rtl)(std::vector<std::uint8_t> stages, bool skip_idle);
  std::unique_ptr<esc::BoxBank> (*lockstep)(std::unique_ptr<esc::BoxBank> golden,
                                            std::unique_ptr<esc::BoxBank> rtl,
                                            std::vector<std::uint8_t> stages);
};

struct BoxModel {
  esc::BoxConfig config;
};

/// Those of listed_models() that are interchange boxes.
std::vector<BoxModel> box_models();

}  // namespace muster::verif
