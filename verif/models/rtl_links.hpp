// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/link_factory.hpp"

namespace muster::verif {

/// Verilated link ends.
class RtlLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig& config) const override;
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions& options) const override;
};

}  // namespace muster::verif
