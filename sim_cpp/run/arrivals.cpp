// SPDX-License-Identifier: Apache-2.0
#include "muster/run/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::run {

std::uint64_t ListedArrivals::next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                                   std::uint64_t earliest) const {
  if (group >= list_.size() || barrier >= list_[group].size() ||
      member >= list_[group][barrier].size())
    throw InputError(
        fmt::format("arrivals: no time is listed for member {} of group {} at barrier {}", member,
                    group, barrier));
  return std::max(earliest, list_[group][barrier][member]);
}

std::uint64_t RecordedArrivals::next(std::uint32_t, std::uint32_t member, std::uint32_t barrier,
                                     std::uint64_t earliest) const {
  if (barrier >= work_.size() || member >= work_[barrier].size())
    throw InputError(
        fmt::format("arrivals: member {} at barrier {} is not in '{}'", member, barrier, name_));
  return earliest + work_[barrier][member];
}

}  // namespace muster::run
