// SPDX-License-Identifier: Apache-2.0
#include "models/large_pages.hpp"

#include <cstdint>

#ifdef __linux__
#include <linux/mman.h>
#include <sys/mman.h>
#endif

namespace muster::verif {

void use_large_pages([[maybe_unused]] const void* first, [[maybe_unused]] const void* last) {
#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MADV_COLLAPSE)
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + kLargePage - 1) & ~(kLargePage - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(last) & ~(kLargePage - 1);
  if (begin >= end) return;
  void* const start = reinterpret_cast<void*>(begin);
  if (madvise(start, end - begin, MADV_HUGEPAGE) == 0) madvise(start, end - begin, MADV_COLLAPSE);
#endif
}

}  // namespace muster::verif
