// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/golden_links.hpp"

#include "fabric/golden/link_bank.hpp"

namespace muster::golden {
namespace {

class GoldenLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig&) const override { return true; }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions&) const override {
    return std::make_unique<GoldenLinkBank>(config, ends);
  }
};

}  // namespace

std::shared_ptr<const fabric::LinkFactory> make_golden_links() {
  return std::make_shared<GoldenLinks>();
}

}  // namespace muster::golden
