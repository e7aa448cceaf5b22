// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace muster::figures {

/// Calls job(0) to job(count - 1) on up to `threads` threads, in any order, and throws what one of
/// them has thrown.
void run_parallel(std::uint32_t count, unsigned threads,
                  const std::function<void(std::uint32_t)>& job);

}  // namespace muster::figures
