// SPDX-License-Identifier: Apache-2.0
#include "models/fst_files.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <string_view>

namespace muster::verif {

namespace {

thread_local int* sink = nullptr;

/// Keeps the error number if a call has failed; passes on what the call returned.
template <class Result>
Result noted(Result result, bool failed) {
  if (failed && sink != nullptr && *sink == 0) *sink = errno != 0 ? errno : EIO;
  return result;
}

}  // namespace

FstErrors::FstErrors(int& error) { sink = &error; }
FstErrors::~FstErrors() { sink = nullptr; }

std::FILE* fst_scratch() {
  const int descriptor = ::memfd_create("muster-waveform", MFD_CLOEXEC);
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (file == nullptr && descriptor >= 0) ::close(descriptor);
  return noted(file, file == nullptr);
}

std::FILE* fst_open(const char* name, const char* mode) {
  if (std::string_view(name).ends_with(".hier")) return fst_scratch();
  std::FILE* const file = std::fopen(name, mode);
  return noted(file, file == nullptr && std::string_view(mode).starts_with('w'));
}

void* fst_map(std::size_t length, int descriptor) {
  constexpr int kAccess = PROT_READ | PROT_WRITE;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && static_cast<std::size_t>(status.st_size) >= length)
    return ::mmap(nullptr, length, kAccess, MAP_SHARED, descriptor, 0);
  // The write that failed has been noted; behind the end of the file is a bus error.
  return ::mmap(nullptr, length, kAccess, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int fst_put(int byte, std::FILE* file) {
  const int result = std::fputc(byte, file);
  return noted(result, result == EOF);
}

std::size_t fst_write(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  const std::size_t result = std::fwrite(data, size, count, file);
  return noted(result, result < count && size != 0);
}

int fst_seek(std::FILE* file, std::int64_t offset, int whence) {
  const int result = ::fseeko(file, offset, whence);
  return noted(result, result != 0);
}

int fst_cut(int descriptor, std::int64_t length) {
  const int result = ::ftruncate(descriptor, length);
  return noted(result, result != 0);
}

int fst_flush(std::FILE* file) {
  const int result = std::fflush(file);
  return noted(result, result != 0);
}

int fst_close(std::FILE* file) {
  const int result = std::fclose(file);
  return noted(result, result != 0);
}

}  // namespace muster::verif
