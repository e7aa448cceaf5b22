// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/checkers/checker.hpp"

#include <fmt/format.h>

namespace muster::checkers {

void Checker::violation(std::uint64_t cycle, const std::string& place,
                        const std::string& text) const {
  throw Breach(name_, fmt::format("cycle {}, {}: checker {}: {}", cycle, place, name_, text));
}

}  // namespace muster::checkers
