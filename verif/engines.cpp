// SPDX-License-Identifier: Apache-2.0
#include "muster/verif.hpp"

namespace muster::verif {

std::vector<std::shared_ptr<const fabric::BankFactory>> engines() {
  return {make_rtl_engine(), make_lockstep_engine()};
}

}  // namespace muster::verif
