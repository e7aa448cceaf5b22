// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/run/system.hpp"

namespace muster::btin {

/// The options of barrier trees and of groups that change, as typed.
class Options : public run::SystemOptions {
 public:
  void add(run::OptionList& options) override;
  void apply(run::RunSpec& spec) const override;

 private:
  bool serial_ = false, many_ = false, reflect_ = false, spill_ = false, retry_ = false;
  std::optional<std::uint32_t> period_, data_bits_;
  std::optional<std::uint64_t> suspect_after_, evict_after_;
  double drop_ = 0.0, duplicate_ = 0.0, setup_drop_ = 0.0;
  std::string setup_ = "host", op_ = "or", root_;
  std::vector<std::string> joins_;   ///< "3:4@2": that node is a member from barrier 2 on
  std::vector<std::string> leaves_;  ///< "3:4@2/1": of group 1, it is none from barrier 2 on
};

}  // namespace muster::btin
