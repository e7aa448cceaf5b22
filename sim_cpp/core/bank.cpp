// SPDX-License-Identifier: Apache-2.0
#include "muster/core/bank.hpp"

#include "muster/core/error.hpp"

namespace muster::core {

void Bank::request(const RegisterRequest& request) {
  throw InternalError("block " + std::to_string(request.block) +
                      " of a bank without register ports in cycles is asked for a register");
}

void Bank::reset(std::uint32_t block) {
  throw InternalError("block " + std::to_string(block) + " of a bank without reset is reset");
}

}  // namespace muster::core
