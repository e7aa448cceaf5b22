// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>

/// What Verilator's runtime prints with (it is compiled with this header): to standard error, so
/// that results on standard output stay clean. The last line is kept for the exception.
int muster_verilated_printf(const char* format, ...);

namespace muster::verif {

/// The first assertion that fails on this thread while the object lives. An assertion throws out of
/// the model in the middle of an edge; where an object of this class is on the stack it is kept
/// instead, so that the edge is completed and the waveform shows a whole state. Without one it
/// throws InternalError.
class FailedAssertion {
 public:
  FailedAssertion();
  ~FailedAssertion();
  FailedAssertion(const FailedAssertion&) = delete;
  FailedAssertion& operator=(const FailedAssertion&) = delete;

  void keep(const std::string& line);
  bool happened() const { return !line_.empty(); }
  /// Throws BlockError with cycle, time, instance and fact. REQUIRES: happened().
  [[noreturn]] void raise(std::uint64_t cycle) const;

 private:
  std::string line_;  ///< as Verilator prints it; empty: none has failed
};

}  // namespace muster::verif

/// The files of the FST writer that is part of Verilator. It checks no write, and it maps scratch
/// files: on a full disk such a map is a bus error. Its source is compiled with FST_FILES, so that
/// the calls at the end of this header go here:
///
/// - scratch files, FILE.hier among them, are memory without a name; they hold one section of
///   changes at most, and nothing is left of them whatever ends the program;
/// - a map of a scratch file that a limit (ulimit -f) has cut short is zeros;
/// - the first call that fails is kept for the FstErrors of this thread.
namespace muster::verif {

/// While an object of this class lives, `error` gets the error number of the first call of the FST
/// writer on this thread that fails. One at a time on a thread.
class FstErrors {
 public:
  /// `error` outlives this; not 0: an earlier call has failed, and it keeps its value.
  explicit FstErrors(int& error);
  ~FstErrors();
  FstErrors(const FstErrors&) = delete;
  FstErrors& operator=(const FstErrors&) = delete;
};

std::FILE* fst_open(const char* name, const char* mode);
std::FILE* fst_scratch();
void* fst_map(std::size_t length, int descriptor);
int fst_put(int byte, std::FILE* file);
std::size_t fst_write(const void* data, std::size_t size, std::size_t count, std::FILE* file);
int fst_done(int result);  ///< of a call that gives 0 if it has not failed

}  // namespace muster::verif

#ifdef FST_FILES
// What the writer includes after this header must not see the names below.
#include <sys/mman.h>
#include <verilated_fst_c.h>
#include <zlib.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#define fopen(name, mode) muster::verif::fst_open(name, mode)
#define tmpfile() muster::verif::fst_scratch()
#define mmap(address, length, access, flags, descriptor, offset) \
  muster::verif::fst_map(length, descriptor)
#define fputc(byte, file) muster::verif::fst_put(byte, file)
#define fwrite(data, size, count, file) muster::verif::fst_write(data, size, count, file)
#define fseeko(file, offset, whence) muster::verif::fst_done(fseeko(file, offset, whence))
#define ftruncate(descriptor, length) muster::verif::fst_done(ftruncate(descriptor, length))
#define fflush(file) muster::verif::fst_done(fflush(file))
#define fclose(file) muster::verif::fst_done(fclose(file))
#endif
