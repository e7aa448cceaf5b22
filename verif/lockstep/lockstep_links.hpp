// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/rtl_links.hpp"

namespace muster::verif {

/// Golden and Verilated link ends side by side.
class LockstepLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig& config) const override { return rtl_.supports(config); }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override;

 private:
  RtlLinks rtl_;
};

}  // namespace muster::verif
