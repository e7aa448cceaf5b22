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
  const auto from = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t begin = (from + kLargePage - 1) & ~(kLargePage - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(last) & ~(kLargePage - 1);
  if (begin >= end) return;
  char* const start = static_cast<char*>(const_cast<void*>(first)) + (begin - from);
  if (madvise(start, end - begin, MADV_HUGEPAGE) == 0) madvise(start, end - begin, MADV_COLLAPSE);
#endif
}

}  // namespace muster::verif
