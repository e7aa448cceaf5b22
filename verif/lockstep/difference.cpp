// SPDX-License-Identifier: Apache-2.0
#include "lockstep/difference.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace muster::verif {

std::string show(const core::Flit& f) {
  const char* kind = f.sync()               ? "sync"
                     : f.head() && f.tail() ? "head+tail"
                     : f.head()             ? "head"
                     : f.tail()             ? "tail"
                                            : "body";
  return fmt::format("{} vc {} payload {:#x}{}", kind, f.vc, f.lo,
                     f.hi ? fmt::format(" (high {:#x})", f.hi) : "");
}

void report_difference(const std::string& what, const std::string& golden, const std::string& rtl,
                       const std::string& inputs) {
  throw InternalError(
      fmt::format("lockstep: {}\n  golden: {}\n  RTL:    {}\n  {}", what, golden, rtl, inputs));
}

}  // namespace muster::verif
