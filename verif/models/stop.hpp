// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// What Verilator's runtime prints with (it is compiled with this header): to standard error, so
/// that results on standard output stay clean. The last line is kept for the exception of stop.cpp.
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
