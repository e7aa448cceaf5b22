// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "fabric/link_factory.hpp"

namespace muster::verif {

/// How the banks of a model of kind `link` are made.
struct LinkMakers {
  static constexpr std::string_view kKind = "link";
  std::unique_ptr<fabric::LinkBank> (*rtl)(const fabric::LinkConfig& config, std::uint32_t ends,
                                           const fabric::BankOptions& options);
  std::unique_ptr<fabric::LinkBank> (*lockstep)(std::unique_ptr<fabric::LinkBank> golden,
                                                std::unique_ptr<fabric::LinkBank> rtl);
};

struct LinkModel {
  fabric::LinkConfig config;
};

/// Those of listed_models() that are link ends.
std::vector<LinkModel> link_models();

}  // namespace muster::verif
