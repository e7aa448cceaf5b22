// SPDX-License-Identifier: Apache-2.0
#include "models/model_array.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "models/runtime.hpp"
#include "muster/core/error.hpp"

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

std::set<std::uint32_t> Wave::shown(const std::vector<std::uint32_t>& wanted, std::size_t there) {
  std::set<std::uint32_t> blocks(wanted.begin(), wanted.end());
  if (blocks.empty())
    for (std::uint32_t b = 0; b < there; ++b) blocks.insert(b);
  if (!blocks.empty() && *blocks.rbegin() >= there)
    throw InputError("wave: block {} does not exist; there are {}", *blocks.rbegin(), there);
  return blocks;
}

void Wave::start() {
  fst_.set_time_unit("1ns");
  fst_.set_time_resolution("1ns");
  checked([&] { fst_.open(file_.c_str()); });
}

void Wave::dump(std::uint64_t time) {
  checked([&] { fst_.dump(time); });
}

void Wave::tell() const {
  if (failed_) failed_(std::strerror(error_));
}

void Wave::checked(auto&& write) {
  {
    const FstErrors errors(error_);
    write();
  }
  if (error_ == 0) return;
  tell();
  throw InputError(file_ + ": the waveform cannot be written: " + std::strerror(error_));
}

Wave::~Wave() {
  const bool told = error_ != 0;
  {
    const FstErrors errors(error_);
    fst_.close();
  }
  if (error_ == 0) return;
  std::error_code none;
  std::filesystem::remove(file_, none);
  if (!told) tell();
}

}  // namespace muster::verif
