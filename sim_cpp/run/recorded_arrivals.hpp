// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "muster/run/arrivals.hpp"

namespace muster::run {

inline constexpr std::size_t kMaxRecordingBytes = std::size_t{256} << 20;

/// read_arrivals() of a file that has been read; `file` stands in messages.
std::shared_ptr<const RecordedArrivals> parse_arrivals(std::string_view content,
                                                       const std::string& file, double clock_ns);

}  // namespace muster::run
