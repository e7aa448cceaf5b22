// SPDX-License-Identifier: Apache-2.0
#include "models/runtime.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <verilated.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "models/clocking.hpp"
#include "muster/core/error.hpp"

// Verilator's runtime calls these when an assertion fails or a model cannot go on. We end the run
// as for any violation, instead of aborting the process.

namespace {

thread_local std::string last_line;
thread_local muster::verif::FailedAssertion* keeper = nullptr;

std::string place(const char* file, int line) {
  return std::string(file) + ":" + std::to_string(line);
}

}  // namespace

int muster_verilated_printf(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_line = text;
  while (!last_line.empty() && last_line.back() == '\n') last_line.pop_back();
  std::fputs(text, stderr);
  return length;
}

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
  if (last_line.find("Assertion failed") == std::string::npos)
    throw muster::InternalError("a Verilated model stopped at " + place(file, line));
  if (keeper == nullptr)
    throw muster::InternalError("an assertion of the RTL failed: " + last_line);
  keeper->keep(last_line);
}

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
  throw muster::InternalError("Verilated model: " + place(file, line) + ": " + message);
}

namespace muster::verif {

FailedAssertion::FailedAssertion() { keeper = this; }
FailedAssertion::~FailedAssertion() { keeper = nullptr; }

void FailedAssertion::keep(const std::string& line) {
  if (!happened()) line_ = line;
}

void FailedAssertion::raise(std::uint64_t cycle) const {
  // "[0] %Error: muster_fifo.sv:61: Assertion failed in sw12.muster_barrier_switch.path.NotFull_A:
  // ..."
  static constexpr const char* kBefore = "Assertion failed in ";
  const std::string fact = line_.substr(line_.find(kBefore) + std::string(kBefore).size());
  throw BlockError("cycle " + std::to_string(cycle) + ", at " + std::to_string(edge_time(cycle)) +
                       " ns: an assertion of the RTL failed: " + line_.substr(line_.find("%Error")),
                   cycle, fact.substr(0, fact.find('.')));
}

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

int fst_done(int result) { return noted(result, result != 0); }

}  // namespace muster::verif
