// SPDX-License-Identifier: Apache-2.0
#include "models/large_pages.hpp"

#include <cstdint>

#ifdef __linux__
#include <link.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#endif

namespace muster::verif {

#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MADV_COLLAPSE)
namespace {

constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;

std::uintptr_t up(std::uintptr_t address) { return (address + kLargePage - 1) & ~(kLargePage - 1); }

/// Memory from `begin` to `end`, multiples of a large page.
void collapse(std::uintptr_t begin, std::uintptr_t end) {
  auto* const start = reinterpret_cast<void*>(begin);
  if (madvise(start, end - begin, MADV_HUGEPAGE) == 0) madvise(start, end - begin, MADV_COLLAPSE);
}

/// The code of one object, addresses; `end` 0 if there is none that can be moved.
struct Code {
  std::uintptr_t inside, begin = 0, end = 0;
};

/// Fills in the segment that Code::inside lies in, unless another one is in its last large page.
int find_code(dl_phdr_info* object, std::size_t, void* wanted) {
  auto& code = *static_cast<Code*>(wanted);
  const auto begin_of = [&](const ElfW(Phdr) & segment) {
    return object->dlpi_addr + segment.p_vaddr;
  };
  const ElfW(Phdr)* const first = object->dlpi_phdr;
  const ElfW(Phdr)* const last = first + object->dlpi_phnum;
  const auto* const found = std::find_if(first, last, [&](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 &&
           code.inside - begin_of(segment) < segment.p_memsz;
  });
  if (found == last) return 0;
  const std::uintptr_t begin = begin_of(*found), end = begin + found->p_memsz;
  const bool alone = std::none_of(first, last, [&](const ElfW(Phdr) & other) {
    return other.p_type == PT_LOAD && begin_of(other) >= end && begin_of(other) < up(end);
  });
  if (alone && begin % kLargePage == 0) {
    code.begin = begin;
    code.end = end;
  }
  return 1;
}

}  // namespace

void use_large_pages(const void* first, const void* last) {
  const std::uintptr_t begin = up(reinterpret_cast<std::uintptr_t>(first));
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(last) & ~(kLargePage - 1);
  if (begin < end) collapse(begin, end);
}

void use_large_pages_for_code(const void* function) {
  Code code{reinterpret_cast<std::uintptr_t>(function)};
  dl_iterate_phdr(find_code, &code);
  if (code.end == 0) return;
  const std::size_t size = up(code.end) - code.begin;
  void* const room =
      mmap(nullptr, size + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  const std::uintptr_t copy = up(reinterpret_cast<std::uintptr_t>(room));
  auto* const start = reinterpret_cast<void*>(copy);
  madvise(start, size, MADV_HUGEPAGE);
  std::memcpy(start, reinterpret_cast<const void*>(code.begin), code.end - code.begin);
  collapse(copy, copy + size);
  if (mprotect(start, size, PROT_READ | PROT_EXEC) == 0)
    mremap(start, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(code.begin));
}

#else
void use_large_pages(const void*, const void*) {}
void use_large_pages_for_code(const void*) {}
#endif

}  // namespace muster::verif
